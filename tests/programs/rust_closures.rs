// check: array n=5,1
// Closures that borrow, move and change what they capture; boxed, in a vector, returned, passed as generic and as dyn.
fn composed(f: impl Fn(f64) -> f64, g: impl Fn(f64) -> f64) -> impl Fn(f64) -> f64 {
    move |x| g(f(x))
}

fn power(k: f64) -> Box<dyn Fn(f64) -> f64> {
    if k > 1.0 {
        Box::new(move |x| x.powf(k))
    } else {
        Box::new(move |x| x * k)
    }
}

fn repeated(times: usize, f: &mut dyn FnMut(f64)) {
    for i in 0..times {
        f(i as f64);
    }
}

fn simpson<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let inner: f64 = (1..n).map(|i| f(a + i as f64 * h) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
    (f(a) + inner + f(b)) * h / 3.0
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let first = x[0];
    let both = composed(|v| v * first, f64::sin);
    let table: Vec<Box<dyn Fn(f64) -> f64>> = x.iter().map(|&v| power(v)).collect();
    let mut sum = table.iter().enumerate().map(|(i, f)| f(1.0 + 0.1 * i as f64)).sum::<f64>();
    repeated(3, &mut |t| sum += both(t) * t);
    let area = simpson(|t| (-first * t * t).exp(), 0.0, x[x.len() - 1], 8);
    let taken = x.to_vec();
    let once: Box<dyn FnOnce() -> f64> = Box::new(move || taken.into_iter().product());
    sum * area + once()
}
