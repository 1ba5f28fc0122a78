// check: array n=5 refused=E0141@-O2-fno-inline
// Events in the order of their times, some of which have a number and some a count, a queue, and a map of what was served.
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::cmp::Ordering;
#[derive(Debug, Clone, Copy, PartialEq)]
struct Event { time: f64, kind: Kind }
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind { Arrive { size: f64 }, Leave(u32), Audit }
impl Eq for Event {}
impl PartialOrd for Event { fn partial_cmp(&self, o: &Self) -> Option<Ordering> { Some(self.cmp(o)) } }
impl Ord for Event { fn cmp(&self, o: &Self) -> Ordering { o.time.partial_cmp(&self.time).unwrap() } }
struct Station { queue: VecDeque<(u32, f64)>, served: BTreeMap<u32, f64>, rate: f64, busy: bool }
impl Station {
    fn start(&mut self, now: f64, heap: &mut BinaryHeap<Event>) -> Option<()> {
        if self.busy { return None; }
        let &(id, size) = self.queue.front()?;
        self.busy = true;
        heap.push(Event { time: now + size / self.rate, kind: Kind::Leave(id) });
        Some(())
    }
}
#[no_mangle]
pub unsafe extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = std::slice::from_raw_parts(x, n as usize);
    let mut heap = BinaryHeap::new();
    let mut at = 0.0;
    for (i, &v) in x.iter().enumerate() {
        at += 0.7 + 0.1 * v * v;
        heap.push(Event { time: at, kind: Kind::Arrive { size: 1.0 + v.sin().abs() * (i + 1) as f64 * 0.3 } });
    }
    heap.push(Event { time: 2.5, kind: Kind::Audit });
    let mut s = Station { queue: VecDeque::new(), served: BTreeMap::new(), rate: 1.0 + 0.1 * x[0], busy: false };
    let (mut id, mut cost) = (0, 0.0);
    while let Some(Event { time, kind }) = heap.pop() {
        match kind {
            Kind::Arrive { size } => { s.queue.push_back((id, size)); id += 1; }
            Kind::Leave(who) => { let (w, size) = s.queue.pop_front().unwrap(); debug_assert_eq!(w, who); s.served.insert(who, time * size); s.busy = false; }
            Kind::Audit => cost += s.queue.iter().map(|&(_, z)| z * z).sum::<f64>() * time,
        }
        s.start(time, &mut heap);
    }
    cost + s.served.iter().map(|(k, v)| v / (1 + k) as f64).sum::<f64>()
}
