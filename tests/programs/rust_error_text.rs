// check: array n=4
// Errors whose text is made with `format!`, beside numbers: in results, in a struct; empty texts, and growing ones.
struct Sample { value: f64, label: String, weight: f64 }

fn get(x: &[f64], i: usize) -> Result<f64, String> {
    x.get(i).copied().ok_or_else(|| format!("no variable {i} among {}", x.len()))
}

fn total(x: &[f64], k: usize) -> Result<f64, String> {
    if k == 0 { return get(x, 0); }
    let mut v = vec![];
    for i in 0..k { v.push(get(x, i).map_err(|e| format!("{e} (of {k})"))?); }
    Ok(v.iter().sum::<f64>() * total(x, k - 1)?)
}

fn samples(x: &[f64]) -> Vec<Sample> {
    x.iter().enumerate().map(|(i, v)| Sample { value: *v, label: format!("{:>1$}", "", i), weight: v * v }).collect()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let missing = match total(x, 9) { Ok(v) => v, Err(text) => text.len() as f64 };
    let mut s = samples(x);
    s.push(Sample { value: x[0], label: format!("{}-{}", s.len(), s[1].label), weight: 1.0 });
    total(x, x.len()).unwrap() + missing
        + s.iter().map(|s| s.value * s.weight * s.label.len() as f64).sum::<f64>()
}
