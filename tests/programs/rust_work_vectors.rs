// check: array n=5,2,1,0
// Work vectors made once and filled again in each round, which may be empty; columns taken off a slice one by one.
struct Work {
    centred: Vec<f64>,
    scaled: Vec<f64>,
    terms: Vec<f64>,
}

/// out = L v, L lower triangular with the columns in `low`, one after the other.
fn lower_times(low: &[f64], v: &[f64], out: &mut [f64]) {
    for (out, v) in out.iter_mut().zip(v) {
        *out = v.sin();
    }
    let mut rest = low;
    for (i, &v) in v.iter().enumerate() {
        let (column, after) = rest.split_at(out.len() - i - 1);
        for (out, low) in out[i + 1..].iter_mut().zip(column) {
            *out += low * v;
        }
        rest = after;
    }
}

fn soft_max(x: &[f64]) -> f64 {
    let top = x.iter().copied().fold(f64::MIN, f64::max);
    top + x.iter().map(|v| (v - top).exp()).sum::<f64>().ln()
}

fn score(points: &[f64], low: &[f64], shifts: &[f64], work: &mut Work) -> f64 {
    let dim = work.centred.len();
    let mut total = 0.0;
    for point in points.chunks_exact(dim.max(1)) {
        for (term, shift) in work.terms.iter_mut().zip(shifts) {
            for i in 0..dim {
                work.centred[i] = point[i] - shift * (i as f64 + 1.0);
            }
            lower_times(low, &work.centred, &mut work.scaled);
            *term = work.scaled.iter().map(|v| v * v).sum::<f64>() * -0.5 + shift;
        }
        total += soft_max(&work.terms);
    }
    total
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let dim = n as usize;
    let low: Vec<f64> = (0..dim * dim).map(|i| x[i % dim] * 0.25 + 0.1).collect();
    let points: Vec<f64> = (0..dim * 3).map(|i| x[i % dim] * (i as f64 - 2.0)).collect();
    let mut work = Work { centred: vec![0.0; dim], scaled: vec![0.0; dim], terms: vec![0.0; 3] };
    let first = x.first().copied().unwrap_or(0.5);
    score(&points, &low, &[0.3, -0.2, first * 0.5], &mut work)
}
