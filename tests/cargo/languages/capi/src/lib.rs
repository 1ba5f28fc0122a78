//! A C interface: a shared library for C, Python's ctypes and others.

use std::slice;

/// The model's value; its gradient is written to `gradient`.
///
/// # Safety
///
/// `x` points to `n` numbers, `gradient` to room for as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn model_evaluate(x: *const f64, n: usize, gradient: *mut f64) -> f64 {
    // SAFETY: the caller promises it.
    let (x, gradient) = unsafe { (slice::from_raw_parts(x, n), slice::from_raw_parts_mut(gradient, n)) };
    gradient.copy_from_slice(&model::gradient(x));
    model::decay(x)
}
