// check: array n=6
//! What functions return, read again in their reverse pass and changed by their callers: boxes, vectors, trees.

struct Node {
    items: Vec<f64>,
    next: Option<Box<Node>>,
}

#[inline(never)]
fn squares(x: &[f64], n: usize, sum: &mut f64) -> Box<[f64]> {
    let m: Vec<f64> = x.iter().map(|v| v * v).collect();
    for j in 0..m.len() {
        *sum += m[j * n % m.len()].sin();
    }
    m.into_boxed_slice()
}

#[inline(never)]
fn cubes(x: &[f64], n: usize, sum: &mut f64) -> Vec<f64> {
    let mut m = Vec::new();
    for v in x {
        m.push(v * v * v);
    }
    for j in 0..m.len() {
        *sum += m[j * n % m.len()].cos();
    }
    m
}

#[inline(never)]
fn chain(x: &[f64], n: usize, sum: &mut f64) -> Option<Box<Node>> {
    if n == 0 {
        return None;
    }
    let node = Box::new(Node { items: cubes(x, n, sum), next: chain(x, n - 1, sum) });
    for v in &node.items {
        *sum += v.tanh();
    }
    Some(node)
}

#[inline(never)]
fn change(m: &mut [f64], x: &[f64], sum: &mut f64) {
    let count = m.len();
    for i in 0..count {
        if 11 >> i & 1 == 1 {
            m[2 * i % count] = x[3] * x[i % 2];
        }
        *sum += m[i] * m[(i + 1) % count];
    }
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut sum = 0.0;
    let mut boxed = squares(&x[..3], x.len(), &mut sum);
    change(&mut boxed, x, &mut sum);
    let mut items = cubes(&x[1..], x.len(), &mut sum);
    change(&mut items, x, &mut sum);
    let mut at = chain(&x[2..], 3, &mut sum);
    while let Some(mut node) = at {
        change(&mut node.items, x, &mut sum);
        at = node.next.take();
    }
    sum
}
