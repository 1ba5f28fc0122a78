// check: array n=7,1,0
// Loops with checked indices, whose iterations are reversed in the order of the primal.
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut w = 1.0; let mut s = 0.0;
    let idx: Vec<usize> = (0..x.len()).rev().collect();
    for i in 0..x.len() { s += w * x[idx[i]] * x[i]; w *= 0.9; }
    let mut y = vec![0.0; x.len() + 2];
    for i in 0..x.len() { y[i + 2] = w * x[idx[i]] * s; w += 0.1; }
    y.iter().map(|v| v * v).sum::<f64>() + s
}
