// heat.c in Rust.
use std::slice::from_raw_parts;

#[cfg_attr(not(differentiated), export_name = "heat_objective")]
#[cfg_attr(differentiated, export_name = "heat_objective_differentiated")]
pub unsafe extern "C" fn objective(n: i32, steps: i32, dt: f64, start: *const f64, k: *const f64) -> f64 {
    let n = n as usize;
    let (mut u, k) = (from_raw_parts(start, n * n).to_vec(), from_raw_parts(k, n * n));
    let mut change = vec![0.0; n * n];
    for _ in 0..steps {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let at = i * n + j;
                change[at] = k[at] * (u[at - n] + u[at + n] + u[at - 1] + u[at + 1] - 4.0 * u[at]);
            }
        }
        for i in 1..n - 1 {
            let row = i * n + 1..i * n + n - 1;
            for (u, change) in u[row.clone()].iter_mut().zip(&change[row]) {
                *u += dt * change;
            }
        }
    }
    0.5 * u.iter().map(|v| v * v).sum::<f64>()
}
