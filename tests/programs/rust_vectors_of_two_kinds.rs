// check: array n=6
// Vectors of two kinds of structs that grow: all go through one function of the library.
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut s = 0.0;
    let mut h: Vec<Option<f64>> = Vec::new();
    for v in x { h.push(Some(v * v).filter(|o| *o > 0.5)); }
    let mut stack = Vec::new();
    stack.push((x[0], x[1], 0));
    while let Some((a, b, d)) = stack.pop() {
        let m = 0.5 * (a + b);
        if d >= 4 || (m * m - 0.5).abs() < 1e-3 { s += m * m; continue; }
        stack.push((a, m, d + 1));
        stack.push((m, b, d + 2));
    }
    s + h.iter().flatten().sum::<f64>()
}
