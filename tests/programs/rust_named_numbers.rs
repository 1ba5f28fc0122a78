// check: array n=8,1 level=-O2
// Active numbers by name: a map with strings as keys, which own memory beside the numbers, and random keys of its hash.
use std::collections::HashMap;

const NAMES: [&str; 5] = ["mass", "length", "time", "charge", "heat"];

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut sums: HashMap<String, f64> = HashMap::new();
    for (i, v) in x.iter().enumerate() {
        *sums.entry(NAMES[i % 5].to_string()).or_insert(0.0) += v * v;
    }
    sums["mass"].sin() * sums.get("charge").copied().unwrap_or(2.0)
}
