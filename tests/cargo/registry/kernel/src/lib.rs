//! Code over other people's crates: generic numbers, complex numbers, iterators and small vectors.

use itertools::Itertools;
use num_complex::Complex;
use num_traits::Float;
use smallvec::SmallVec;

/// Any kind of number.
fn smooth<T: Float>(value: T) -> T {
    (value * value + T::one()).sqrt().ln()
}

/// |Σ xₖ exp(i k)|², a power of a Fourier transform.
fn power(x: &[f64]) -> f64 {
    let sum: Complex<f64> = x.iter().enumerate().map(|(k, &value)| Complex::from_polar(value, k as f64)).sum();
    sum.norm_sqr()
}

fn differences(x: &[f64]) -> f64 {
    x.iter().tuple_windows().map(|(left, right)| (right - left).powi(2)).sum()
}

/// More places of peaks than the vector holds without the heap.
fn peaks(x: &[f64]) -> f64 {
    let mut places: SmallVec<[usize; 2]> = SmallVec::new();
    for (place, value) in x.iter().enumerate() {
        if *value > 0.6 {
            places.push(place);
        }
    }
    places.iter().map(|&place| x[place].powi(3) * smooth(x[place])).sum()
}

#[no_mangle]
pub extern "C" fn loss(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let mut pushed = Vec::new();
    for value in x {
        pushed.push(value.sin());
    }
    power(x) + differences(x) + peaks(x) + pushed.iter().product::<f64>()
}
