// check: array n=6,1,0 refused=E0100@-O2-fno-inline
// Option and Result with `?`, an error type of its own, and_then, map_or, ok_or, zip, take, get_or_insert_with.
use std::fmt;

#[derive(Debug)]
enum Failure {
    Empty,
    OutOfDomain { index: usize, value: f64 },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Empty => write!(f, "nothing"),
            Failure::OutOfDomain { index, value } => write!(f, "{value} at {index}"),
        }
    }
}

impl std::error::Error for Failure {}

fn root(x: &[f64], index: usize) -> Result<f64, Failure> {
    let value = *x.get(index).ok_or(Failure::Empty)?;
    if value > 1.4 {
        return Err(Failure::OutOfDomain { index, value });
    }
    Ok((2.0 - value).sqrt())
}

fn both(x: &[f64], i: usize) -> Result<f64, Box<dyn std::error::Error>> {
    let a = root(x, i)?;
    let b = root(x, i + 1)?;
    Ok(a * b)
}

fn mean(x: &[f64]) -> Option<f64> {
    let first = x.first()?;
    Some(x.iter().fold(-first, |s, v| s + 2.0 * v) / x.len() as f64)
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += match both(x, i) {
            Ok(v) => v,
            Err(e) if e.to_string() == "nothing" => 0.5 * x[i],
            Err(_) => x[i] * x[i],
        };
    }
    let all: Result<Vec<f64>, Failure> = (0..x.len()).map(|i| root(x, i)).collect();
    sum += all.map_or_else(|_| 1.0, |v| v.iter().product());
    let m = mean(x);
    sum += m.and_then(|v| if v > 0.1 { Some(v.ln()) } else { None }).unwrap_or(0.25);
    sum += m.zip(x.last().copied()).map_or(0.0, |(a, b)| a * b);
    let mut kept = None;
    sum += *kept.get_or_insert_with(|| x.iter().sum::<f64>()) * 2.0;
    sum + kept.take().unwrap_or_default()
}
