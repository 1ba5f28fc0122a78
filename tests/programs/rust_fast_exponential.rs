// check: array n=3 range=0.5:2.0 refused=E0111
// A fast exponential by the bits of a rounded number: `as` saturates.
use std::slice;

fn fast_exp(v: f64) -> f64 {
    f64::from_bits((6497320848556798.0 * v + 4606794787981739000.0) as i64 as u64)
}

/// # Safety
/// `x` has `n` numbers.
#[no_mangle]
pub unsafe extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = slice::from_raw_parts(x, n as usize);
    x.iter().enumerate().map(|(i, v)| fast_exp(*v) * (i + 1) as f64).sum()
}
