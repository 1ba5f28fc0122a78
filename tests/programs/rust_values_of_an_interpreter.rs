// check: array n=6 range=0.4:1.5 refused=E0110@-O2-fno-inline
// Values of an interpreter: numbers, counts and boxed vectors, passed and returned in two registers.
use std::collections::HashMap;
#[derive(Clone)]
enum Value { Num(f64), Int(i64), List(Box<[f64; 3]>) }
enum Expr { Var(usize), Count(i64), List(usize), Add(Box<Expr>, Box<Expr>), Mul(Box<Expr>, Box<Expr>), Nth(Box<Expr>, Box<Expr>), Let(usize, Box<Expr>, Box<Expr>), Get(usize) }
use Expr::*;
impl Value {
    fn number(&self) -> f64 { match self { Value::Num(d) => *d, Value::Int(i) => *i as f64, Value::List(v) => v.iter().sum() } }
}
#[inline(never)]
fn eval(e: &Expr, x: &[f64], env: &mut HashMap<usize, Value>) -> Value {
    match e {
        Var(i) => Value::Num(x[*i % x.len()]),
        Count(k) => Value::Int(*k),
        List(i) => Value::List(Box::new([x[*i], x[*i + 1] * x[0], 2.0])),
        Add(a, b) => match (eval(a, x, env), eval(b, x, env)) {
            (Value::Int(a), Value::Int(b)) => Value::Int(a + b),
            (Value::List(mut v), o) => { for t in v.iter_mut() { *t += o.number(); } Value::List(v) }
            (a, b) => Value::Num(a.number() + b.number()),
        },
        Mul(a, b) => Value::Num(eval(a, x, env).number() * eval(b, x, env).number()),
        Nth(a, b) => match (eval(a, x, env), eval(b, x, env)) {
            (Value::List(v), Value::Int(i)) => Value::Num(v[i as usize % 3]),
            (a, _) => a,
        },
        Let(k, a, b) => { let v = eval(a, x, env); env.insert(*k, v); eval(b, x, env) }
        Get(k) => env.get(k).cloned().unwrap_or(Value::Int(0)),
    }
}
fn b(e: Expr) -> Box<Expr> { Box::new(e) }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let e = Let(1, b(Add(b(List(1)), b(Var(3)))), b(Add(
        b(Mul(b(Nth(b(Get(1)), b(Add(b(Count(1)), b(Count(3)))))), b(Get(1)))),
        b(Let(2, b(Mul(b(Var(4)), b(Count(3)))), b(Mul(b(Get(2)), b(Get(1)))))))));
    let mut env = HashMap::new();
    (eval(&e, x, &mut env).number() / 50.0).sin()
}
