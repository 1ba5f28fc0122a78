//! A chain of springs: its energy, and its gradient, over slices.

mod model {
    include!(concat!(env!("OUT_DIR"), "/energy_grad.rs"));
}

/// The energy of springs of stiffness `k` between the ends `x`.
pub fn energy(x: &[f64], k: f64) -> f64 {
    // SAFETY: `x` has as many numbers as the function is told, and it only reads them.
    unsafe { model::energy(x.as_ptr(), length(x), k) }
}

/// The energy, and its derivatives by the ends and by the stiffness.
pub fn energy_and_gradient(x: &[f64], k: f64) -> (f64, Vec<f64>, f64) {
    let (mut x_bar, mut k_bar) = (vec![0.0; x.len()], 0.0); // adjoints are added to what is there
    // SAFETY: `x` and `x_bar` have as many numbers as the function is told; it writes to the adjoints only.
    let value = unsafe { model::energy_grad(x.as_ptr(), x_bar.as_mut_ptr(), length(x), k, &mut k_bar) };
    (value, x_bar, k_bar)
}

fn length(x: &[f64]) -> i32 {
    x.len().try_into().expect("the model counts with 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_differences() {
        let (x, k, step) = ([0.0, 1.5, 2.0], 2.0, 1e-6);
        let (value, x_bar, k_bar) = energy_and_gradient(&x, k);
        assert_eq!(value, energy(&x, k));
        for i in 0..x.len() {
            let (mut above, mut below) = (x, x);
            above[i] += step;
            below[i] -= step;
            let slope = (energy(&above, k) - energy(&below, k)) / (2.0 * step);
            assert!((x_bar[i] - slope).abs() < 1e-8, "{} instead of {slope}", x_bar[i]);
        }
        assert!((k_bar - value / k).abs() < 1e-12);
    }
}
