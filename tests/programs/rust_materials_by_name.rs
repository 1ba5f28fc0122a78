// check: array n=4 refused=E0110@-O2-fno-inline
// Variants with a number or a box of one, found by a name.
use std::collections::*;
enum M { A(f64), B(Box<f64>) }
fn value(m: &M) -> f64 { match m { M::A(c) => *c, M::B(a) => **a } }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut m = HashMap::new();
    m.insert("red".to_string(), M::B(Box::new(x[1])));
    value(&m["red"])
}
