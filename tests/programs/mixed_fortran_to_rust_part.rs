#[repr(C)]
pub struct State {
    at: f64,
    speed: f64,
    steps: i32,
}

#[no_mangle]
pub extern "C" fn advance(s: &mut State, force: extern "C" fn(f64) -> f64, h: f64) {
    s.speed += 0.5 * h * force(s.at);
    s.at += h * s.speed;
    s.speed += 0.5 * h * force(s.at);
    s.steps += 1;
}

#[no_mangle]
pub unsafe extern "C" fn median(x: *const f64, n: usize) -> f64 {
    let mut sorted = std::slice::from_raw_parts(x, n).to_vec();
    for i in 1..n {
        let mut j = i;
        while j > 0 && sorted[j - 1] > sorted[j] {
            sorted.swap(j - 1, j);
            j -= 1;
        }
    }
    0.5 * (sorted[(n - 1) / 2] + sorted[n / 2])
}
