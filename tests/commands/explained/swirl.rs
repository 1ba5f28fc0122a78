#[no_mangle]
pub extern "C" fn swirl(x: *const f64, n: usize, k: f64) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let mut sum = 0.0;
    let mut w = 1.0;
    for v in x {
        w = (w * v).sin();
        if w > 0.5 { sum += w * k; } else { sum += v / k; }
    }
    sum
}
