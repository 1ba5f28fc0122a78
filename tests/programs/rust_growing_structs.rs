// check: array n=9,1
// A vector of structs that own vectors outgrows its memory: what is moved are pointers, too.
struct Entry {
    values: Vec<f64>,
    other: Vec<f64>,
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut entries: Vec<Entry> = Vec::new();
    for (i, v) in x.iter().enumerate() {
        let entry = Entry { values: vec![v * v; i + 1], other: x.to_vec() };
        entries.push(entry);
    }
    for entry in entries.iter_mut() {
        let first = entry.values[0];
        entry.other.push(first * 2.0);
    }
    entries.retain(|entry| entry.values.len() != 3);
    entries.iter().map(|e| e.values.iter().sum::<f64>() * e.other.iter().map(|v| v.sin()).sum::<f64>()).sum()
}
