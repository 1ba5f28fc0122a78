// check: array n=4 range=0.5:1.5
// Events in a heap, of which some bring a vector where others have a count.
use std::cmp::Ordering;
use std::collections::BinaryHeap;
enum Kind { Finish(u64), Audit(Vec<f64>) }
struct Event { at: f64, kind: Kind }
impl PartialEq for Event { fn eq(&self, o: &Self) -> bool { self.at == o.at } }
impl Eq for Event {}
impl PartialOrd for Event { fn partial_cmp(&self, o: &Self) -> Option<Ordering> { Some(self.cmp(o)) } }
impl Ord for Event { fn cmp(&self, o: &Self) -> Ordering { o.at.partial_cmp(&self.at).unwrap() } }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut heap = BinaryHeap::new();
    for (i, w) in x.iter().enumerate() {
        heap.push(Event { at: 2.0 * i as f64 + 0.1 * w, kind: if i == 1 { Kind::Audit(x.to_vec()) } else { Kind::Finish(i as u64) } });
    }
    let mut cost = 0.0;
    while let Some(Event { at, kind }) = heap.pop() {
        cost += match kind { Kind::Finish(k) => at * k as f64, Kind::Audit(w) => w.iter().map(|v| v * v).sum::<f64>() * at };
    }
    cost
}
