// check: array n=6 with=mixed_tables_by_value_part.cpp
// Rust over a C++ object by opaque pointers, with trait objects called back from C++ virtual functions.
use std::ffi::c_void;
#[repr(C)] struct Ops { eval: extern "C" fn(*const c_void, f64) -> f64, slope: Option<extern "C" fn(*const c_void, f64) -> f64> }
extern "C" { fn newton_new(ops: Ops, ctx: *const c_void, tol: f64) -> *mut c_void; fn newton_run(p: *mut c_void, x0: f64, iters: *mut i32) -> f64; fn newton_delete(p: *mut c_void); }
trait Fun { fn f(&self, x: f64) -> f64; fn df(&self, _x: f64) -> f64 { 0.0 } }
struct Cubic { a: f64, b: f64 }
struct Expo(Vec<f64>);
impl Fun for Cubic { fn f(&self, x: f64) -> f64 { x * x * x + self.a * x - self.b } fn df(&self, x: f64) -> f64 { 3.0 * x * x + self.a } }
impl Fun for Expo { fn f(&self, x: f64) -> f64 { self.0.iter().map(|k| (k * x).exp() - 2.0).sum() } }
extern "C" fn eval(ctx: *const c_void, x: f64) -> f64 { unsafe { &**(ctx as *const Box<dyn Fun>) }.f(x) }
extern "C" fn slope(ctx: *const c_void, x: f64) -> f64 { unsafe { &**(ctx as *const Box<dyn Fun>) }.df(x) }
fn root(f: Box<dyn Fun>, with_slope: bool) -> f64 {
    unsafe {
        let p = newton_new(Ops { eval, slope: if with_slope { Some(slope) } else { None } }, &f as *const _ as *const c_void, 1e-13);
        let mut it = 0;
        let r = newton_run(p, 1.0, &mut it);
        newton_delete(p);
        r
    }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    root(Box::new(Cubic { a: x[0], b: x[1] }), true) + 2.0 * root(Box::new(Expo(x[2..].to_vec())), false)
}
