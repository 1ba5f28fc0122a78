// check: scalar n=3 tol=1e-4
// Between numbers and integers: `as` of all widths, saturating, from bits, to_bits tests, total order, classification.
fn wave(x: f64, k: i32) -> f64 {
    (x * f64::from(k)).sin() * (k as u8 as f32) as f64
}

#[no_mangle]
pub extern "C" fn objective(x: f64, y: f64, z: f64) -> f64 {
    let cell = (x * 10.0) as usize;
    let inside = x * 10.0 - cell as f64;
    let mut sum = inside * inside * (y as i64 + 2) as f64;
    for k in -2..3i16 {
        sum += wave(z, k as i32);
    }
    if y.to_bits() & 1 == 0 || z.to_bits() >> 63 == 1 {
        sum += y * z;
    } else {
        sum += y * z;
    }
    let half = f64::from_bits(0x3fe0_0000_0000_0000);
    let single = x as f32;
    let saturated = (y * 1e30) as i32 as f64 / i32::MAX as f64;
    sum += half * z * saturated + single as f64 * 2.0;
    if x.is_nan() || !y.is_finite() || z.is_sign_negative() {
        sum = 0.0;
    }
    sum + x.fract() * y.trunc() + u64::from(cell > 3) as f64 * z + (x as i128 + 1) as f64 * y
}
