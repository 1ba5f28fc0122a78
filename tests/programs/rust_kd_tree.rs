// check: array n=9
// A k-d tree by swaps of structs that have an array beside an f32; read at a variable axis.
#[derive(Clone, Copy)]
struct P { pos: [f64; 3], mass: f32 }
fn build(p: &mut [P], axis: usize) {
    if p.len() < 2 { return; }
    let mid = p.len() / 2;
    for i in 0..=mid {
        let mut best = i;
        for j in i + 1..p.len() { if p[j].pos[axis] < p[best].pos[axis] { best = j; } }
        p.swap(i, best);
    }
    let (low, high) = p.split_at_mut(mid);
    build(low, (axis + 1) % 3);
    build(&mut high[1..], (axis + 1) % 3);
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut p: Vec<P> = (0..x.len() / 3).map(|i| P { pos: [x[3 * i], x[3 * i + 1], x[3 * i + 2]], mass: 0.5 * (i as f32 + 1.0) }).collect();
    build(&mut p, 0);
    let mut sum = 0.0;
    for i in 0..p.len() { sum += p[i].pos[(i + 1) % 3] * p[i].mass as f64 * p[i].pos[(i * x.len()) % 3] * (i as f64 + 1.0); }
    sum
}
