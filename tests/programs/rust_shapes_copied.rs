// check: array n=4 tol=1e-2 identity=1e-4 lenient=1 refused=E0111@-O0+-O1,E0114@-O2-fno-inline
// Shapes behind trait objects that copy themselves: two numbers, a shared cell, shared closures.
use std::rc::Rc;
use std::cell::RefCell;
trait Shape { fn value(&self, t: f32) -> f64; fn clone_box(&self) -> Box<dyn Shape>; fn scale(&mut self, by: f32); }
#[derive(Clone)] struct Line { a: f32, b: f32 }
#[derive(Clone)] struct Shared { of: Rc<RefCell<f32>> }
#[derive(Clone)] struct Sum { parts: Vec<Rc<dyn Fn(f32) -> f32>>, weight: f32 }
impl Shape for Line {
    fn value(&self, t: f32) -> f64 { (self.a * t + self.b) as f64 }
    fn clone_box(&self) -> Box<dyn Shape> { Box::new(self.clone()) }
    fn scale(&mut self, by: f32) { self.a *= by; }
}
impl Shape for Shared {
    fn value(&self, t: f32) -> f64 { (*self.of.borrow() * t) as f64 }
    fn clone_box(&self) -> Box<dyn Shape> { Box::new(self.clone()) }
    fn scale(&mut self, by: f32) { *self.of.borrow_mut() *= by; }
}
impl Shape for Sum {
    fn value(&self, t: f32) -> f64 { (self.weight * self.parts.iter().map(|f| f(t)).sum::<f32>()) as f64 }
    fn clone_box(&self) -> Box<dyn Shape> { Box::new(self.clone()) }
    fn scale(&mut self, by: f32) { self.weight *= by; }
}
impl Clone for Box<dyn Shape> { fn clone(&self) -> Self { self.clone_box() } }
#[no_mangle]
pub unsafe extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let cell = Rc::new(RefCell::new(x[2] as f32));
    let (p, q) = (x[0] as f32, x[3] as f32);
    let mut shapes: Vec<Box<dyn Shape>> = vec![
        Box::new(Line { a: x[0] as f32, b: x[1] as f32 }),
        Box::new(Shared { of: cell.clone() }),
        Box::new(Sum { parts: vec![Rc::new(move |t| p * t), Rc::new(move |t| q * q + t)], weight: x[1] as f32 }),
    ];
    let copies = shapes.clone();
    for (i, s) in shapes.iter_mut().enumerate() { s.scale(1.5 + i as f32); }
    let mut sum = 0.0;
    for (i, s) in shapes.iter().chain(copies.iter()).enumerate() { sum += s.value(0.5 + i as f32 * 0.25) * (i + 1) as f64; }
    let found = *cell.borrow();
    sum + found as f64
}
