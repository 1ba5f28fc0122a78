// check: array n=9,2,0
// Vectors that grow and shrink: push, pop, extend, insert, remove, drain, retain, truncate, split_off, append, swap_remove.
fn score(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    for &e in x {
        v.push(e * e);
        if e > 1.2 {
            v.push(e.sin());
        }
    }
    v.extend(x.iter().map(|e| e.exp()));
    v.extend_from_slice(x);
    v.insert(v.len() / 2, 2.0 * v.len() as f64);
    let removed = if v.len() > 4 { v.remove(1) * v.swap_remove(2) } else { 0.0 };
    let drained: f64 = v.drain(..v.len() / 4).map(|e| e * 0.5).sum();
    v.retain(|e| *e < 2.5);
    let mut tail = v.split_off(v.len() / 2);
    tail.append(&mut v);
    tail.truncate(tail.len().saturating_sub(1));
    let last = tail.pop().unwrap_or(1.0);
    let mut copy = tail.clone();
    copy.reverse();
    copy.resize(tail.len() + 2, 0.25);
    let dot: f64 = tail.iter().zip(&copy).map(|(a, b)| a * b).sum();
    removed + drained + dot * last
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    score(unsafe { std::slice::from_raw_parts(x, n as usize) })
}
