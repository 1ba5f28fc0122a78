// check: array n=4 range=0.4:1.3
// Text that is borrowed or owned beside numbers and vectors: words with a range become pointers.
use std::borrow::Cow;
struct Reaction<'t> { label: Cow<'t, str>, left: Vec<(usize, u8)>, rate: f64 }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut list: Vec<Reaction> = vec![];
    for (i, (line, &rate)) in "A + 2 B\n2 C\nDD".lines().zip(x).enumerate() {
        let left: Vec<(usize, u8)> = line.split('+').map(|t| (t.trim().len(), 1)).collect();
        let label = if left.len() > 1 { Cow::Owned(format!("{}-{}", left.len(), i)) } else { Cow::Borrowed(line) };
        list.push(Reaction { label, left, rate });
    }
    list.iter().map(|Reaction { left, rate, label }| left.iter().fold(*rate, |s, &(i, k)| s * x[i].powi(k as i32)) * label.len() as f64).sum()
}
