// check: array n=6 refused=E0110@-O2-fno-inline
// Hash tables whose values own memory, and keys of several sizes: a table that grows moves its entries word by word,
// as bytes of any type.
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

#[derive(Hash, PartialEq, Eq, Clone, Copy, PartialOrd, Ord)]
enum Kind {
    Heavy,
    Light(u8),
}

#[derive(Default)]
struct Group {
    members: Vec<f64>,
    weight: f64,
    label: Option<Box<f64>>,
}

fn grouped(x: &[f64]) -> f64 {
    let mut groups: HashMap<u8, Vec<f64>> = HashMap::new();
    for (i, value) in x.iter().enumerate() {
        groups.entry((i % 3) as u8).or_default().push(*value);
    }
    for i in 0..40u8 {
        groups.insert(100 + i, vec![x[i as usize % x.len()] * f64::from(i)]);
    }
    groups.remove(&110);
    let mut keys: Vec<u8> = groups.keys().copied().collect();
    keys.sort_unstable(); // the order in the table is another one each time
    keys.iter().map(|key| (f64::from(*key) + 1.0) * groups[key].iter().map(|v| v * v).sum::<f64>()).sum()
}

fn by_name(x: &[f64]) -> f64 {
    let names = ["north", "south", "east", "west", "up", "down"];
    let mut table: HashMap<String, Group> = HashMap::new();
    for (i, value) in x.iter().enumerate() {
        let group = table.entry(names[i % names.len()].to_string()).or_default();
        group.members.push(*value);
        group.weight += value.sin();
        group.label = Some(Box::new(value * 2.0));
    }
    names
        .iter()
        .filter_map(|name| table.get(*name))
        .map(|g| g.weight * g.members.iter().sum::<f64>() + g.label.as_ref().map_or(0.0, |b| b.powi(2)))
        .sum()
}

fn graph(x: &[f64]) -> f64 {
    let n = x.len();
    let mut edges: HashMap<(u32, u32), Rc<f64>> = HashMap::with_capacity(2);
    let mut near: HashMap<usize, Vec<(usize, f64)>> = HashMap::new();
    for i in 0..n {
        for j in [i + 1, i + 2] {
            let length = (x[i] - x[j % n]).powi(2) + 1.0;
            edges.insert((i as u32, (j % n) as u32), Rc::new(length));
            near.entry(i).or_default().push((j % n, length));
        }
    }
    let mut seen = HashSet::new();
    let mut total = 0.0;
    let mut at = 0;
    while seen.insert(at) {
        let (next, length) = near[&at][0];
        total += length * *edges[&(at as u32, next as u32)];
        at = next;
    }
    total
}

fn by_kind(x: &[f64]) -> f64 {
    let mut of: HashMap<Kind, BTreeMap<u8, Vec<f64>>> = HashMap::new();
    for (i, value) in x.iter().enumerate() {
        let kind = if i % 2 == 0 { Kind::Heavy } else { Kind::Light(i as u8) };
        of.entry(kind).or_default().entry(i as u8 % 4).or_insert_with(Vec::new).push(value.exp());
    }
    let mut kinds: Vec<_> = of.into_iter().collect();
    kinds.sort_by_key(|(kind, _)| *kind);
    kinds.iter().enumerate().map(|(i, (_, map))| (i as f64 + 0.5) * map.values().flatten().product::<f64>()).sum()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    grouped(x) + by_name(x) + graph(x) + by_kind(x)
}
