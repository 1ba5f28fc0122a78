// check: array n=6
// Variables of a thread that own memory: their ends are registered when they are first used.
use std::cell::RefCell;

thread_local! {
    static CACHE: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

#[inline(never)]
fn cached(x: &[f64], n: usize) -> f64 {
    CACHE.with(|cache| {
        let mut c = cache.borrow_mut();
        let mut s = 0.0;
        for i in 0..c.len() {
            s += (c[i * n % c.len()] * c[i]).sin();
        }
        c.push(x[n % 6] * x[0]);
        if c.len() > 3 {
            c.remove(0);
        }
        c[0] *= 1.1;
        s
    })
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut s = 0.0;
    CACHE.with(|c| c.borrow_mut().clear());
    for r in 0..5 {
        s += cached(x, r + 7);
        CACHE.with(|c| c.borrow_mut()[0] *= x[r]);
    }
    CACHE.with(|c| c.borrow_mut().clear());
    s
}
