// check: array n=8,1
// Recursion over slices and trees: adaptive quadrature, merge, fast transform of halves, Ackermann-like calls.
fn halves(x: &[f64]) -> f64 {
    match x {
        [] => 1.0,
        [a] => a.sin(),
        [a, b] => a * b,
        [first, middle @ .., last] => halves(middle) * 0.5 + first * last + halves(&x[..x.len() / 2]),
    }
}

fn adaptive(f: &dyn Fn(f64) -> f64, a: f64, b: f64, depth: u32) -> f64 {
    let m = 0.5 * (a + b);
    let coarse = (b - a) * f(m);
    let fine = 0.5 * (b - a) * (f(0.5 * (a + m)) + f(0.5 * (m + b)));
    if depth == 0 || (coarse - fine).abs() < 1e-3 {
        fine
    } else {
        adaptive(f, a, m, depth - 1) + adaptive(f, m, b, depth - 1)
    }
}

fn haar(x: &mut [f64]) {
    let n = x.len();
    if n < 2 {
        return;
    }
    let half = n / 2;
    let sums: Vec<f64> = (0..half).map(|i| (x[2 * i] + x[2 * i + 1]) * 0.5).collect();
    let differences: Vec<f64> = (0..half).map(|i| x[2 * i] - x[2 * i + 1]).collect();
    x[..half].copy_from_slice(&sums);
    x[half..2 * half].copy_from_slice(&differences);
    haar(&mut x[..half]);
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let k = x[0];
    let area = adaptive(&|t| (k * t).sin() / (1.0 + t * t), 0.0, 2.0, 6);
    let mut wave = x.to_vec();
    haar(&mut wave);
    halves(x) + area + wave.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum::<f64>()
}
