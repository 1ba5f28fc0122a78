// check: array n=8
// Integers are added as the language checks them for overflow, where numbers are in other variants.
#[derive(Clone, Copy)]
enum Val { Int(i64), Num(f64), Flag(bool) }
impl std::ops::Add for Val {
    type Output = Val;
    fn add(self, o: Val) -> Val {
        match (self, o) {
            (Val::Int(a), Val::Int(b)) => Val::Int(a + b),
            (Val::Num(a), Val::Num(b)) => Val::Num(a + b),
            (Val::Int(a), Val::Num(b)) | (Val::Num(b), Val::Int(a)) => Val::Num(a as f64 + b),
            (Val::Flag(f), v) | (v, Val::Flag(f)) => if f { v } else { Val::Int(0) },
        }
    }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let vals: Vec<Val> = x.iter().enumerate().map(|(i, &v)| match i % 4 { 0 => Val::Int(i as i64), 1 => Val::Flag(i > 2), _ => Val::Num(v * v) }).collect();
    let mut total = Val::Int(1);
    let mut ints = 0i64;
    for v in vals.iter() {
        if let Val::Int(k) = v { ints += *k }
        total = total + *v;
    }
    match total { Val::Num(s) => s * s * (ints as f64 + 0.5), Val::Int(k) => k as f64, Val::Flag(_) => 0.0 }
}
