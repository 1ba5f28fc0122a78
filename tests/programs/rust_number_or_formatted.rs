// check: array n=6
// A number where an error has a text, in a loop that drops the texts.
#[derive(Clone, Copy)] struct M { a: f64 }
fn make(v: f64, k: usize) -> Result<M, String> { if k < 2 { Ok(M { a: v }) } else { Err(format!("k {k}")) } }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let mut v = Vec::new(); for i in 0..n as usize { if let Ok(m) = make(unsafe { *x.add(i) }, i % 3) { v.push(m); } }
    let mut t = 0.0; for m in &v { t += m.a as f64; } t
}
