// check: array n=7
// Nodes numbered by name in a hash map behind a RefCell: a length goes through an enum where a pointer is otherwise.
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Clone, Copy)]
struct Node(usize);

struct Circuit {
    nodes: RefCell<HashMap<String, Node>>,
    devices: RefCell<Vec<Rc<(Node, f64)>>>,
    gmin: f64,
}

impl Circuit {
    #[inline(never)]
    fn node(&self, name: &str) -> Node {
        let mut map = self.nodes.borrow_mut();
        let next = Node(map.len());
        *map.entry(name.to_string()).or_insert(next)
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let circuit = Circuit { nodes: RefCell::default(), devices: RefCell::default(), gmin: x[0] };
    circuit.node("gnd");
    for word in "in mid out gnd in last".split_whitespace() {
        let node = circuit.node(word);
        circuit.devices.borrow_mut().push(Rc::new((node, x[node.0] * circuit.gmin)));
    }
    let sum = circuit.devices.borrow().iter().map(|d| d.0 .0 as f64 * d.1).sum::<f64>();
    let named = circuit.nodes.borrow().len() as f64;
    sum + named * x[1] * x[2]
}
