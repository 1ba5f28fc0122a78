//! Safe functions over slices.

#[allow(dead_code)]
mod sys {
    include!(concat!(env!("OUT_DIR"), "/decay.rs"));
}

/// The last value that the model told about: a function of this program that the model calls.
pub static NOTED: std::sync::Mutex<f64> = std::sync::Mutex::new(0.0);

#[unsafe(no_mangle)]
extern "C" fn note(value: f64) {
    *NOTED.lock().unwrap() = value;
}

fn length(x: &[f64]) -> i32 {
    x.len().try_into().expect("the model counts with 32 bits")
}

pub fn decay(x: &[f64]) -> f64 {
    // SAFETY: `x` has as many numbers as the function is told.
    unsafe { sys::decay(x.as_ptr(), length(x)) }
}

pub fn gradient(x: &[f64]) -> Vec<f64> {
    let mut x_bar = vec![0.0; x.len()];
    // SAFETY: both have as many numbers as the function is told.
    unsafe { sys::decay_grad(x.as_ptr(), x_bar.as_mut_ptr(), length(x)) };
    x_bar
}

pub fn tangent(x: &[f64], x_dot: &[f64]) -> f64 {
    assert_eq!(x.len(), x_dot.len());
    let mut result_dot = 0.0;
    // SAFETY: both have as many numbers as the function is told.
    unsafe { sys::decay_jvp(x.as_ptr(), x_dot.as_ptr(), length(x), &mut result_dot) };
    result_dot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_derivatives_are_those_of_differences() {
        let (x, step) = ([0.1, 0.2, 0.3], 1e-6);
        let x_bar = gradient(&x);
        let noted = *NOTED.lock().unwrap();
        assert_eq!(noted, decay(&x));
        for i in 0..x.len() {
            let (mut above, mut below, mut direction) = (x, x, [0.0; 3]);
            above[i] += step;
            below[i] -= step;
            direction[i] = 1.0;
            let slope = (decay(&above) - decay(&below)) / (2.0 * step);
            assert!((x_bar[i] - slope).abs() < 1e-8, "{} instead of {slope}", x_bar[i]);
            assert!((tangent(&x, &direction) - slope).abs() < 1e-8);
        }
    }
}
