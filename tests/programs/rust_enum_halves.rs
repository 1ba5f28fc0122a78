// check: array n=2 range=0.5:1.5 refused=E0110@-O0
// A vector in one variant where another has two short integers.
enum Kind { Finish { server: u32, job: u32 }, Audit(Vec<f64>) }
struct Event { at: f64, kind: Kind }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut list = Vec::new();
    for i in 0..2 { list.push(Event { at: x[i], kind: if i == 1 { Kind::Audit(x.to_vec()) } else { Kind::Finish { server: 1, job: i as u32 } } }); }
    let mut cost = 0.0;
    for Event { at, kind } in &list { cost += at * match kind { Kind::Finish { server, job } => (server + job) as f64, Kind::Audit(w) => w[0] * w[1] }; }
    cost
}
