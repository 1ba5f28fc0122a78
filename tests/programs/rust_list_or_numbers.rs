// check: array n=6,2
// A list or an error with numbers: lengths lie where others have numbers, also where nothing is inlined.
enum Failure { Negative(f64), TooLong(usize, f64), Both { a: f64, b: f64, at: usize } }
fn collect(x: &[f64]) -> Result<Vec<f64>, Failure> {
    let mut v = Vec::new();
    for (i, a) in x.iter().enumerate() {
        if *a < -9.0 { return Err(Failure::Negative(*a)); }
        if i > 100 { return Err(Failure::TooLong(i, *a)); }
        if *a > 50.0 { return Err(Failure::Both { a: *a, b: a * 2.0, at: i }); }
        v.push(a * a);
        if i % 2 == 0 { v.extend_from_slice(&[*a, 2.0 * a]); }
    }
    Ok(v)
}
fn smooth(v: Vec<f64>) -> Result<Vec<f64>, Failure> {
    if v.len() < 2 { return Err(Failure::TooLong(v.len(), v.iter().sum())); }
    let mut w: Vec<f64> = v.windows(2).map(|p| 0.5 * (p[0] + p[1])).collect();
    w.push(v[0]); w.insert(0, v[v.len() - 1]);
    Ok(w)
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match collect(x).and_then(smooth).and_then(smooth) {
        Ok(v) => v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum::<f64>() / v.len() as f64,
        Err(Failure::Negative(a)) => a,
        Err(Failure::TooLong(i, a)) => a * i as f64,
        Err(Failure::Both { a, b, at }) => a * b + at as f64,
    }
}
