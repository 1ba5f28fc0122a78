// check: array n=6 tol=1e-2 identity=1e-5 refused=E0143@-O2-fno-inline
// Two floats where an error has a list of numbers: the optimiser reads its pointer as two floats, and follows it.
#[derive(Clone, Copy)]
struct Pair { a: f32, b: f32 }
fn make(v: f64, k: usize) -> Result<Pair, Vec<f64>> {
    if k < 2 { Ok(Pair { a: v as f32, b: (v * v) as f32 }) } else { Err(vec![v; k]) }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut stack: Vec<Result<Pair, Vec<f64>>> = Vec::new();
    for i in 0..x.len() { stack.push(make(x[i], i % 3)); }
    let mut t = 0.0;
    while let Some(r) = stack.pop() {
        match r { Ok(p) => t += p.a as f64 * p.b as f64, Err(e) => t += e.iter().sum::<f64>() }
    }
    t
}
