// check: array n=6
// Numbers behind counted pointers: Rc<[f64]>, Rc<RefCell<Vec<f64>>>, made of vectors and slices, cloned and changed.
use std::cell::RefCell;
use std::rc::Rc;

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let squares: Rc<[f64]> = x.iter().map(|v| v * v).collect::<Vec<_>>().into();
    let same = Rc::clone(&squares);
    let cell: Rc<RefCell<Vec<f64>>> = Rc::new(RefCell::new(squares.to_vec()));
    let other = cell.clone();
    other.borrow_mut().push(same[0].sin());
    cell.borrow_mut()[0] *= 3.0;
    let sum: f64 = other.borrow().iter().zip(same.iter()).map(|(p, q)| p * q).sum();
    let copied: Rc<[f64]> = Rc::from(x);
    let last = *other.borrow().last().unwrap();
    sum + copied.iter().sum::<f64>() * last
}
