// check: array n=6,1 with=mixed_rust_to_cpp_part.cpp
// Rust calls C++: an owned handle with Drop, a function over std::function, std::sort behind a C interface.
use std::ffi::c_void;

extern "C" {
    fn spline_new(x: *const f64, n: usize) -> *mut c_void;
    fn spline_at(s: *const c_void, t: f64) -> f64;
    fn spline_free(s: *mut c_void);
    fn sorted(x: *mut f64, n: usize);
}

struct Spline(*mut c_void);

impl Spline {
    fn new(x: &[f64]) -> Spline {
        Spline(unsafe { spline_new(x.as_ptr(), x.len()) })
    }
    fn at(&self, t: f64) -> f64 {
        unsafe { spline_at(self.0, t) }
    }
}

impl Drop for Spline {
    fn drop(&mut self) {
        unsafe { spline_free(self.0) }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let spline = Spline::new(x);
    let mut values: Vec<f64> = (0..5).map(|i| spline.at(0.2 * i as f64 * x[0])).collect();
    unsafe { sorted(values.as_mut_ptr(), values.len()) };
    values.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum()
}
