// check: array n=5 refused=E0100
// Text that grows in a struct with active numbers: the struct's shadow would keep the old text's memory.
use std::fmt::Write;

struct Entry {
    values: Vec<f64>,
    text: String,
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut entries: Vec<Entry> = Vec::new();
    for (i, v) in x.iter().enumerate() {
        let mut entry = Entry { values: vec![v * v; i + 1], text: String::new() };
        write!(entry.text, "value {v} and {:?}", entry.values).unwrap();
        entries.push(entry);
    }
    entries.retain(|entry| entry.text.len() > 3);
    entries.iter().map(|e| e.values.iter().sum::<f64>()).sum()
}
