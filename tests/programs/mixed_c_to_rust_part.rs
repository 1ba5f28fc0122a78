#[repr(C)]
pub struct Moments {
    mean: f64,
    spread: f64,
}

#[no_mangle]
pub unsafe extern "C" fn moments_of(x: *const f64, n: usize) -> Moments {
    let x = std::slice::from_raw_parts(x, n);
    let mean = x.iter().sum::<f64>() / n as f64;
    Moments { mean, spread: x.iter().map(|v| (v - mean).powi(2)).sum::<f64>().sqrt() }
}

pub struct Filter {
    decay: f64,
    past: Vec<f64>,
}

#[no_mangle]
pub extern "C" fn filter_new(decay: f64) -> Box<Filter> {
    Box::new(Filter { decay, past: Vec::new() })
}

#[no_mangle]
pub extern "C" fn filter_push(f: &mut Filter, v: f64, shape: extern "C" fn(f64) -> f64) -> f64 {
    f.past.push(shape(v));
    f.past.iter().rev().fold((0.0, 1.0), |(sum, w), p| (sum + w * p, w * f.decay)).0
}

#[no_mangle]
pub extern "C" fn filter_drop(_: Box<Filter>) {}
