// check: array n=8,1,0 refused=E0111 level=-O2
// Active numbers in the nodes of a HashMap and a BTreeMap, beside integers that are counted with: entry, or_insert, get_mut, iteration, range, remove, retain.
use std::collections::{BTreeMap, HashMap, HashSet};

fn score(x: &[f64]) -> f64 {
    let mut sums: HashMap<usize, f64> = HashMap::new();
    for (i, v) in x.iter().enumerate() {
        *sums.entry(i % 3).or_insert(0.0) += v * v;
    }
    if let Some(v) = sums.get_mut(&1) {
        *v = v.sqrt();
    }
    let mut seen = HashSet::new();
    let fresh: f64 = x.iter().enumerate().filter(|(i, _)| seen.insert(i * i % 5)).map(|(_, v)| v.sin()).sum();
    let mut tree: BTreeMap<i32, f64> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        *tree.entry((7 * i as i32) % 11).or_default() += v * 0.5;
    }
    let first: f64 = tree.range(..5).map(|(k, v)| *k as f64 * v).sum();
    let removed = tree.remove(&7).unwrap_or(1.0);
    tree.retain(|k, _| k % 2 == 0);
    let rest: f64 = tree.values().product();
    sums.values().sum::<f64>() + fresh + first * removed + rest + sums.get(&2).copied().unwrap_or(0.0)
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    score(unsafe { std::slice::from_raw_parts(x, n as usize) })
}
