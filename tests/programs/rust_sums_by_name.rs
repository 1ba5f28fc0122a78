// check: array n=5,1,0 stopped=-O2-fno-inline
// Sums under names that are made while it runs, in a tree whose nodes have the names and the numbers side by side.
use std::collections::BTreeMap;

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (i, value) in x.iter().enumerate() {
        *sums.entry(format!("species {}", i % 3)).or_insert(0.1) += value;
        sums.insert(format!("{i}"), value.sin());
    }
    if let Some(last) = sums.get_mut("species 1") {
        *last *= x[0];
    }
    sums.remove("2");
    sums.iter().map(|(name, sum)| sum * sum * name.len() as f64).sum()
}
