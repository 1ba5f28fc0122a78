// check: array n=9 refused=E0360@-O2-fno-inline
// A checkpointed loop over vectors that change places, and one over a slice whose bytes are told.
extern "C" {
    fn __enzyme_checkpoint(snapshots: i64);
    fn __enzyme_checkpoint_memory(memory: *mut f64, bytes: i64);
}

fn relax(u: &mut [f64], k: &[f64], steps: usize) {
    for _ in 0..steps {
        unsafe {
            __enzyme_checkpoint(3);
            __enzyme_checkpoint_memory(u.as_mut_ptr(), 8 * u.len() as i64);
        }
        for i in 1..u.len() {
            u[i] += 0.05 * k[i] * u[i - 1] * u[i].cos();
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn objective(x: *mut f64, n: i32) -> f64 {
    let k = std::slice::from_raw_parts(x, n as usize);
    let mut u: Vec<f64> = k.iter().map(|k| 1.0 + k * k).collect();
    let mut v = vec![0.0; u.len()];
    let (mut a, mut b) = (&mut u[..], &mut v[..]);
    let mut energy = 0.0_f64;
    for step in 0..25 {
        __enzyme_checkpoint(0);
        for i in 0..a.len() {
            let (left, right) = (a[i.saturating_sub(1)], a[(i + 1).min(a.len() - 1)]);
            b[i] = a[i] + 0.05 * k[i] * (left - 2.0 * a[i] + right) * a[i];
        }
        energy += b[step % b.len()] * energy.cos();
        std::mem::swap(&mut a, &mut b);
    }
    relax(&mut u, k, 17);
    energy + u.iter().map(|u| u * u).sum::<f64>()
}
