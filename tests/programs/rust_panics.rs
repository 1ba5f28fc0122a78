// check: array n=5,2
// Panics and assertions that do not happen: assert!, expect, unwrap, unreachable!, checks of bounds, overflow and slices.
fn interpolated(table: &[f64], at: f64) -> f64 {
    assert!(at >= 0.0, "{at} is left of the table");
    let i = (at as usize).min(table.len() - 2);
    let t = at - i as f64;
    table[i] * (1.0 - t) + table[i + 1] * t
}

fn checked(x: &[f64]) -> f64 {
    assert_eq!(x.len() % 1, 0, "odd");
    debug_assert!(!x.is_empty());
    let last = x.last().expect("no numbers");
    let index = x.len().checked_sub(2).unwrap();
    let area = (x.len() as i32 * 3 - 1) as f64;
    let half = &x[..x.len() / 2];
    let text = "some text";
    let part = &text[..half.len() + 1];
    match part.len() {
        0 => unreachable!("no character"),
        k => half.iter().sum::<f64>() * k as f64 + last * x[index] * area,
    }
}

fn logarithm(x: f64) -> f64 {
    if x <= 0.0 {
        panic!("the logarithm of {} at {:?}", x, Some(x));
    }
    x.ln()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut product = 1u32;
    for i in 1..=n as u32 {
        product *= i;
    }
    checked(x) + interpolated(x, x[0] * 0.5) * product as f64 + x.iter().map(|&v| logarithm(v)).sum::<f64>()
}
