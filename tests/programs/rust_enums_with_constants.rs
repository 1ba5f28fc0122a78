// check: array n=3 range=0.5:1.5
// A vector in one variant has its pointer where another has a constant: both come through one phi to a list.
enum Kind { Finish(u64), Audit(Vec<f64>) }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut list = Vec::with_capacity(9);
    for i in 0..x.len() { list.push(if i == 1 { Kind::Audit(x.to_vec()) } else { Kind::Finish(5000) }); }
    let mut cost = 0.0;
    for kind in &list { cost += match kind { Kind::Finish(k) => *k as f64, Kind::Audit(w) => w[0] * w[1] }; }
    cost
}
