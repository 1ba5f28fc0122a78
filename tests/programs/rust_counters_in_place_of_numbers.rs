// check: array n=7
// The counter of the loop is stored in place of a number where LLVM chooses between the two words.
#[derive(Clone, Copy)]
enum Val { Int(i64), Num(f64) }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let vals: Vec<Val> = x.iter().enumerate().map(|(i, &v)| if i % 3 == 0 { Val::Int(i as i64) } else { Val::Num(v) }).collect();
    let mut count = 0i64;
    let mut sum = 0.0;
    for v in &vals {
        match v { Val::Int(k) => count += k, Val::Num(t) => sum += t * t }
    }
    sum * count as f64
}
