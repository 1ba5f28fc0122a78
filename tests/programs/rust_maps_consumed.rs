// check: array n=2 refused=E0113@-O2-fno-inline
// A map that is consumed: where its iterator has a leaf it had the root, and a height where there was a pointer.
use std::collections::BTreeMap;
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let m = BTreeMap::from([(1u64, x[0]), (2, x[1])]);
    let mut s = 0.0;
    for a in m.into_values() { s += a * a; }
    s
}
