// check: array n=6 tol=1e-2 identity=1e-5 lenient=1 stopped=-O2-fno-inline
// Two floats in one variant, pointers in the others, four bytes behind the tag: the optimiser keeps them in memory of its own.
#![allow(dead_code, unused_variables, unused_mut, unused_imports)]
use std::rc::Rc;
#[derive(Clone)] struct M { f0: [f32;2] }
#[derive(Clone)] enum K { A(M), B(Box<f64>), C(Rc<f64>) }
fn make(v: f64, k: usize) -> K { match k%3 { 0 => K::A(M { f0: [(v) as f32, (v*0.5) as f32] }), 1 => K::B(Box::new((v*1.3).sin())), _ => K::C(Rc::new((v*1.3).sin())) } }
fn use_(r: &K) -> f64 { match r { K::A(m) => (m.f0[0] as f64*m.f0[1] as f64), K::B(e) => (*e.as_ref()), K::C(e) => (*e.as_ref()) } }
fn eat(r: K) -> f64 { match r { K::A(m) => (m.f0[0] as f64*m.f0[1] as f64), K::B(e) => (*e.as_ref()), K::C(e) => (*e.as_ref()) } }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut t = 0.0;
    let mut a: Vec<Box<K>> = Vec::new(); for k in 0..x.len() { a.push(Box::new(make(x[k], k))); } for r in a { t += eat(*r); }
    t
}
