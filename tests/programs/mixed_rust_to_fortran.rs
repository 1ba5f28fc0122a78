// check: array n=6,2 with=mixed_rust_to_fortran_part.f90
// Rust calls Fortran: arguments by reference, array sections, a Rust function called back.
extern "C" {
    fn filtered(x: *const f64, y: *mut f64, n: *const i32, width: *const i32);
    fn quadrature(f: extern "C" fn(&f64) -> f64, a: *const f64, b: *const f64) -> f64;
}

extern "C" fn bell(t: &f64) -> f64 {
    (-t * t).exp()
}

#[no_mangle]
pub extern "C" fn objective(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let mut y = vec![0.0; x.len()];
    unsafe { filtered(x.as_ptr(), y.as_mut_ptr(), &n, &2) };
    let area = unsafe { quadrature(bell, &x[0], &y[1]) };
    y.iter().zip(x).map(|(a, b)| a * b).sum::<f64>() + area
}
