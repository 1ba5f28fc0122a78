//! The gradient of code over other crates, in a program with an allocator of its own.

use std::alloc::{GlobalAlloc, Layout, System};

mod model {
    include!(concat!(env!("OUT_DIR"), "/loss_grad.rs"));
}

/// Memory that no other allocator can free.
struct Shifted;

// SAFETY: memory of the system, behind a header that is as large as the alignment asks for.
unsafe impl GlobalAlloc for Shifted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (whole, offset) = with_header(layout);
        unsafe { System.alloc(whole).add(offset) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let (whole, offset) = with_header(layout);
        unsafe { System.dealloc(pointer.sub(offset), whole) }
    }
}

fn with_header(layout: Layout) -> (Layout, usize) {
    Layout::new::<u64>().extend(layout).unwrap()
}

#[global_allocator]
static ALLOCATOR: Shifted = Shifted;

fn loss(x: &[f64]) -> f64 {
    unsafe { model::loss(x.as_ptr(), x.len() as u64) }
}

fn main() {
    let x: Vec<f64> = (1..=9).map(|k| f64::from(k) / 4.0).collect();
    let mut x_bar = vec![0.0; x.len()];
    let value = unsafe { model::loss_grad(x.as_ptr(), x_bar.as_mut_ptr(), x.len() as u64) };
    assert_eq!(value, loss(&x));
    for i in 0..x.len() {
        let (mut above, mut below, step) = (x.clone(), x.clone(), 1e-5);
        above[i] += step;
        below[i] -= step;
        let slope = (loss(&above) - loss(&below)) / (2.0 * step);
        assert!((x_bar[i] - slope).abs() < 1e-7 * (1.0 + slope.abs()), "{i}: {} instead of {slope}", x_bar[i]);
    }
    println!("{} right", x.len());
}
