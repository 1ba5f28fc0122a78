#[no_mangle]
pub extern "C" fn link_rust(v: f64, e: f64) -> f64 {
    let d = v - e;
    [0.5, 1.0, 2.0].iter().map(|w| w * d).fold(0.0, |s, t| s + t * t) + e.exp()
}
