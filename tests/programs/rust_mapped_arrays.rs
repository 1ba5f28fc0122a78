// check: array n=4,2
// Arrays that are mapped element by element: at -O0 each element lies in a variable of integers before it is moved.
static DATA: [([f64; 2], usize); 3] = [([0.1, 0.9], 0), ([0.8, 0.3], 1), ([0.5, 0.5], 1)];

fn softmax<const N: usize>(v: [f64; N]) -> [f64; N] {
    let most = v.iter().cloned().fold(f64::MIN, f64::max);
    let parts = v.map(|a| (a - most).exp());
    let sum: f64 = parts.iter().sum();
    parts.map(|a| a / sum)
}

#[no_mangle]
pub unsafe extern "C" fn objective(x: *mut f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let of_data: f64 = DATA
        .iter()
        .map(|(d, k)| -softmax([d[0] * x[0], d[1] * x[1]])[*k].ln())
        .sum();
    of_data + [x[0], x[1]].map(|a| a.sin())[(n & 1) as usize]
}
