// check: array n=3 range=0.4:1.4
enum Item { Count(usize), Value(f64) }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let list: Vec<Item> = x.iter().enumerate().map(|(i, &z)| if i == 1 { Item::Count(i + 2) } else { Item::Value(z) }).collect();
    let count: usize = list.iter().map(|i| match i { Item::Count(k) => *k, _ => 0 }).sum();
    list.iter().map(|i| match i { Item::Value(a) => a * a, _ => 1.0 }).sum::<f64>() * count as f64
}
