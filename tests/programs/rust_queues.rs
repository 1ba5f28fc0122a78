// check: array n=8,3
// VecDeque as a window that slides, BinaryHeap with an order of its own: shortest paths, LinkedList.
use std::cmp::Ordering;
use std::collections::{BinaryHeap, LinkedList, VecDeque};

struct State {
    cost: f64,
    node: usize,
}
impl PartialEq for State {
    fn eq(&self, o: &State) -> bool {
        self.cost == o.cost
    }
}
impl Eq for State {}
impl PartialOrd for State {
    fn partial_cmp(&self, o: &State) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}
impl Ord for State {
    fn cmp(&self, o: &State) -> Ordering {
        o.cost.partial_cmp(&self.cost).unwrap_or(Ordering::Equal)
    }
}

fn shortest(x: &[f64]) -> f64 {
    let n = x.len();
    let mut cost = vec![f64::INFINITY; n];
    let mut heap = BinaryHeap::new();
    cost[0] = 0.0;
    heap.push(State { cost: 0.0, node: 0 });
    while let Some(State { cost: c, node }) = heap.pop() {
        if c > cost[node] {
            continue;
        }
        for next in [(node + 1) % n, (node * 2) % n, (node + 3) % n] {
            let c = c + x[node] * x[next];
            if c < cost[next] {
                cost[next] = c;
                heap.push(State { cost: c, node: next });
            }
        }
    }
    cost.iter().filter(|c| c.is_finite()).map(|c| c * c).sum()
}

fn moving(x: &[f64]) -> f64 {
    let mut window = VecDeque::with_capacity(2);
    let mut sum = 0.0;
    for &v in x {
        if window.len() == 3 {
            sum -= window.pop_front().unwrap_or(0.0) * 0.25;
        }
        window.push_back(v * v);
        sum += window.iter().sum::<f64>() / window.len() as f64;
    }
    window.push_front(sum.ln());
    window.iter().rev().fold(1.0, |p, v| p * v)
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut list: LinkedList<f64> = x.iter().copied().collect();
    list.push_front(x[1] * x[2]);
    let ends = list.pop_back().unwrap() * list.front().unwrap();
    shortest(x) + moving(x) + ends + list.iter().map(|v| v.cos()).sum::<f64>()
}
