// check: array n=5,2
// Rc<RefCell<…>>, Cell, Weak, Arc: a graph of nodes that share and change each other.
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;

struct Node {
    value: Cell<f64>,
    children: RefCell<Vec<Rc<Node>>>,
    parent: RefCell<Weak<Node>>,
}

fn node(value: f64) -> Rc<Node> {
    Rc::new(Node { value: Cell::new(value), children: RefCell::new(Vec::new()), parent: RefCell::new(Weak::new()) })
}

fn adopt(parent: &Rc<Node>, child: Rc<Node>) {
    *child.parent.borrow_mut() = Rc::downgrade(parent);
    parent.children.borrow_mut().push(child);
}

fn total(node: &Node) -> f64 {
    let above = node.parent.borrow().upgrade().map_or(1.0, |p| p.value.get());
    node.value.get() * above + node.children.borrow().iter().map(|c| total(c)).sum::<f64>()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let root = node(x[0]);
    for &v in &x[1..] {
        let child = node(v.sin());
        adopt(&child, node(v * v));
        adopt(&root, child);
    }
    let sum = Rc::new(RefCell::new(0.0));
    let other = Rc::clone(&sum);
    let add = move |v: f64| *other.borrow_mut() += v;
    add(total(&root));
    root.value.set(root.value.get() * 2.0);
    add(total(&root));
    let table: Arc<Vec<f64>> = Arc::new(x.iter().map(|v| v.exp()).collect());
    let again = Arc::clone(&table);
    add(table.iter().zip(again.iter().skip(1)).map(|(a, b)| a * b).sum());
    let result = *sum.borrow();
    result
}
