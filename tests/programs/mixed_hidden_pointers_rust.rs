#[repr(C)] #[derive(Clone, Copy)] pub struct Pair { re: f64, im: f64 }
#[repr(C)] #[derive(Clone, Copy)] pub struct Floats { x: f32, y: f32 }
#[repr(C)] #[derive(Clone, Copy)] pub struct Triple { a: f64, b: f64, c: f64 }
extern "C" {
    fn c_moments(x: f64, w: Pair) -> Triple;
    fn c_mixed(t: Triple, w: Pair, k: i32) -> f64;
    fn c_both(t: Triple, w: Pair, p: *const f64, n: i32) -> Triple;
}
#[no_mangle] pub extern "C" fn r_moments(x: f64, w: Pair) -> Triple { Triple { a: x, b: x * w.re, c: x * w.im } }
#[no_mangle] pub extern "C" fn r_mixed(mut t: Triple, w: Pair, k: i32) -> f64 { t.a *= w.re; t.a + t.b * w.im + t.c * k as f64 }
#[no_mangle] pub unsafe extern "C" fn r_both(t: Triple, w: Pair, p: *const f64, n: i32) -> Triple {
    Triple { a: t.a * w.re, b: t.b * w.im * *p.add(n as usize - 1), c: t.c * *p }
}
#[no_mangle] pub extern "C" fn r_halves(x: f64, p: Floats) -> Triple { Triple { a: x, b: x * p.x as f64, c: x * p.y as f64 } }
#[no_mangle] pub unsafe extern "C" fn r_from_rust(x: f64, y: f64) -> f64 {
    let t = c_moments(x, Pair { re: y, im: x * y });
    let p = [x, y];
    let u = c_both(t, Pair { re: y, im: x }, p.as_ptr(), 2);
    c_mixed(t, Pair { re: x, im: y }, 2) + u.a * u.b + u.c
}
