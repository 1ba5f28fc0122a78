// check: array n=6,2
// A list that grows beside a count in one variant of a result, and a number in the other: they share registers.
enum Failure { Negative(f64), TooLong(usize) }
#[derive(Default)]
struct Series { values: Vec<f64>, count: usize, scale: f64 }
fn push(mut s: Series, v: f64) -> Result<Series, Failure> {
    if v < -10.0 { return Err(Failure::Negative(v)); }
    if s.count > 100 { return Err(Failure::TooLong(s.count)); }
    s.values.push(v * s.scale + s.count as f64);
    s.count += 1;
    s.scale += 0.1 * v;
    Ok(s)
}
fn build(x: &[f64]) -> Result<Series, Failure> {
    let mut s = Series { scale: 1.0, ..Default::default() };
    for v in x { s = push(s, *v)?; if *v > 0.5 { s = push(s, v * v)?; } }
    Ok(s)
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match build(x) {
        Ok(s) => s.values.iter().map(|v| v * v).sum::<f64>() / s.count as f64 + s.scale,
        Err(Failure::Negative(v)) => v,
        Err(Failure::TooLong(k)) => k as f64,
    }
}
