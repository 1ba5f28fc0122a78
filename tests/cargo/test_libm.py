"""The crate `libm`, whose functions take numbers to pieces, are called as they are, with the derivatives of C's."""

from __future__ import annotations

import math

import pytest

pytestmark = [pytest.mark.compile]

CRATE = """
pub mod math {
    pub mod exp {
        #[inline(never)]
        pub fn exp(x: f64) -> f64 {
            let k = (x * 1.4426950408889634 + 1048576.5) as i64 - 1048576;
            let r = x - k as f64 * 0.6931471805599453;
            let mut sum = 1.0;
            for i in (1..16).rev() {
                sum = 1.0 + sum * r / i as f64;
            }
            f64::from_bits((sum.to_bits() as i64 + (k << 52)) as u64)
        }
    }
}
pub use math::exp::exp;
"""
MODEL = """
#[no_mangle]
pub extern "C" fn decay(x: f64) -> f64 {
    3.0 * libm::exp(-x * x)
}
"""
PROGRAM = """
#include <stdio.h>
double decay(double);
double __enzyme_autodiff(void *, ...);
int main(void) { printf("%.17g\\n", __enzyme_autodiff((void *)decay, 0.7)); }
"""


def test_the_crate_has_the_derivatives_of_the_library(make_workspace, tmp_path) -> None:
    for name, text in (("libm.rs", CRATE), ("model.rs", MODEL), ("main.c", PROGRAM)):
        (tmp_path / name).write_text(text)
    workspace = make_workspace(tmp_path)
    flags = "-O -Clinker-plugin-lto -Cpanic=abort -Ccodegen-units=1"
    workspace.run(f"rustc {flags} --crate-type=rlib --crate-name=libm libm.rs")
    workspace.run(f"rustc {flags} --crate-type=staticlib --extern libm=liblibm.rlib model.rs")
    workspace.run("enzyme-cc -O2 main.c libmodel.a -lm -lpthread -ldl -o model")
    assert float(workspace.prints("./model")) == pytest.approx(-6 * 0.7 * math.exp(-0.49), rel=1e-14)
