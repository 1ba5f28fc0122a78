// check: array n=6 refused=E0113@-O2-fno-inline
// Maps in trees whose entries are looked up, changed, copied and removed.
use std::collections::BTreeMap;
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut out = 0.0;
    for i in 0..2 {
        let mut map: BTreeMap<usize, f64> = BTreeMap::new();
        for j in 0..4 { *map.entry(j % 3).or_insert(0.3) += x[j] * 0.7; }
        if let Some(v) = map.get_mut(&2) { *v = f64::sin(*v + x[1]); }
        map.insert(9, x[(i + x.len()) % 4]);
        { let mut copy = map.clone(); copy.insert(1, x[0] * x[5]); std::mem::swap(&mut map, &mut copy); }
        map.remove(&0);
        map.entry(1).and_modify(|v| *v = v.tanh()).or_insert_with(|| 0.3);
        for (k, v) in map.iter_mut() { *v = f64::sin(*v * x[i] + 0.1 * *k as f64); }
        out += map.values().sum::<f64>();
    }
    out
}
