/// The energy of a spring of stiffness `k`.
#[no_mangle]
pub extern "C" fn spring_energy(stretch: f64, k: f64) -> f64 {
    0.5 * k * stretch * stretch
}
