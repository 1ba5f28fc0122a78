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

/// Numbers that move to the heap as they become many, in structs that are copied.
#[derive(Clone)]
struct Stencil {
    weights: SmallVec<[f64; 3]>,
    order: u32,
}

fn stencils(x: &[f64]) -> f64 {
    let stencil = |order: u32| Stencil { weights: x.iter().skip(order as usize).map(|v| v.sin()).collect(), order };
    let mut all: Vec<Stencil> = (0..3).map(stencil).collect();
    let copies = all.clone();
    all[0].weights.insert(0, x[0] * x[1]);
    all[1].weights[0] *= x[2];
    let scaled = |s: &Stencil| s.weights.iter().map(|w| w * w).sum::<f64>() * f64::from(s.order + 1);
    all.iter().chain(&copies).map(scaled).sum()
}

#[no_mangle]
pub extern "C" fn loss(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let mut pushed = Vec::new();
    for value in x {
        pushed.push(value.sin());
    }
    power(x) + differences(x) + peaks(x) + stencils(x) + pushed.iter().product::<f64>()
}
