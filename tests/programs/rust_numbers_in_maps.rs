// check: array n=8,1,30 level=-O2
// Active numbers in the nodes of a HashMap and a BTreeMap, beside keys: entry, or_insert, get_mut, iteration, range, remove.
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

/// The order of iteration is the same each time: sums are to be equal to the last bit.
#[derive(Default)]
struct Multiplied(u64);

impl Hasher for Multiplied {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(*b as u64));
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

fn score(x: &[f64]) -> f64 {
    let mut sums: HashMap<u64, f64, BuildHasherDefault<Multiplied>> = HashMap::default();
    for (i, v) in x.iter().enumerate() {
        *sums.entry(i as u64 % 20 * 3).or_insert(0.0) += v * v;
    }
    if let Some(v) = sums.get_mut(&6) {
        *v = v.sqrt();
    }
    let moved = sums.remove(&3).unwrap_or(0.5);
    let scattered: f64 = sums.iter().map(|(k, v)| *k as f64 * v).sum();
    let mut tree: BTreeMap<i32, f64> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        *tree.entry((7 * i as i32) % 31).or_default() += v * 0.5;
    }
    let first: f64 = tree.range(..5).map(|(k, v)| *k as f64 * v).sum();
    let removed = tree.remove(&7).unwrap_or(1.0);
    let rest: f64 = tree.values().product();
    sums[&0] * moved + scattered + first * removed + rest + tree.get(&14).copied().unwrap_or(0.0)
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    score(unsafe { std::slice::from_raw_parts(x, n as usize) })
}
