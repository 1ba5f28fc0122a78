// check: array n=6 refused=E0110@-O2-fno-inline
// Maps whose keys are single bytes and whose values own memory: of each node on the way to the root one key is moved.
use std::collections::{BTreeMap, BTreeSet};

#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Side {
    Left,
    Middle,
    Right,
}
const SIDES: [Side; 3] = [Side::Left, Side::Middle, Side::Right];

fn removed(x: &[f64]) -> f64 {
    let mut map: BTreeMap<u8, Box<f64>> = BTreeMap::new();
    for round in 0..60u8 {
        map.insert(round, Box::new(x[round as usize % x.len()] * f64::from(round)));
    }
    let mut sum = 0.0;
    for round in (3..50).step_by(2) {
        sum += map.remove(&round).map_or(0.0, |value| value.sin());
    }
    sum + map.pop_first().map_or(0.0, |(_, v)| *v) + map.values().map(|v| **v * **v).sum::<f64>() * 1e-3
}

fn retained(x: &[f64]) -> f64 {
    let mut map: BTreeMap<Side, Vec<f64>> = BTreeMap::new();
    for (i, value) in x.iter().enumerate() {
        map.entry(SIDES[i % 3]).or_default().push(value * value);
    }
    map.retain(|side, _| *side != Side::Middle);
    let later = map.split_off(&Side::Right);
    map[&Side::Left].iter().sum::<f64>() * later[&Side::Right].iter().product::<f64>()
}

fn kept(x: &[f64]) -> f64 {
    let names: BTreeSet<u8> = "gradient".bytes().collect();
    let mut map: BTreeMap<u8, (f64, Option<Box<f64>>)> = BTreeMap::new();
    for (name, value) in names.iter().zip(x) {
        map.insert(*name, (value.exp(), Some(Box::new(*value))));
    }
    map.remove(&b'd').map_or(0.0, |(a, b)| a * b.map_or(1.0, |b| *b)) + map.values().map(|(a, _)| a).sum::<f64>()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    removed(x) + retained(x) + kept(x)
}
