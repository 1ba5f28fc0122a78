// check: array n=10 refused=E0110@-O2-fno-inline
// Hash tables with elements of two sizes, and queues: without optimisation one function moves elements of either size.
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet, VecDeque, BinaryHeap};
use std::rc::{Rc, Weak};
use std::cmp::Reverse;
struct Node { value: Cell<f64>, next: RefCell<Vec<Rc<Node>>>, parent: RefCell<Weak<Node>>, id: usize }
fn node(id: usize, v: f64) -> Rc<Node> { Rc::new(Node { value: Cell::new(v), next: RefCell::default(), parent: RefCell::default(), id }) }
fn sum(n: &Rc<Node>, seen: &mut HashSet<usize>) -> f64 {
    if !seen.insert(n.id) { return 0.0 }
    let up = n.parent.borrow().upgrade().map_or(1.0, |p| p.value.get());
    n.value.get() * up + n.next.borrow().iter().map(|c| sum(c, seen)).sum::<f64>()
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let nodes: Vec<_> = x.iter().enumerate().map(|(i, &v)| node(i, v)).collect();
    for i in 1..nodes.len() {
        let p = &nodes[(i - 1) / 2];
        p.next.borrow_mut().push(nodes[i].clone());
        *nodes[i].parent.borrow_mut() = Rc::downgrade(p);
    }
    let mut queue = VecDeque::from([nodes[0].clone()]);
    let mut order = vec![];
    while let Some(at) = queue.pop_front() { order.push(at.id); for c in at.next.borrow().iter() { queue.push_back(c.clone()); } }
    for w in order.windows(2) { let (a, b) = (&nodes[w[0]], &nodes[w[1]]); b.value.set(b.value.get() + 0.5 * a.value.get() * a.value.get()); }
    let mut groups: HashMap<usize, Vec<f64>> = HashMap::new();
    for c in nodes.iter() { groups.entry(c.id % 3).or_default().push(c.value.get()); }
    let mut heap = BinaryHeap::new();
    for k in groups.keys() { heap.push(Reverse(*k)); }
    let mut extra = 0.0;
    while let Some(Reverse(k)) = heap.pop() { extra = extra * 0.5 + groups[&k].iter().product::<f64>(); }
    sum(&nodes[0], &mut HashSet::new()) + extra
}
