// check: array n=6 tol=1e-2 identity=1e-5 stopped=-O1
// Two floats where an error has a text, taken through closures.
#[derive(Clone, Copy)] struct M { a: f32, b: f32, c: u8 }
fn make(v: f64, k: usize) -> Result<M, String> { if k < 2 { Ok(M { a: v as f32, b: v as f32, c: k as u8 }) } else { Err(format!("k {k}")) } }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) }; let mut errs: Vec<String> = Vec::new();
    let mut t = 0.0; let v: Vec<M> = x.iter().enumerate().filter_map(|(i, v)| make(*v, i % 3).map_err(|e| errs.push(e)).ok()).collect(); for m in &v { t += m.a as f64 * m.b as f64 * m.c as f64; }
    t + errs.len() as f64
}
