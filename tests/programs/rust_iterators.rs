// check: array n=7,1,0
// Adapters of slices: zip, windows, chunks, fold, rev, step_by, enumerate, skip, take, sum, product.
fn score(x: &[f64]) -> f64 {
    let steps: f64 = x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum();
    let pairs: f64 = x.chunks(2).map(|c| c.iter().product::<f64>()).sum();
    let exact: f64 = x.chunks_exact(3).map(|c| c[0] * c[1] - c[2]).sum();
    let horner = x.iter().rev().fold(0.0, |s, v| s * 0.5 + v);
    let every_other: f64 = x.iter().step_by(2).map(|v| v.sin()).sum();
    let weighted: f64 = x.iter().enumerate().map(|(i, v)| (i + 1) as f64 * v.ln()).sum();
    let shifted: f64 = x.iter().zip(x.iter().skip(1)).map(|(a, b)| a * b).sum();
    let head: f64 = x.iter().take(2).product();
    steps + pairs + exact + horner + every_other + weighted + shifted * head
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    score(unsafe { std::slice::from_raw_parts(x, n as usize) })
}
