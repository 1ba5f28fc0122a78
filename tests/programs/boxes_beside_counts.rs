// check: array n=3 range=0.4:1.5
//! The boxes of an enum are cut in two in registers where another variant has a count of four bytes.
enum C { Zero { v: f64, due: i32 }, Bond { v: f64, days: Vec<i32> }, Swap(Box<C>, Box<C>) }
fn price(c: &C) -> f64 {
    match c { C::Zero { v, due } => v * *due as f64, C::Bond { v, days } => v.sin() * days.len() as f64, C::Swap(a, b) => price(a) - price(b) }
}
fn make(i: usize, v: f64) -> C {
    let due = i as i32 + 1;
    match i { 0 => C::Zero { v, due }, 1 => C::Bond { v, days: vec![due, 3] }, _ => C::Swap(Box::new(C::Zero { v, due }), Box::new(C::Zero { v, due })) }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut book = Vec::new();
    for (i, v) in x.iter().enumerate() { book.push(make(i, *v)); }
    book.iter().map(price).sum()
}
