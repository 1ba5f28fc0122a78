#[repr(C)] pub struct Vec2 { x: f64, y: f64 }
#[repr(C)] pub struct Span { data: *const f64, size: usize }
impl Span { fn get(&self) -> &[f64] { unsafe { std::slice::from_raw_parts(self.data, self.size) } } }
#[no_mangle] pub extern "C" fn centroid_rust(s: Span) -> Vec2 {
    let v = s.get();
    let (x, y) = v.chunks_exact(2).fold((0.0, 0.0), |(a, b), c| (a + c[0], b + c[1]));
    let n = (v.len() / 2).max(1) as f64;
    Vec2 { x: x / n, y: y / n }
}
#[no_mangle] pub extern "C" fn fold_rust(s: Span, f: extern "C" fn(f64, f64) -> f64, init: f64) -> f64 { s.get().iter().fold(init, |a, b| f(a, *b)) }
