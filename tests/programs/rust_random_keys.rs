// check: array n=5,2 level=-O2
// Hash maps whose hashes begin with random keys, which differ from map to map; numbers and vectors of
// numbers are their values.
use std::collections::HashMap;

fn numbers(x: &[f64]) -> f64 {
    let mut map: HashMap<usize, f64> = Default::default();
    for (i, v) in x.iter().enumerate() {
        *map.entry(i + 1).or_insert(0.2) += v * 0.7;
    }
    map.insert(9, x[1]);
    map.entry(1).and_modify(|v| *v = v.tanh()).or_insert_with(|| 0.3);
    for (k, v) in map.iter_mut() {
        *v = (*v * x[0] + 0.1 * *k as f64).sin();
    }
    let mut sums = [0.0; 10];
    for (k, v) in map.into_iter() {
        sums[k] = v.sin();
    }
    sums.iter().sum()
}

fn lists(x: &[f64]) -> f64 {
    let mut lists: HashMap<usize, Vec<f64>> = HashMap::new();
    for (i, v) in x.iter().enumerate() {
        lists.entry(i % 3).or_default().push(*v);
    }
    for list in lists.values_mut() {
        let sum = list.iter().sum::<f64>();
        list.push(sum.sin());
    }
    (0..x.len().min(3)).map(|k| lists[&k][0] * lists[&k][lists[&k].len() - 1]).sum()
}

#[no_mangle]
pub unsafe extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    numbers(x) * lists(x)
}
