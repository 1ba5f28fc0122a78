// check: array n=6,1 real=float refused=E0143@-O2-fno-inline
// f32 throughout, with sums in f64, casts between them and integers.
fn softmax(x: &[f32]) -> Vec<f32> {
    let largest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let e: Vec<f32> = x.iter().map(|v| (v - largest).exp()).collect();
    let sum: f32 = e.iter().sum();
    e.into_iter().map(|v| v / sum).collect()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f32, n: i32) -> f32 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let p = softmax(x);
    let entropy: f64 = p.iter().map(|&v| -(v as f64) * (v as f64).ln()).sum();
    let weights: Vec<f32> = (0..n).map(|i| i as f32 * 0.25 + 1.0).collect();
    let dot: f32 = x.iter().zip(&weights).map(|(a, b)| a.mul_add(*b, a.sqrt())).sum();
    dot + entropy as f32 + x[0].powi(3) * x[x.len() - 1].sin()
}
