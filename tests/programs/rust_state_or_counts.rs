// check: array n=6,2
// Steps of a solver: a vector lies where an error has a count of four bytes, so optimised code moves it in halves.
#[derive(Debug)]
enum Error { Diverged { norm: f64, steps: u32 }, Bad(&'static str), Out(f64) }
#[derive(Debug, Clone)]
struct State { t: f64, y: Vec<f64>, steps: u32, rejected: u32, log: Vec<(u32, f64)> }
fn step(mut s: State, h: f64) -> Result<State, Error> {
    if s.y.is_empty() { return Err(Error::Bad("empty")); }
    let k: Vec<f64> = s.y.iter().map(|v| -v + s.t.sin()).collect();
    for (v, d) in s.y.iter_mut().zip(&k) { *v += h * d; }
    s.t += h; s.steps += 1;
    let norm = s.y.iter().map(|v| v * v).sum::<f64>().sqrt();
    if norm > 1e3 { return Err(Error::Diverged { norm, steps: s.steps }); }
    if norm < 1e-9 { s.rejected += 1; return Err(Error::Out(norm)); }
    if s.steps % 3 == 0 { s.log.push((s.steps, norm)); }
    Ok(s)
}
fn solve(x: &[f64]) -> Result<State, Error> {
    let mut s = State { t: 0.0, y: x.to_vec(), steps: 0, rejected: 0, log: Vec::new() };
    for _ in 0..10 { s = step(s, 0.1)?; }
    Ok(s)
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    match solve(x) {
        Ok(s) => s.y.iter().sum::<f64>() * s.steps as f64 + s.log.iter().map(|l| l.1 * l.0 as f64).sum::<f64>() + s.t,
        Err(Error::Diverged { norm, steps }) => norm * steps as f64,
        Err(Error::Out(v)) => v,
        Err(Error::Bad(_)) => 0.0,
    }
}
