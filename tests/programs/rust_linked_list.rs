// check: array n=6,1,0
// A list of boxes: push, pop, reverse with take, an iterator over it, changes through &mut.
struct Node {
    value: f64,
    next: Option<Box<Node>>,
}

#[derive(Default)]
struct List {
    head: Option<Box<Node>>,
    length: usize,
}

impl List {
    fn push(&mut self, value: f64) {
        let next = self.head.take();
        self.head = Some(Box::new(Node { value, next }));
        self.length += 1;
    }
    fn pop(&mut self) -> Option<f64> {
        self.head.take().map(|node| {
            self.head = node.next;
            self.length -= 1;
            node.value
        })
    }
    fn reverse(&mut self) {
        let mut done = None;
        let mut rest = self.head.take();
        while let Some(mut node) = rest {
            rest = std::mem::replace(&mut node.next, done);
            done = Some(node);
        }
        self.head = done;
    }
    fn iter(&self) -> Iter<'_> {
        Iter(self.head.as_deref())
    }
    fn change(&mut self, f: impl Fn(f64) -> f64) {
        let mut at = self.head.as_mut();
        while let Some(node) = at {
            node.value = f(node.value);
            at = node.next.as_mut();
        }
    }
}

struct Iter<'a>(Option<&'a Node>);

impl<'a> Iterator for Iter<'a> {
    type Item = &'a f64;
    fn next(&mut self) -> Option<&'a f64> {
        self.0.map(|node| {
            self.0 = node.next.as_deref();
            &node.value
        })
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut list = List::default();
    x.iter().for_each(|v| list.push(v.exp()));
    let popped = list.pop().unwrap_or(1.0);
    list.reverse();
    list.change(|v| v.ln() * v);
    let folded = list.iter().fold(popped, |s, v| s * 0.5 + v * v);
    folded + list.length as f64
}
