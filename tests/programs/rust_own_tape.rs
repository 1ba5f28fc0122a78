// check: array n=5 range=0.5:1.5
// A reverse-mode tape of its own: an arena behind Rc and RefCell, handles with operators, an enum of operations with
// indices where others have a factor.
use std::cell::RefCell;
use std::ops::{Add, Mul, Neg, Sub};
use std::rc::Rc;
#[derive(Clone, Copy)]
enum Op { Input, Sum(usize, usize), Prod(usize, usize), Scale(usize, f64), Exp(usize) }
struct Node { op: Op, value: f64 }
#[derive(Clone, Default)]
struct Tape { nodes: Rc<RefCell<Vec<Node>>> }
#[derive(Clone)]
struct Var { tape: Tape, id: usize }
impl Tape {
    fn push(&self, op: Op, value: f64) -> Var {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { op, value });
        Var { tape: self.clone(), id: nodes.len() - 1 }
    }
    fn gradient(&self, of: &Var) -> Vec<f64> {
        let nodes = self.nodes.borrow();
        let mut adj = vec![0.0; nodes.len()];
        adj[of.id] = 1.0;
        for (i, node) in nodes.iter().enumerate().rev() {
            let a = adj[i];
            match node.op {
                Op::Input => {}
                Op::Sum(l, r) => { adj[l] += a; adj[r] += a; }
                Op::Prod(l, r) if l == r => adj[l] += 2.0 * a * nodes[l].value,
                Op::Prod(l, r) => { adj[l] += a * nodes[r].value; adj[r] += a * nodes[l].value; }
                Op::Scale(k, c) => adj[k] += a * c,
                Op::Exp(k) => adj[k] += a * node.value,
            }
        }
        adj
    }
}
impl Var {
    fn value(&self) -> f64 { self.tape.nodes.borrow()[self.id].value }
    fn exp(&self) -> Var { self.tape.push(Op::Exp(self.id), self.value().exp()) }
    fn scale(&self, c: f64) -> Var { self.tape.push(Op::Scale(self.id, c), self.value() * c) }
}
impl Add for &Var { type Output = Var; fn add(self, o: &Var) -> Var { self.tape.push(Op::Sum(self.id, o.id), self.value() + o.value()) } }
impl Mul for &Var { type Output = Var; fn mul(self, o: &Var) -> Var { self.tape.push(Op::Prod(self.id, o.id), self.value() * o.value()) } }
impl Neg for &Var { type Output = Var; fn neg(self) -> Var { self.scale(-1.0) } }
impl Sub for &Var { type Output = Var; fn sub(self, o: &Var) -> Var { self + &(-o) } }

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let tape = Tape::default();
    let vars: Vec<Var> = x.iter().map(|&v| tape.push(Op::Input, v)).collect();
    let mut acc = vars[0].clone();
    for pair in vars.windows(2) {
        let d = &pair[1] - &pair[0];
        let e = (&(-&(&d * &d))).exp();
        acc = &(&acc * &pair[1].scale(x[0])) + &e;
    }
    let g = tape.gradient(&acc);
    acc.value() + vars.iter().zip(x).map(|(v, x)| g[v.id] * x.sin()).sum::<f64>()
}
