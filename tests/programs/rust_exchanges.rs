// check: inplace n=8,2
// Memory exchanged in place: swap, replace, take, split_at_mut, rotate, reverse, fill, copy_within, chunks_mut, get_mut.
use std::mem;

#[derive(Default)]
struct Buffers {
    front: Vec<f64>,
    back: Vec<f64>,
}

impl Buffers {
    fn step(&mut self) {
        let n = self.front.len();
        self.back.clear();
        for i in 0..n {
            let left = self.front[(i + n - 1) % n];
            self.back.push(0.5 * self.front[i] + 0.25 * left * left);
        }
        mem::swap(&mut self.front, &mut self.back);
    }
}

#[no_mangle]
pub extern "C" fn transform(x: *mut f64, n: i32) {
    let x = unsafe { std::slice::from_raw_parts_mut(x, n as usize) };
    let mut buffers = Buffers { front: x.to_vec(), ..Default::default() };
    for _ in 0..3 {
        buffers.step();
    }
    let result = mem::take(&mut buffers.front);
    let (low, high) = x.split_at_mut(n as usize / 2);
    for (a, b) in low.iter_mut().zip(high.iter_mut()) {
        mem::swap(a, b);
        *a *= *b;
    }
    x.rotate_left(n as usize / 3);
    x.reverse();
    for pair in x.chunks_mut(2) {
        if let [a, b] = pair {
            (*a, *b) = (a.sin() + *b, *a);
        }
    }
    if n > 4 {
        x.copy_within(0..2, 3);
        x[n as usize - 1..].fill(0.25);
    }
    if let Some(first) = x.get_mut(0) {
        let old = mem::replace(first, 2.0);
        *first *= old * old;
    }
    for (v, r) in x.iter_mut().zip(&result) {
        *v += r;
    }
    x.swap(0, n as usize - 1);
}
