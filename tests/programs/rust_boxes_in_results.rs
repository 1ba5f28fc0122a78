// check: array n=2 range=0.4:1.3
// A box in a result whose error is two integers of different sizes: the box is moved in halves, read in two blocks.
enum Expr { Num(f64), Neg(Box<Expr>) }
fn eval(e: &Expr, v: f64) -> f64 {
    match e {
        Expr::Num(w) => *w,
        Expr::Neg(e) => -eval(e, v),
    }
}
fn leaf(depth: u32, x: &[f64]) -> Result<Expr, (usize, u32)> {
    match depth {
        0 => Ok(Expr::Num(x[0])),
        _ if depth < 6 => Ok(Expr::Neg(Box::new(leaf(depth - 1, x)?))),
        _ => Err((7, 3)),
    }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match leaf(n as u32, x) { Ok(e) => eval(&e, x[1]), Err((a, _)) => a as f64 }
}
