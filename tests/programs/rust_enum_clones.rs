// check: array n=6
// Enums whose variants hold a number, an index, a pointer or a vector in the same words: cloned, moved, filtered, as a tree.
#[derive(Clone, Debug)]
enum Expr {
    Const(f64),
    Var(usize),
    Add(Box<Expr>, Box<Expr>),
    Pow(Box<Expr>, i32),
    Sum(Vec<Expr>),
    Scale(f64, Box<Expr>),
    Named { id: i32, value: f64 },
}
use Expr::*;

fn eval(e: &Expr, x: &[f64]) -> f64 {
    match e {
        Const(c) => *c,
        Var(i) => x[*i % x.len()],
        Add(a, b) => eval(a, x) + eval(b, x),
        Pow(a, n) => eval(a, x).powi(*n),
        Sum(v) => v.iter().map(|e| eval(e, x)).sum(),
        Scale(s, a) => s * eval(a, x),
        Named { id, value } => *id as f64 * value,
    }
}

#[derive(Clone, Debug)]
enum Item {
    Scalar(f64),
    Index(usize),
    Pair(f64, i32),
    Vector(Vec<f64>),
    Nothing,
}

fn value(item: &Item, x: &[f64]) -> f64 {
    match item {
        Item::Scalar(s) => s * s,
        Item::Index(i) => x[*i],
        Item::Pair(a, b) => a * *b as f64,
        Item::Vector(v) => v.iter().product(),
        Item::Nothing => 0.5,
    }
}

fn items(x: &[f64]) -> f64 {
    let make = |(i, v): (usize, &f64)| match i % 5 {
        0 => Item::Scalar(*v),
        1 => Item::Index(i),
        2 => Item::Pair(v.sin(), i as i32),
        3 => Item::Vector(vec![*v, v * v]),
        _ => Item::Nothing,
    };
    let items: Vec<Item> = x.iter().enumerate().map(make).collect();
    let mut copy = items.clone();
    copy.insert(0, Item::Scalar(1.5));
    copy.extend(items.iter().filter(|i| !matches!(i, Item::Index(_))).cloned());
    copy.iter().map(|i| value(i, x)).sum::<f64>() * value(&items[3].clone(), x)
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let e = Add(Box::new(Const(x[0] * x[1])), Box::new(Pow(Box::new(Const(x[3].sin())), 2)));
    let named = Named { id: 3, value: x[1] };
    let f = Sum(vec![e.clone(), Pow(Box::new(e.clone()), 2), Scale(x[4], Box::new(Var(5))), named]);
    eval(&Add(Box::new(f.clone()), Box::new(e)), x) * eval(&f, x) + items(x)
}
