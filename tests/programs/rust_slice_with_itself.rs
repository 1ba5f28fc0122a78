// check: array n=66
// Two shared slices that are one.
#[inline(never)]
fn energy(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let mut s = 0.0;
    for (p, q) in a.iter().zip(b) {
        s += p[0] * q[0] + 2.0 * p[1] * q[1] + 0.3 * p[2] * q[2];
    }
    s
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let p = unsafe { std::slice::from_raw_parts(x as *const [f64; 3], n as usize / 3) };
    let mut s = 0.0;
    for a in p.chunks(p.len() / 2) {
        for b in p.chunks(p.len() / 2) {
            s += energy(a, b);
        }
    }
    s
}
