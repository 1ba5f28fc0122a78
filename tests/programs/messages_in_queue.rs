// check: array n=5 range=0.4:1.5 refused=E0110@-O1
//! A queue of messages: one has shared numbers where others have an id of two bytes, or a vector.
use std::rc::Rc;
enum Msg { Tick { dt: f64, id: u16 }, Pair { a: Rc<f64>, b: Rc<f64> }, Batch { w: f64, all: Vec<u8> }, Stop }
fn apply(m: &Msg) -> f64 { match m { Msg::Tick { dt, id } => dt * *id as f64, Msg::Pair { a, b } => (**a * **b).sin(), Msg::Batch { w, all } => w * w * all.len() as f64, Msg::Stop => 0.0 } }
fn msg(k: usize, v: f64, last: &Rc<f64>) -> Msg { match k { 0 | 3 => Msg::Tick { dt: v, id: k as u16 + 1 }, 1 => Msg::Batch { w: v, all: vec![7; 3] }, 2 | 4 => Msg::Pair { a: Rc::new(v), b: last.clone() }, _ => Msg::Stop } }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let last = Rc::new(x[0] + x[4]);
    let mut queue = std::collections::VecDeque::new();
    for (k, v) in x.iter().enumerate() { queue.push_back(msg(k, *v, &last)); }
    let mut s = 0.0;
    while let Some(m) = queue.pop_front() { s += apply(&m); }
    s + *last
}
