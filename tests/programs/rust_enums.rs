// check: array n=6,3 refused=E0141@-O2-fno-inline
// Enums with data, matched with guards, ranges, bindings and nested patterns; a little expression tree.
#[derive(Clone, Debug)]
enum Expr {
    Constant(f64),
    Variable(usize),
    Sum(Box<Expr>, Box<Expr>),
    Product(Vec<Expr>),
    Call { name: Function, argument: Box<Expr> },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Sin,
    Log,
    Power(i32),
}

use Expr::*;

fn value(e: &Expr, x: &[f64]) -> f64 {
    match e {
        Constant(c) => *c,
        Variable(i) => x[*i % x.len()],
        Sum(a, b) => value(a, x) + value(b, x),
        Product(parts) if parts.is_empty() => 1.0,
        Product(parts) => parts.iter().map(|p| value(p, x)).product(),
        Call { name: Function::Power(0), .. } => 1.0,
        Call { name, argument } => {
            let v = value(argument, x);
            match name {
                Function::Sin => v.sin(),
                Function::Log => v.ln(),
                Function::Power(n @ 1..=3) => v.powi(*n),
                Function::Power(n) => v.powf(*n as f64 * 0.5),
            }
        }
    }
}

enum Shape {
    Circle { radius: f64 },
    Rectangle(f64, f64),
    Empty,
}

fn area(shape: &Shape) -> f64 {
    match *shape {
        Shape::Circle { radius: r } if r < 0.8 => r,
        Shape::Circle { radius } => std::f64::consts::PI * radius * radius,
        Shape::Rectangle(a, b) => a * b,
        Shape::Empty => 0.0,
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let square = Call { name: Function::Power(2), argument: Box::new(Variable(0)) };
    let sum = Sum(Box::new(Product(vec![Variable(1), square.clone(), Variable(2)])), Box::new(Constant(2.5)));
    let tree = Product(vec![
        Call { name: Function::Sin, argument: Box::new(Variable(1)) },
        Call { name: Function::Log, argument: Box::new(sum) },
        Call { name: Function::Power(5), argument: Box::new(square) },
        Product(vec![]),
    ]);
    let shapes: Vec<Shape> = x
        .iter()
        .enumerate()
        .map(|(i, v)| match i % 3 {
            0 => Shape::Circle { radius: *v },
            1 => Shape::Rectangle(*v, v + 1.0),
            _ => Shape::Empty,
        })
        .collect();
    value(&tree, x) + shapes.iter().map(area).sum::<f64>()
}
