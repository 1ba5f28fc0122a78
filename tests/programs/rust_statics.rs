// check: array n=4 refused=E0100@-O2-fno-inline
// Constant tables, statics that change, thread_local cells, OnceLock and LazyLock filled by constant data.
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock};

const WEIGHTS: [f64; 4] = [0.5, 1.5, -2.0, 0.25];
static NODES: &[(f64, f64)] = &[(-0.577350269189626, 1.0), (0.577350269189626, 1.0)];
static CALLS: AtomicUsize = AtomicUsize::new(0);
static TABLE: OnceLock<Vec<f64>> = OnceLock::new();
static SQUARES: LazyLock<Vec<f64>> = LazyLock::new(|| (0..8).map(|i| (i * i) as f64).collect());
static SCALE: Mutex<f64> = Mutex::new(2.0);

thread_local! {
    static LAST: Cell<f64> = const { Cell::new(0.0) };
    static DEPTH: RefCell<u32> = const { RefCell::new(0) };
}

fn table() -> &'static [f64] {
    TABLE.get_or_init(|| (0..8).map(|i| 1.0 / (1.0 + i as f64)).collect())
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    CALLS.fetch_add(1, Ordering::Relaxed);
    DEPTH.with(|depth| *depth.borrow_mut() += 1);
    let mut sum: f64 = x.iter().zip(WEIGHTS).map(|(v, w)| v * v * w).sum();
    sum += NODES.iter().map(|(t, w)| w * (t * x[0]).cos()).sum::<f64>();
    LAST.set(sum);
    sum += x.iter().zip(table()).map(|(v, t)| v.sin() * t).sum::<f64>();
    sum += x.iter().enumerate().map(|(i, v)| v * SQUARES[i]).sum::<f64>();
    let scale = *SCALE.lock().unwrap();
    sum * scale + LAST.get()
}
