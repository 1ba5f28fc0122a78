// check: array n=5 refused=E0130@-O2-fno-inline
// Numbers behind locks that one thread takes: Mutex and RwLock, shared by Arc.
use std::sync::{Arc, Mutex, RwLock};

struct Account {
    total: Mutex<f64>,
    table: RwLock<Vec<f64>>,
    visits: Mutex<usize>,
}

fn add(account: &Account, value: f64, weight: f64) {
    *account.total.lock().unwrap() += value * value * weight;
    account.table.write().unwrap().push(value.sin());
    *account.visits.lock().unwrap() += 1;
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let account = Arc::new(Account {
        total: Mutex::new(0.0),
        table: RwLock::new(Vec::new()),
        visits: Mutex::new(0),
    });
    for (i, value) in x.iter().enumerate() {
        add(&Arc::clone(&account), *value, i as f64 + 1.0);
    }
    let largest = x.iter().copied().fold(f64::MIN, f64::max);
    if let Ok(mut table) = account.table.try_write() {
        table[0] *= largest;
    }
    let sum: f64 = account.table.read().unwrap().iter().sum();
    let total = *account.total.lock().unwrap();
    sum * total + account.visits.lock().map(|visits| *visits as f64 * largest).unwrap()
}
