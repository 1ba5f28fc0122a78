// check: array n=8 refused=E0113@-O2-fno-inline
// A map collected from pairs of short keys: the pairs are read before its nodes are allocated, and stored behind that.
use std::collections::BTreeMap;
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let (w, h) = (4i32, 2i32);
    let grid: BTreeMap<(i32, i32), f64> = (0..w * h).map(|k| ((k % w, k / w), 0.3 + x[k as usize] * x[k as usize])).collect();
    let mut s = 0.0;
    for k in 0..4 { if let Some(g) = grid.get(&(k, 1)) { s += g * k as f64; } }
    s + grid.values().map(|v| v * v).sum::<f64>()
}
