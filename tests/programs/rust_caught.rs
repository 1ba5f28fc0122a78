// check: array n=4 flags=-Cpanic=unwind refused=E0141@-O2-fno-inline
// catch_unwind around active code that does not panic.
use std::panic::{catch_unwind, AssertUnwindSafe};

fn risky(x: &[f64], limit: usize) -> f64 {
    x[..limit].iter().map(|v| v.exp()).sum()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match catch_unwind(AssertUnwindSafe(|| risky(x, n as usize))) {
        Ok(value) => value * x[0],
        Err(_) => -1.0,
    }
}
