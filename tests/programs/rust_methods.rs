// check: scalar n=2 range=0.6:0.9
// The methods of f64.
#[no_mangle]
pub extern "C" fn objective(x: f64, y: f64) -> f64 {
    let trigonometry = x.sin() + y.cos() + (x * y).tan() + x.asin() + y.acos() + x.atan2(y) + x.sin_cos().1;
    let exponentials = x.exp() + y.exp2() + x.exp_m1() + x.ln() + y.log2() + y.log10() + x.ln_1p() + x.log(3.0);
    let hyperbolics = x.sinh() + y.cosh() + x.tanh() + x.asinh() + (1.0 + y).acosh() + (x * 0.5).atanh();
    let powers = x.powi(-3) + y.powf(x) + x.sqrt() + y.cbrt() + x.hypot(y) + x.recip() + x.mul_add(y, 2.0);
    let pieces = x.abs() + y.signum() * x + x.floor() + y.ceil() + (3.0 * x).round() + x.fract() + (-x).copysign(y)
        + x.max(y) + (x * 2.0).min(y) + (x * 3.0).clamp(0.5, 2.0) + x.to_degrees() * 0.01 + y.to_radians();
    let remainders = (x * 7.0) % y + (x * 7.0 - 4.0).rem_euclid(y) + (x * 5.0).div_euclid(y) * y;
    trigonometry * exponentials + hyperbolics / powers + pieces * remainders
}
