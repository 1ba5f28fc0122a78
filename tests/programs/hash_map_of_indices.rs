// check: array n=10 refused=E0110@-O2-fno-inline
// A graph whose edges have lengths, and lists of edges by node in a hash table: integers and vectors of integers are moved
// as bytes when the table grows, and what a shadow has of them goes along, and is given back.
use std::collections::HashMap;

struct Graph {
    lengths: Vec<f64>,
    ends: Vec<usize>,
    leaving: HashMap<usize, Vec<usize>>,
}

impl Graph {
    fn connect(&mut self, from: usize, to: usize, length: f64) {
        let edge = self.lengths.len();
        self.lengths.push(length);
        self.ends.push(to);
        self.leaving.entry(from).or_default().push(edge);
    }

    /// The soft minimum of the lengths of all ways from a node with so many steps at most.
    fn distance(&self, node: usize, steps: u32) -> f64 {
        if steps == 0 {
            return 0.1 * node as f64;
        }
        match self.leaving.get(&node) {
            None => 1.0,
            Some(edges) => {
                let ways = edges.iter().map(|&e| self.lengths[e] * self.lengths[e] + self.distance(self.ends[e], steps - 1));
                -ways.map(|way| (-way).exp()).sum::<f64>().ln()
            }
        }
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut graph = Graph { lengths: vec![], ends: vec![], leaving: HashMap::new() };
    for (k, &length) in x.iter().enumerate() {
        graph.connect(k % 7, (k * 3 + 1) % 7, length);
        graph.connect(k % 5, (k * 2 + 3) % 7, 0.5 * length + 0.2);
    }
    graph.distance(0, 3) + graph.distance(1, 2)
}
