// check: array n=5 flags=-Cpanic=unwind
// Built to unwind: calls that may panic stand in invokes, values are dropped on the way out.
struct Counted<'a>(&'a std::cell::Cell<u32>, Vec<f64>);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

#[inline(never)]
fn positive(v: f64) -> f64 {
    if v < 0.0 {
        panic!("{v} is negative");
    }
    v.sqrt()
}

fn summed(x: &[f64], count: &std::cell::Cell<u32>) -> f64 {
    let kept = Counted(count, x.iter().map(|v| positive(*v)).collect());
    let boxed: Vec<Box<dyn Fn(f64) -> f64>> = vec![Box::new(|v| positive(v) * 2.0), Box::new(|v| v * v)];
    let other = Counted(count, kept.1.iter().zip(boxed.iter().cycle()).map(|(v, f)| f(*v)).collect());
    other.1.iter().zip(&kept.1).map(|(a, b)| a * b).sum()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let count = std::cell::Cell::new(0);
    let sum = summed(x, &count);
    sum * count.get() as f64 + x[n as usize - 1]
}
