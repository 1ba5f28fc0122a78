// check: map n=6 m=6
// unsafe code: raw pointers, the allocator by hand, MaybeUninit, ptr::copy, transmute of layouts, unchecked access.
use std::alloc::{alloc, alloc_zeroed, dealloc, realloc, Layout};
use std::mem::{transmute, ManuallyDrop, MaybeUninit};
use std::ptr;

#[repr(C)]
struct Pair {
    a: f64,
    b: f64,
}

unsafe fn pairs(x: *const f64, y: *mut f64, n: usize) {
    let layout = Layout::array::<f64>(n).unwrap();
    let work = alloc(layout) as *mut f64;
    ptr::copy_nonoverlapping(x, work, n);
    for i in 0..n {
        *work.add(i) = (*work.add(i)).sin() * *x.offset((n - 1 - i) as isize);
    }
    let grown = realloc(work as *mut u8, layout, layout.size() * 2) as *mut f64;
    ptr::copy(grown, grown.add(n), n);
    let zeros = alloc_zeroed(Layout::from_size_align(n * 8, 32).unwrap()) as *mut f64;
    for i in 0..n {
        zeros.add(i).write(zeros.add(i).read() + *grown.add(2 * n - 1 - i));
        *y.add(i) = *zeros.add(i) * *x.add(i);
    }
    dealloc(zeros as *mut u8, Layout::from_size_align_unchecked(n * 8, 32));
    dealloc(grown as *mut u8, Layout::array::<f64>(2 * n).unwrap());
}

#[no_mangle]
pub extern "C" fn transform(x: *const f64, y: *mut f64, n: i32, _m: i32) {
    let count = n as usize;
    unsafe {
        pairs(x, y, count);
        let values = std::slice::from_raw_parts(x, count);
        let mut cells: [MaybeUninit<f64>; 4] = [MaybeUninit::uninit(); 4];
        for (i, cell) in cells.iter_mut().enumerate() {
            cell.write(*values.get_unchecked(i % count) * i as f64);
        }
        let cells: [f64; 4] = transmute(cells);
        let pair: Pair = transmute([cells[1], cells[3] * cells[3]]);
        *y += pair.a * pair.b;
        let kept = ManuallyDrop::new(values.to_vec());
        let owned = Vec::from_raw_parts(kept.as_ptr() as *mut f64, kept.len(), kept.capacity());
        let boxed = Box::into_raw(Box::new(owned[0].exp()));
        *y.add(count - 1) += *boxed;
        drop(Box::from_raw(boxed));
    }
}
