// gmm.c in Rust.
use std::slice::from_raw_parts;

extern "C" {
    fn lgamma(x: f64) -> f64;
}

fn log_sum_exp(x: &[f64]) -> f64 {
    let top = x.iter().copied().fold(x[0], |a, b| if b > a { b } else { a });
    top + x.iter().map(|v| (v - top).exp()).sum::<f64>().ln()
}

fn squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// out = Q v, Q lower triangular with diagonal `diag` and columns `low`.
fn lower_times(diag: &[f64], low: &[f64], v: &[f64], out: &mut [f64]) {
    for ((out, diag), v) in out.iter_mut().zip(diag).zip(v) {
        *out = diag * v;
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

fn log_gamma_distrib(a: f64, p: i32) -> f64 {
    let constant = 0.25 * (p * (p - 1)) as f64 * std::f64::consts::PI.ln();
    constant + (1..=p).map(|j| unsafe { lgamma(a + 0.5 * (1 - j) as f64) }).sum::<f64>()
}

#[cfg_attr(not(differentiated), export_name = "gmm_objective")]
#[cfg_attr(differentiated, export_name = "gmm_objective_differentiated")]
pub unsafe extern "C" fn objective(
    d: i32, k: i32, n: i32, alphas: *const f64, means: *const f64, icf: *const f64, data: *const f64, gamma: f64, m: i32,
) -> f64 {
    let (dim, count, width) = (d as usize, k as usize, (d + d * (d - 1) / 2) as usize);
    let (alphas, means) = (from_raw_parts(alphas, count), from_raw_parts(means, count * dim));
    let (icf, data) = (from_raw_parts(icf, count * width), from_raw_parts(data, n as usize * dim));
    let logdet: Vec<f64> = icf.chunks_exact(width).map(|q| q[..dim].iter().sum()).collect();
    let diag: Vec<f64> = icf.chunks_exact(width).flat_map(|q| q[..dim].iter().map(|v| v.exp())).collect();
    let (mut centred, mut scaled, mut term) = (vec![0.0; dim], vec![0.0; dim], vec![0.0; count]);
    let mut fit = 0.0;
    for point in data.chunks_exact(dim) {
        for c in 0..count {
            for i in 0..dim {
                centred[i] = point[i] - means[c * dim + i];
            }
            let low = &icf[c * width + dim..(c + 1) * width];
            lower_times(&diag[c * dim..(c + 1) * dim], low, &centred, &mut scaled);
            term[c] = alphas[c] + logdet[c] - 0.5 * squares(&scaled);
        }
        fit += log_sum_exp(&term);
    }
    let mut prior = 0.0;
    for c in 0..count {
        let frobenius = squares(&diag[c * dim..(c + 1) * dim]) + squares(&icf[c * width + dim..(c + 1) * width]);
        prior += 0.5 * gamma * gamma * frobenius - m as f64 * logdet[c];
    }
    let dof = d + m + 1;
    let wishart = (dof * d) as f64 * (gamma.ln() - 0.5 * 2f64.ln()) - log_gamma_distrib(0.5 * dof as f64, d);
    let constant = -(n * d) as f64 * 0.5 * (2.0 * std::f64::consts::PI).ln();
    constant + fit - n as f64 * log_sum_exp(alphas) + prior - k as f64 * wishart
}
