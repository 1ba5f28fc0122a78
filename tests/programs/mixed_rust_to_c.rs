// check: array n=6,2 with=mixed_rust_to_c_part.c
// Rust calls C: pointers of slices, out parameters, a closure behind a trampoline with its environment as void *.
use std::ffi::{c_int, c_void};

extern "C" {
    fn dot(x: *const f64, y: *const f64, n: c_int) -> f64;
    fn split(v: f64, whole: *mut f64, part: *mut f64);
    fn minimum(f: extern "C" fn(f64, *mut c_void) -> f64, context: *mut c_void, start: f64, step: f64) -> f64;
}

extern "C" fn trampoline<F: FnMut(f64) -> f64>(t: f64, context: *mut c_void) -> f64 {
    (unsafe { &mut *(context as *mut F) })(t)
}

fn minimised<F: FnMut(f64) -> f64>(mut f: F, start: f64, step: f64) -> f64 {
    unsafe { minimum(trampoline::<F>, &mut f as *mut F as *mut c_void, start, step) }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    let product = unsafe { dot(x.as_ptr(), squares.as_ptr(), n) };
    let (mut whole, mut part) = (0.0, 0.0);
    unsafe { split(product * 3.0, &mut whole, &mut part) };
    let mut calls = 0;
    let lowest = minimised(
        |t| {
            calls += 1;
            squares.iter().map(|s| (t - s) * (t - s)).sum()
        },
        x[0],
        0.05,
    );
    part * whole + lowest + calls as f64
}
