// check: array n=6 tol=1e-2 identity=1e-5 stopped=-O0+-O2-fno-inline
// Two floats where an error has a box.
#[derive(Clone, Copy)] struct M { a: f32, b: f32, c: u8 }
fn make(v: f64, k: usize) -> Result<M, Box<u64>> { if k < 2 { Ok(M { a: v as f32, b: v as f32, c: 1 }) } else { Err(Box::new(3)) } }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let mut v = Vec::new(); for i in 0..n as usize { if let Ok(m) = make(unsafe { *x.add(i) }, i % 3) { v.push(m); } }
    let mut t = 0.0; for m in &v { t += m.a as f64 * m.b as f64; } t
}
