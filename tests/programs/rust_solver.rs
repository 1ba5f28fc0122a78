// check: array n=6,3
// Newton and Runge-Kutta with closures and tuples, loops with labels, break with a value, while let, early exits.
fn newton(f: impl Fn(f64) -> (f64, f64), start: f64) -> Result<f64, usize> {
    let mut x = start;
    for step in 0..50 {
        let (value, slope) = f(x);
        let change = value / slope;
        x -= change;
        if change.abs() < 1e-13 {
            return Ok(x);
        }
        if !x.is_finite() {
            return Err(step);
        }
    }
    Err(50)
}

fn rk4<const N: usize>(f: &dyn Fn(f64, &[f64; N]) -> [f64; N], mut y: [f64; N], steps: usize, h: f64) -> [f64; N] {
    let moved = |y: &[f64; N], k: &[f64; N], by: f64| -> [f64; N] { std::array::from_fn(|i| y[i] + by * k[i]) };
    for s in 0..steps {
        let t = s as f64 * h;
        let k1 = f(t, &y);
        let k2 = f(t + 0.5 * h, &moved(&y, &k1, 0.5 * h));
        let k3 = f(t + 0.5 * h, &moved(&y, &k2, 0.5 * h));
        let k4 = f(t + h, &moved(&y, &k3, h));
        for (i, v) in y.iter_mut().enumerate() {
            *v += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    y
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let (a, b) = (x[0], x[1]);
    let root = match newton(|v| (v * v * v - a * v - b, 3.0 * v * v - a), 2.0) {
        Ok(v) => v,
        Err(steps) => steps as f64,
    };
    let [end, speed] = rk4(&|t, y| [y[1], a * (1.0 - y[0] * y[0]) * y[1] - y[0] + b * t.sin()], [x[2], 0.0], 20, 0.05);
    let mut total = 0.0;
    let found = 'outer: loop {
        for (i, v) in x.iter().enumerate() {
            total += v * v;
            if total > 4.0 {
                break 'outer i as f64 * total;
            }
        }
        total *= 1.5;
    };
    root + end * speed + found
}
