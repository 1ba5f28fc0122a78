// check: array n=5,1
// Values that do something when they are dropped, in the order that scopes, moves and early returns give.
struct Ledger<'a> {
    total: &'a mut f64,
    amount: f64,
}

impl Drop for Ledger<'_> {
    fn drop(&mut self) {
        *self.total = *self.total * 0.5 + self.amount * self.amount;
    }
}

struct Owned(Vec<f64>, *mut f64);

impl Drop for Owned {
    fn drop(&mut self) {
        unsafe { *self.1 += self.0.iter().map(|v| v.cos()).sum::<f64>() };
    }
}

fn entered(total: &mut f64, v: f64) -> f64 {
    let entry = Ledger { total, amount: v };
    if v > 1.0 {
        return v * entry.amount;
    }
    std::mem::drop(entry);
    *total * v
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut total = 0.0;
    let mut sum = 0.0;
    for &v in x {
        sum += entered(&mut total, v);
    }
    let mut left = 0.0;
    {
        let all = vec![Owned(x.to_vec(), &mut left), Owned(vec![x[0]; 2], &mut left)];
        let mut parts = all.into_iter();
        let first = parts.next();
        sum += first.map_or(0.0, |o| o.0.iter().product());
    }
    sum + total + left * left
}
