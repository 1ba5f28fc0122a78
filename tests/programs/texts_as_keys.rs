// check: array n=6
// Tables whose keys are texts, and whose hashes count with the lengths of these: where other entries have pointers.
use std::collections::HashMap;

fn owned(x: &[f64]) -> f64 {
    let mut of: HashMap<String, f64> = HashMap::new();
    let names = ["wind", "rain", "sun"];
    for (i, value) in x.iter().enumerate() {
        *of.entry(names[i % 3].to_string()).or_default() += value.exp();
    }
    names.iter().enumerate().map(|(i, key)| of[*key] * (i as f64 + 0.5)).sum()
}

fn borrowed(x: &[f64]) -> f64 {
    let mut of: HashMap<&str, Vec<f64>> = HashMap::new();
    let names = ["a", "quite long name of a station", "c"];
    for (i, value) in x.iter().enumerate() {
        of.entry(names[i % 3]).or_default().push(value * value);
    }
    names.iter().map(|key| of[key].iter().product::<f64>()).sum()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    owned(x) * borrowed(x)
}
