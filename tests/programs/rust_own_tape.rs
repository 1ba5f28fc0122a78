// check: array n=8,2 refused=E0143@-O0
// A tape and its gradient, written by the user: indices lie where other operations keep numbers.
use std::cell::RefCell;
use std::ops::{Add, Mul, Neg, Sub};
use std::rc::Rc;
#[derive(Clone, Copy)]
enum Op {
    Leaf,
    Add(usize, usize),
    Mul(usize, usize),
    Sin(usize),
    Scale(usize, f64),
}
struct Tape {
    nodes: Vec<(f64, Op)>,
}
#[derive(Clone)]
struct Var {
    tape: Rc<RefCell<Tape>>,
    at: usize,
}
impl Var {
    fn new(tape: &Rc<RefCell<Tape>>, v: f64) -> Var {
        Self::push(tape, v, Op::Leaf)
    }
    fn push(tape: &Rc<RefCell<Tape>>, v: f64, op: Op) -> Var {
        let mut t = tape.borrow_mut();
        t.nodes.push((v, op));
        Var {
            tape: tape.clone(),
            at: t.nodes.len() - 1,
        }
    }
    fn value(&self) -> f64 {
        self.tape.borrow().nodes[self.at].0
    }
    fn sin(&self) -> Var {
        Self::push(&self.tape, self.value().sin(), Op::Sin(self.at))
    }
    fn grad(&self) -> Vec<f64> {
        let t = self.tape.borrow();
        let mut g = vec![0.0; t.nodes.len()];
        g[self.at] = 1.0;
        for i in (0..t.nodes.len()).rev() {
            let d = g[i];
            match t.nodes[i].1 {
                Op::Leaf => {}
                Op::Add(a, b) => {
                    g[a] += d;
                    g[b] += d;
                }
                Op::Mul(a, b) => {
                    g[a] += d * t.nodes[b].0;
                    g[b] += d * t.nodes[a].0;
                }
                Op::Sin(a) => g[a] += d * t.nodes[a].0.cos(),
                Op::Scale(a, k) => g[a] += d * k,
            }
        }
        g
    }
}
impl Add for &Var {
    type Output = Var;
    fn add(self, o: &Var) -> Var {
        Var::push(&self.tape, self.value() + o.value(), Op::Add(self.at, o.at))
    }
}
impl Mul for &Var {
    type Output = Var;
    fn mul(self, o: &Var) -> Var {
        Var::push(&self.tape, self.value() * o.value(), Op::Mul(self.at, o.at))
    }
}
impl Neg for &Var {
    type Output = Var;
    fn neg(self) -> Var {
        Var::push(&self.tape, -self.value(), Op::Scale(self.at, -1.0))
    }
}
impl Sub for &Var {
    type Output = Var;
    fn sub(self, o: &Var) -> Var {
        self + &-o
    }
}
#[no_mangle]
pub unsafe extern "C" fn objective(x: *mut f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let tape = Rc::new(RefCell::new(Tape { nodes: Vec::new() }));
    let vars: Vec<Var> = x.iter().map(|&v| Var::new(&tape, v)).collect();
    let mut s = vars[0].clone();
    for v in &vars {
        s = &(&s * v).sin() + v;
    }
    let t = &s - &(&vars[0] * &vars[1]);
    let g = t.grad();
    g.iter().take(x.len()).map(|v| v * v).sum::<f64>() + t.value()
}
