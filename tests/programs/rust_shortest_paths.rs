// check: array n=5,2,0 refused=E0110@-O0+-O2-fno-inline
// Lists of neighbours in a map: where an entry is empty its key lies in a word that is a pointer where it is not.
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

#[derive(Default)]
struct Graph {
    edges: HashMap<u32, Vec<(u32, f64)>>,
    marks: HashMap<u8, Vec<f64>>,
}

#[derive(Clone, Copy, PartialEq)]
struct Reached {
    cost: f64,
    node: u32,
    hops: u8,
}

impl Eq for Reached {}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| self.node.cmp(&other.node))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Graph {
    fn link(&mut self, a: u32, b: u32, length: f64) -> &mut Self {
        self.edges.entry(a).or_default().push((b, length));
        self.edges.entry(b).or_default().push((a, length * 1.1));
        self.marks.entry(b as u8 % 2).or_default().push(length);
        self
    }

    fn costs(&self, nodes: usize) -> Vec<f64> {
        let mut costs = vec![f64::INFINITY; nodes];
        let mut heap = BinaryHeap::new();
        heap.push(Reached { cost: 0.0, node: 0, hops: 0 });
        while let Some(Reached { cost, node, hops }) = heap.pop() {
            if cost >= costs[node as usize] {
                continue;
            }
            costs[node as usize] = cost;
            for &(to, length) in self.edges.get(&node).into_iter().flatten() {
                heap.push(Reached { cost: cost + length * (1.0 + 0.01 * hops as f64), node: to, hops: hops + 1 });
            }
        }
        costs
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut graph = Graph::default();
    for (i, value) in x.iter().enumerate() {
        let i = i as u32;
        graph.link(i, i + 1, value * value + 0.1).link(i, i + 2, value * value * 1.7 + 0.3);
    }
    let even: f64 = graph.marks.get(&0).map_or(0.0, |lengths| lengths.iter().sum());
    let costs = graph.costs(n as usize + 2);
    costs.iter().filter(|cost| cost.is_finite()).map(|cost| cost * cost).sum::<f64>() + even
}
