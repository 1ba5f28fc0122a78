// check: array n=4 stopped=-O2-fno-inline
// Optional jobs of stations in a map, which vectors of jobs give and take.
use std::collections::BTreeMap;
#[derive(Clone, Copy)]
struct Job { id: u16, urgent: bool, wear: f64 }
#[derive(Default)]
struct Station { waiting: Vec<Job>, current: Option<Job>, tool: f64 }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut m: BTreeMap<u8, Station> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() { m.entry((i % 2) as u8).or_default().waiting.push(Job { id: i as u16, urgent: i > 2, wear: *v }); }
    for st in m.values_mut() { st.current = st.waiting.pop(); st.tool = st.current.map_or(0.5, |j| j.wear * j.id as f64); }
    m.values().map(|s| s.tool * s.tool).sum::<f64>()
}
