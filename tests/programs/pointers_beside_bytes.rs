// check: array n=3 range=0.4:1.5
//! An enum has a byte in one variant where another has a pointer, which is cut in two in registers.
enum C { Zero { v: f64, due: u8 }, Bond { v: f64, days: Vec<i32> }, Pair(Box<f64>, Box<f64>) }
fn price(c: &C) -> f64 {
    match c { C::Zero { v, due } => v * *due as f64, C::Bond { v, days } => v * days.len() as f64, C::Pair(a, b) => **a * 2.0 + **b * 3.0 }
}
fn make(i: usize, v: f64) -> C {
    match i { 0 => C::Zero { v, due: 2 }, 1 => C::Bond { v, days: vec![1, 3] }, _ => C::Pair(Box::new(v), Box::new(v)) }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut book = Vec::new();
    for (i, v) in x.iter().enumerate() { book.push(make(i, *v)); }
    book.iter().map(price).sum()
}
