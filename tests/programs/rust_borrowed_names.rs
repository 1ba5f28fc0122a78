// check: array n=4 range=0.4:1.3
// Text that is borrowed or owned beside a number.
use std::borrow::Cow;
struct Reaction<'t> { label: Cow<'t, str>, rate: f64 }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut list: Vec<Reaction> = vec![];
    for (i, (line, &rate)) in "A + 2 B\n2 C\nDD".lines().zip(x).enumerate() {
        let k = line.split('+').count();
        let label = if k > 1 { Cow::Owned(format!("{}-{}", k, i)) } else { Cow::Borrowed(line) };
        list.push(Reaction { label, rate });
    }
    list.iter().map(|r| r.rate * r.rate * r.label.len() as f64).sum()
}
