// check: array n=5
// Lists of boxes that are copied by a derived Clone, which returns numbers and pointers in one struct.
#[derive(Clone)]
struct Link { v: f64, next: Option<Box<Link>> }
#[derive(Clone)]
struct Pair { w: f64, list: Box<Link> }
#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut head = Link { v: x[0], next: None };
    for v in &x[1..] { head = Link { v: *v * head.v, next: Some(Box::new(head)) }; }
    let mut copy = head.clone();
    copy.v *= x[1];
    if let Some(next) = &mut copy.next { next.v = next.v.sin(); }
    let pair = Pair { w: x[2], list: Box::new(copy) };
    let other = pair.clone();
    let (mut sum, mut at) = (0.0, Some(&*other.list));
    while let Some(link) = at { sum += link.v * other.w; at = link.next.as_deref(); }
    sum + head.v + pair.list.v.cos()
}
