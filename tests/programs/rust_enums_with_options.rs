// check: array n=4
// An enum whose variants share words of a number, a capacity and a pointer, beside an option that leaves some undefined.
#[derive(Clone)]
enum Part {
    Alone(f64),
    Series(Vec<f64>),
    Pair { values: Box<[f64; 2]>, inner: Option<Vec<Part>> },
}
use Part::*;

fn total(part: &Part) -> f64 {
    match part {
        Alone(v) => *v,
        Series(v) => v.iter().product(),
        Pair { values, inner } => {
            values[0] * values[1] + inner.as_ref().map_or(0.0, |parts| parts.iter().map(total).sum())
        }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let last = Pair { values: Box::new([x[3], x[0]]), inner: None };
    let part = Pair { values: Box::new([x[0], x[1]]), inner: Some(vec![Alone(x[2]), Series(x.to_vec()), last]) };
    total(&part.clone()) * total(&part)
}
