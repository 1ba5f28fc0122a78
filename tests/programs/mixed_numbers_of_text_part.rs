use std::ffi::{c_char, CStr};

enum Weight {
    Number(f64),
    Name(String),
}

fn parsed(text: &str) -> Weight {
    if text.len() > 3 {
        return text.parse().map_or_else(|_| Weight::Name(text.to_string()), Weight::Number);
    }
    text.parse::<f32>().map_or_else(|_| Weight::Name(text.to_string()), |w| Weight::Number(w as f64))
}

#[no_mangle]
pub unsafe extern "C" fn weighted(weights: *const c_char, x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let text = unsafe { CStr::from_ptr(weights) }.to_str().unwrap();
    let weights: Vec<Weight> = text.split(';').map(parsed).collect();
    let mut last = Ok(x[0] * x[0]);
    let mut total = 0.0;
    for (number, (weight, e)) in weights.iter().zip(x).enumerate() {
        total += last.as_ref().unwrap_or(&0.25) * e;
        last = match weight {
            Weight::Number(w) if number % 2 == 0 => Ok(w * e.exp()),
            Weight::Number(w) => Ok(w + e.sin()),
            Weight::Name(name) => name.parse::<f64>(),
        };
    }
    total + last.unwrap_or(1.0)
}
