// check: array n=25
// Sorting structs that hold active numbers: the sort moves them as bytes of a type that only their objects tell.
struct Item {
    key: i32,
    value: f64,
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut items: Vec<Item> = x.iter().map(|v| Item { key: (v * 10.0) as i32 % 3, value: *v }).collect();
    items.sort_by_key(|item| item.key);
    items.windows(2).map(|w| w[0].value * w[1].value).sum()
}
