pub fn third(x: f64) -> f64 {
    x * x * x
}
