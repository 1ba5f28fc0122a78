// check: array n=8,1,0 level=-O2
// Maps and sets from names and numbers to indices of active data: HashMap, BTreeMap, HashSet, ranges, entries.
use std::collections::{BTreeMap, HashMap, HashSet};

struct Registry {
    by_name: HashMap<String, usize>,
    by_rank: BTreeMap<usize, Vec<usize>>,
}

impl Registry {
    fn new(n: usize) -> Registry {
        let mut by_name = HashMap::new();
        let mut by_rank: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for i in 0..n {
            by_name.insert(format!("site {}", 7 * i % 5), i);
            by_rank.entry(3 * i % 4).or_default().push(i);
        }
        Registry { by_name, by_rank }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let registry = Registry::new(x.len());
    let mut sum = 0.0;
    for k in 0..5 {
        if let Some(&i) = registry.by_name.get(&format!("site {k}")) {
            sum += x[i] * x[i] * (k + 1) as f64;
        }
    }
    for (rank, members) in registry.by_rank.range(1..) {
        sum += members.iter().map(|&i| x[i].sin()).product::<f64>() * *rank as f64;
    }
    let mut seen = HashSet::new();
    sum += x.iter().enumerate().filter(|(i, _)| seen.insert(i * i % 5)).map(|(_, v)| v.exp()).sum::<f64>();
    sum
}
