// check: scalar n=2
// Generic code for f64 and for a dual number: the derivative of a derivative by hand, operators by traits.
use std::ops::{Add, Div, Mul, Neg, Sub};

trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self> + From<f64>
{
    fn exp(self) -> Self;
    fn sin(self) -> Self;
}

impl Number for f64 {
    fn exp(self) -> f64 {
        f64::exp(self)
    }
    fn sin(self) -> f64 {
        f64::sin(self)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Dual {
    value: f64,
    slope: f64,
}

impl From<f64> for Dual {
    fn from(value: f64) -> Dual {
        Dual { value, slope: 0.0 }
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, $a:ident, $b:ident, $slope:expr, $op:tt) => {
        impl $trait for Dual {
            type Output = Dual;
            fn $method(self, other: Dual) -> Dual {
                let ($a, $b) = (self, other);
                Dual { value: $a.value $op $b.value, slope: $slope }
            }
        }
    };
}
binary!(Add, add, a, b, a.slope + b.slope, +);
binary!(Sub, sub, a, b, a.slope - b.slope, -);
binary!(Mul, mul, a, b, a.slope * b.value + a.value * b.slope, *);
binary!(Div, div, a, b, (a.slope - a.value / b.value * b.slope) / b.value, /);

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        Dual { value: -self.value, slope: -self.slope }
    }
}

impl Number for Dual {
    fn exp(self) -> Dual {
        let value = self.value.exp();
        Dual { value, slope: self.slope * value }
    }
    fn sin(self) -> Dual {
        Dual { value: self.value.sin(), slope: self.slope * self.value.cos() }
    }
}

fn well<T: Number>(x: T, y: T) -> T {
    let r = x * x + y * y + T::from(0.5);
    (-(x - y).sin()).exp() / r
}

#[no_mangle]
pub extern "C" fn objective(x: f64, y: f64) -> f64 {
    let slope = well(Dual { value: x, slope: 1.0 }, Dual::from(y)).slope;
    well(x, y) + 0.5 * slope * slope
}
