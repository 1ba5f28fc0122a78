// check: array n=4 refused=E0100@-O2-fno-inline
// The text of an error behind a `Box<dyn Error>`: the runtime writes to a string that its argument only leads to.
type Failure = Box<dyn std::error::Error>;
fn factor(kind: &str) -> Result<Box<f64>, Failure> {
    match kind {
        "double" => Ok(Box::new(2.0)),
        "triple" => Ok(Box::new(3.0)),
        other => Err(format!("nothing known of {other}").into()),
    }
}
fn scaled(kind: &str, x: &[f64]) -> Result<f64, Failure> {
    let by = factor(kind)?;
    Ok(*by * x[0])
}
#[no_mangle]
pub unsafe extern "C" fn objective(x: *mut f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    ["double", "triple", "fourfold", ""]
        .iter()
        .enumerate()
        .map(|(i, kind)| match scaled(kind, x) {
            Ok(v) => v * x[i],
            Err(e) => x[i] * e.to_string().len() as f64,
        })
        .sum()
}
