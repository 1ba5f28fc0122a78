// check: array n=12,25,1,0 level=-O2
// Sorted by the data itself: sort_by with partial_cmp, total_cmp, dedup, median, binary search.
fn score(x: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let ranked: f64 = sorted.iter().enumerate().map(|(i, v)| i as f64 * v * v).sum();
    let mut falling: Vec<f64> = x.iter().map(|v| v.sin()).collect();
    falling.sort_unstable_by(|a, b| b.total_cmp(a));
    let gaps: f64 = falling.windows(2).map(|w| (w[0] - w[1]).powi(2)).sum();
    sorted.dedup_by(|a, b| *a - *b < 0.05);
    let distinct: f64 = sorted.iter().sum();
    let median = if sorted.is_empty() { 0.0 } else { sorted[sorted.len() / 2] };
    let place = sorted.partition_point(|v| *v < 1.0);
    ranked + gaps + distinct * median + place as f64
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    score(unsafe { std::slice::from_raw_parts(x, n as usize) })
}
