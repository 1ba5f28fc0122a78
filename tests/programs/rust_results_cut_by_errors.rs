// check: array n=2 range=0.4:1.3
// The error of a result is shorter than an expression with two boxes: what lies behind it is copied apart from what both have.
enum Expr { Num(f64), Var(char), Bin(Box<Expr>, u8, Box<Expr>) }
fn eval(e: &Expr, v: f64) -> f64 {
    match e {
        Expr::Num(w) => *w,
        Expr::Var(_) => v,
        Expr::Bin(a, op, b) => { let (a, b) = (eval(a, v), eval(b, v)); if *op == b'+' { a + b.sin() } else { a * b } }
    }
}
fn build(depth: u32, x: &[f64]) -> Result<Expr, (usize, Option<char>)> {
    match depth {
        0 => Ok(Expr::Num(x[0])),
        1 => Ok(Expr::Var('v')),
        _ if depth < 6 => {
            let mut left = build(depth - 2, x)?;
            for op in [b'+', b'*'] { left = Expr::Bin(Box::new(left), op, Box::new(build(depth - 1, x)?)); }
            Ok(left)
        }
        _ => Err((7, Some('d'))),
    }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match build(n as u32 + 2, x) { Ok(e) => eval(&e, x[1]), Err((a, _)) => a as f64 }
}
