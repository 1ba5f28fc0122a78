// check: array n=5
// A log-likelihood over nested data: Option fields, struct update, impl Trait, Iterator::unzip, partition, zip of three.
#[derive(Clone, Debug, Default)]
struct Prior {
    mean: f64,
    scale: f64,
    bound: Option<f64>,
}

struct Observation {
    at: f64,
    value: f64,
    weight: Option<f64>,
}

impl Prior {
    fn log_density(&self, x: f64) -> f64 {
        let z = (x - self.mean) / self.scale;
        let outside = self.bound.filter(|b| x > *b).map_or(0.0, |b| 10.0 * (x - b).powi(2));
        -0.5 * z * z - self.scale.ln() - outside
    }
}

fn residuals<'a>(data: &'a [Observation], p: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    data.iter().map(move |o| {
        let model = p[0] * (-p[1] * o.at).exp() + p[2] * (p[3] * o.at).cos();
        (o.value - model, o.weight.unwrap_or(1.0))
    })
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let p = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let data: Vec<Observation> = (0..10)
        .map(|i| Observation {
            at: 0.3 * i as f64,
            value: 1.0 / (1.0 + i as f64),
            weight: if i % 3 == 0 { Some(0.5) } else { None },
        })
        .collect();
    let base = Prior { mean: 1.0, scale: p[4], ..Prior::default() };
    let priors = [base.clone(), Prior { bound: Some(0.9), ..base.clone() }, Prior { mean: p[0] * 0.1, ..base }];
    let (differences, weights): (Vec<f64>, Vec<f64>) = residuals(&data, p).unzip();
    let (small, large): (Vec<f64>, Vec<f64>) = differences.iter().partition(|d| d.abs() < 0.4);
    let fit: f64 = differences.iter().zip(&weights).map(|(d, w)| w * d * d / (p[4] * p[4])).sum();
    let robust = small.iter().map(|d| d * d).sum::<f64>() + large.iter().map(|d| d.abs()).sum::<f64>();
    let prior: f64 = priors.iter().zip(p).map(|(prior, v)| prior.log_density(*v)).sum();
    prior - 0.5 * fit - robust
}
