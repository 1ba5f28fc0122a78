// check: array n=8,1,0
// Adapters with state or choice: filter_map, scan, flat_map, take_while, skip_while, peekable, cycle, from_fn,
// successors, chain, inspect, max_by.
use std::iter;

fn score(x: &[f64]) -> f64 {
    let kept: f64 = x.iter().filter_map(|v| if *v > 0.8 { Some(v.sqrt()) } else { None }).sum();
    let running: f64 = x.iter().scan(1.0, |state, v| { *state *= v; Some(*state) }).sum();
    let nested: f64 = x.iter().flat_map(|a| x.iter().take(2).map(move |b| a * b)).sum();
    let front: f64 = x.iter().take_while(|v| **v < 1.3).map(|v| v * v).sum();
    let back: f64 = x.iter().skip_while(|v| **v < 1.3).map(|v| v * 3.0).sum();
    let mut ends = 0.0;
    let mut values = x.iter().copied().peekable();
    while let Some(v) = values.next() {
        ends += match values.peek() {
            Some(next) => v * next,
            None => v.exp(),
        };
    }
    let weights = [0.5, -1.0, 2.0];
    let cycled: f64 = x.iter().zip(weights.iter().cycle()).map(|(a, w)| a * a * w).sum();
    let mut position = 0;
    let made: f64 = iter::from_fn(|| {
        position += 1;
        x.get(position - 1).map(|v| v.cos())
    })
    .sum();
    let first = x.first().copied().unwrap_or(1.0);
    let series: f64 = iter::successors(Some(first), |v| if *v > 0.05 { Some(v * 0.5) } else { None }).sum();
    let both: f64 = x.iter().chain(x.iter().rev()).map(|v| v.powf(1.5)).sum();
    let largest = x.iter().copied().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap_or(0.0);
    kept + running + nested + front + back + ends + cycled + made + series + both + largest * largest
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    score(unsafe { std::slice::from_raw_parts(x, n as usize) })
}
