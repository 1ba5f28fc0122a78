"""Structs by value between languages: rustc passes as one value what clang passes as its members."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Folder

PATH = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it
pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not shutil.which("rustc", path=PATH), reason="rustc not found"),
]

C_LIBRARY = """
#include <math.h>
struct pair { double a, b; };
struct mixed { int n; double x; };
struct view { const double *x; long n; };
double b_energy(struct pair p, double s) { return p.a * p.b * s + sin(p.a); }
struct pair b_turned(struct pair p, struct mixed m) { return (struct pair){p.b * m.n + m.x, p.a * m.x}; }
struct mixed b_more(struct mixed m) { return (struct mixed){m.n + 1, m.x * m.x}; }
struct triple { double a, b, c; };
struct triple b_spread(double x, struct pair p) { return (struct triple){x * p.a, p.b, x}; }
double b_gathered(struct triple t, struct pair p, int n) { return t.a * p.a + t.b * p.b * n + t.c; }
double b_sum(struct view v) { double s = 0; for (long i = 0; i < v.n; i++) s += v.x[i] * v.x[i]; return s; }
"""
RUST_PROGRAM = """
#[repr(C)] #[derive(Clone, Copy)] pub struct Pair { a: f64, b: f64 }
#[repr(C)] #[derive(Clone, Copy)] pub struct Mixed { n: i32, x: f64 }
#[repr(C)] #[derive(Clone, Copy)] pub struct View { x: *const f64, n: i64 }
#[repr(C)] #[derive(Clone, Copy)] pub struct Triple { a: f64, b: f64, c: f64 }
unsafe extern "C" {
    fn b_energy(p: Pair, s: f64) -> f64;
    fn b_turned(p: Pair, m: Mixed) -> Pair;
    fn b_more(m: Mixed) -> Mixed;
    fn b_sum(v: View) -> f64;
    fn b_spread(x: f64, p: Pair) -> Triple;
    fn b_gathered(t: Triple, p: Pair, n: i32) -> f64;
    fn __enzyme_autodiff(f: *const (), ...) -> f64;
    fn __enzyme_fwddiff(f: *const (), ...) -> f64;
    static enzyme_dup: i32;
}
extern "C" fn loss(x: *const f64) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, 3) };
    unsafe { EXPRESSION }
}
fn main() {
    let (x, x_dot) = ([0.3, 1.2, -0.8], [1.0, -2.0, 0.5]);
    let mut x_bar = [0.0; 3];
    let at = x_bar.as_mut_ptr();
    unsafe { __enzyme_autodiff(loss as *const (), enzyme_dup, x.as_ptr(), at) };
    let tangent = unsafe { __enzyme_fwddiff(loss as *const (), enzyme_dup, x.as_ptr(), x_dot.as_ptr()) };
    let mut along = 0.0;
    for i in 0..3 {
        let (mut up, mut down) = (x, x);
        up[i] += 1e-6;
        down[i] -= 1e-6;
        let difference = (loss(up.as_ptr()) - loss(down.as_ptr())) / 2e-6;
        along += difference * x_dot[i];
        assert!((difference - x_bar[i]).abs() < 1e-7);
    }
    assert!((tangent - along).abs() < 1e-6);
}
"""
EXPRESSION = """
let m = b_more(Mixed { n: 2, x: x[2] });
let p = b_turned(Pair { a: x[0], b: x[1] }, m);
let t = b_spread(x[1], p);
b_energy(p, x[2]) + b_gathered(t, p, 3) + t.a * t.b + b_energy(Pair { a: x[0], b: p.a }, 2.0)
"""
RUST_LIBRARY = """
#[repr(C)] pub struct Pair { a: f64, b: f64 }
#[no_mangle] pub extern "C" fn r_energy(p: Pair, s: f64) -> f64 { p.a * p.b * s + p.a * p.a }
#[no_mangle] pub extern "C" fn r_turned(p: Pair) -> Pair { Pair { a: p.b * p.b, b: p.a * 3.0 } }
#[repr(C)] pub struct Triple { a: f64, b: f64, c: f64 }
#[no_mangle] pub extern "C" fn r_spread(x: f64, p: Pair) -> Triple { Triple { a: x * p.a, b: p.b, c: x } }
#[no_mangle] pub extern "C" fn r_gathered(t: Triple, p: Pair, n: i32) -> f64 { t.a * p.a + t.b * p.b * n as f64 + t.c }
"""
C_PROGRAM = """
struct pair { double a, b; };
double r_energy(struct pair p, double s);
struct pair r_turned(struct pair p);
struct triple { double a, b, c; } r_spread(double x, struct pair p);
double r_gathered(struct triple t, struct pair p, int n);
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double loss(const double *x) {
  struct pair p = r_turned((struct pair){x[0], x[1]});
  struct triple t = r_spread(x[2], p);
  return r_energy(p, x[2]) + r_gathered(t, p, 2) + t.a * t.b;
}
int main(void) {
  double x[3] = {0.3, 1.2, -0.8}, x_bar[3] = {0};
  __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar);
  for (int i = 0; i < 3; i++) {
    double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
    up[i] += 1e-6, down[i] -= 1e-6;
    double difference = (loss(up) - loss(down)) / 2e-6;
    if (!(difference - x_bar[i] < 1e-7 && x_bar[i] - difference < 1e-7)) return 1;
  }
}
"""


@pytest.mark.parametrize("level", ["0", "2"])
def test_rust_calls_c(folder: Folder, level: str) -> None:
    folder.write("lib.c", C_LIBRARY)
    folder.write("use.rs", RUST_PROGRAM.replace("EXPRESSION", EXPRESSION))
    folder.compiled(f"-O{level} -c -fenzyme-export=b_* lib.c -o lib.o")
    folder.rust(f"-Copt-level={level} use.rs -Clink-arg=lib.o -Clink-arg=-lm", PATH=PATH)
    folder.good(folder.path / "use")


@pytest.mark.parametrize("level", ["0", "2"])
def test_pointers_among_integers_are_refused(folder: Folder, level: str) -> None:
    """As an integer, rustc's pointer has no shadow that the library would be given."""
    folder.write("lib.c", C_LIBRARY)
    folder.write("use.rs", RUST_PROGRAM.replace("EXPRESSION", "b_sum(View { x: x.as_ptr(), n: 3 })"))
    folder.compiled("-O2 -c -fenzyme-export=b_* lib.c -o lib.o")
    done = folder.run(*folder.rust_command(f"-Copt-level={level} use.rs -Clink-arg=lib.o -Clink-arg=-lm"), PATH=PATH)
    assert (
        "'b_sum' is declared here as double ({ i64, i64 }), and its exported derivatives are for double (ptr, i64)"
        in (done.stderr)
    )
    assert "[E0351]" in done.stderr


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_c_calls_rust(folder: Folder, level: str) -> None:
    folder.write("lib.rs", RUST_LIBRARY)
    folder.write("use.c", C_PROGRAM)
    folder.export("lib.rs", "--function", "r_*", "-o", "lib.a", PATH=PATH)
    folder.compiled(f"{level} use.c lib.a -lm -o use")
    folder.good(folder.path / "use")
