// check: array n=6,3
// Closures behind Rc that hold others and numbers, counts and both.
use std::rc::Rc;
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let a = x[0];
    let b = x[1];
    let base: Rc<dyn Fn(f64) -> f64> = Rc::new(move |t| a * t);
    let k = n as usize;
    let other: Rc<dyn Fn(f64) -> f64> = Rc::new(move |t| b * t + k as f64);
    let mut all: Vec<Rc<dyn Fn(f64) -> f64>> = vec![base.clone(), other.clone()];
    for (i, v) in x.iter().enumerate() {
        let v = *v;
        let f = all[i].clone();
        let g = all[i / 2].clone();
        all.push(Rc::new(move |t| f(t) * 0.5 + g(v * t) * (i as f64)));
    }
    all[2](1.0) + all[3](0.5)
}
