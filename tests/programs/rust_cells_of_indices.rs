// check: array n=6,2 refused=E0111@-O3
// Cells of numbers or of two short indices, merged around loops.
#[derive(Clone, Copy)]
enum Cell { Value(f64), Link(u32, u32), Empty }
fn next(c: Cell, x: f64, i: u32) -> Cell {
    match c {
        Cell::Value(v) if v > 2.0 => Cell::Link(i, i + 1),
        Cell::Value(v) => Cell::Value(v * 1.5 + x),
        Cell::Link(a, b) if a + b > 7 => Cell::Empty,
        Cell::Link(a, b) => Cell::Value(a as f64 * x + b as f64),
        Cell::Empty => Cell::Value(x * x),
    }
}
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut c = Cell::Empty;
    let mut s = 0.0;
    let mut kept = Vec::new();
    for r in 0..3 {
        for (i, v) in x.iter().enumerate() {
            c = next(c, *v, i as u32);
            if let Cell::Value(v) = c { s += v * v / (r + 1) as f64; }
            if let Cell::Link(a, _) = c { s += a as f64 * v; }
            kept.push(c);
        }
    }
    for k in kept.iter().rev() { if let Cell::Value(v) = next(*k, x[0], 2) { s += v; } }
    s
}
