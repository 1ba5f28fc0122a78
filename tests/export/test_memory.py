"""Programs that copy bytes without their types: what lies in memory is told by the exported functions that use it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Folder

pytestmark = pytest.mark.compile
PATH = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it

LIBRARY = """
struct state { int n; float rate; double sums[2]; double *v; };
double m_norm(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
void m_smooth(double *x, int n, double w) { for (int i = 0; i + 1 < n; i++) x[i] = x[i] * (1 - w) + w * x[i + 1]; }
double m_picked(const double *x, const int *at, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[at[i]] * x[at[i]];
  return s;
}
void m_step(struct state *s) {
  for (int i = 0; i < s->n; i++) {
    s->v[i] += s->rate * s->v[i] * s->v[i];
    s->sums[i % 2] += s->v[i] * s->v[i];
  }
}
double *m_part(struct state *s, int i) { return s->v + i; }
"""
C_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct state { int n; float rate; double sums[2]; double *v; };
double m_norm(const double *x, int n);
void m_smooth(double *x, int n, double w);
double m_picked(const double *x, const int *at, int n);
void m_step(struct state *s);
double *m_part(struct state *s, int i);
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double arrays(const double *x, int n) {
  double *y = malloc(n * sizeof *y);
  int at[] = {1, 0, 1}, *copied = malloc(sizeof at);
  memcpy(y, x, n * sizeof *y);
  memcpy(copied, at, sizeof at);
  m_smooth(y, n, 0.5);
  double r = m_norm(y, n) + m_picked(y, copied, 3);
  free(copied);
  free(y);
  return r;
}

double structs(const double *x, int n) {
  double *y = malloc(n * sizeof *y);
  void *bytes = malloc(sizeof(struct state));
  struct state s = {n, 0.5f, {x[0], 2}, y}, t;
  memcpy(y, x, n * sizeof *y);
  memcpy(bytes, &s, sizeof s);
  memcpy(&t, bytes, sizeof t);
  m_step(&t);
  m_step(&t);
  double z[2];
  memcpy(z, m_part(&t, 1), sizeof z);
  double r = t.sums[0] * t.sums[1] + m_norm(z, 2);
  free(bytes);
  free(y);
  return r;
}

#define CHECK(f)                                                                      \\
  do {                                                                                \\
    double x[3] = {0.5, -0.25, 0.75}, x_bar[3] = {0}, x_dot[3] = {1, 2, 3}, along = 0; \\
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 3);              \\
    double tangent = __enzyme_fwddiff((void *)f, enzyme_dup, x, x_dot, enzyme_const, 3); \\
    for (int i = 0; i < 3; i++) {                                                     \\
      double h = 1e-6, up[3], down[3];                                                \\
      for (int j = 0; j < 3; j++) up[j] = down[j] = x[j];                             \\
      up[i] += h, down[i] -= h;                                                       \\
      double difference = (f(up, 3) - f(down, 3)) / (2 * h);                          \\
      along += difference * x_dot[i];                                                 \\
      if (!(x_bar[i] - difference < 1e-7 && difference - x_bar[i] < 1e-7)) return 1;  \\
    }                                                                                 \\
    if (!(tangent - along < 1e-6 && along - tangent < 1e-6)) return 2;                \\
  } while (0)

int main(void) {
  CHECK(arrays);
  CHECK(structs);
  return 0;
}
"""
CXX_PROGRAM = """
#include <cmath>
#include <vector>
extern "C" {
double m_norm(const double *x, int n);
void m_smooth(double *x, int n, double w);
}
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double loss(const std::vector<double> &x) {
  auto y = x;
  m_smooth(y.data(), static_cast<int>(y.size()), 0.5);
  std::vector<double> z(y.begin() + 1, y.end());
  return m_norm(y.data(), static_cast<int>(y.size())) * m_norm(z.data(), static_cast<int>(z.size()));
}
int main() {
  std::vector<double> x{0.5, -0.25, 0.75}, x_bar(3);
  __enzyme_autodiff((void *)loss, enzyme_dup, &x, &x_bar);
  for (int i = 0; i < 3; i++) {
    auto up = x, down = x;
    up[i] += 1e-6;
    down[i] -= 1e-6;
    if (!(std::abs((loss(up) - loss(down)) / 2e-6 - x_bar[i]) < 1e-7)) return 1;
  }
}
"""
RUST_PROGRAM = """
use std::os::raw::c_int;
#[repr(C)]
pub struct State { n: c_int, rate: f32, sums: [f64; 2], v: *mut f64 }
unsafe extern "C" {
    fn m_norm(x: *const f64, n: c_int) -> f64;
    fn m_smooth(x: *mut f64, n: c_int, w: f64);
    fn m_step(s: *mut State);
    fn __enzyme_autodiff(f: *const (), ...) -> f64;
    static enzyme_dup: c_int;
    static enzyme_const: c_int;
}
extern "C" fn loss(x: *const f64, n: c_int) -> f64 {
    let mut y = unsafe { std::slice::from_raw_parts(x, n as usize) }.to_vec();
    unsafe {
        m_smooth(y.as_mut_ptr(), n, 0.5);
        let mut s = State { n, rate: 0.5, sums: [0.0, 1.0], v: y.as_mut_ptr() };
        m_step(&mut s);
        m_step(&mut s);
        m_norm(y.as_ptr(), n) + s.sums[0] * s.sums[1]
    }
}
fn main() {
    let x = [0.5, -0.25, 0.75];
    let mut x_bar = [0.0; 3];
    let at = x_bar.as_mut_ptr();
    unsafe { __enzyme_autodiff(loss as *const (), enzyme_dup, x.as_ptr(), at, enzyme_const, 3 as c_int) };
    for i in 0..3 {
        let (mut up, mut down) = (x, x);
        up[i] += 1e-6;
        down[i] -= 1e-6;
        let difference = (loss(up.as_ptr(), 3) - loss(down.as_ptr(), 3)) / 2e-6;
        assert!((difference - x_bar[i]).abs() < 1e-7);
    }
}
"""


@pytest.fixture(scope="module")
def made(common_folder: Folder) -> Folder:
    """The library, made at two levels."""
    common_folder.write("lib.c", LIBRARY)
    for level in ("-O0", "-O2"):
        common_folder.compiled(f"{level} -c -fenzyme-export=m_* lib.c -o lib{level}.o")
    return common_folder


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O2 -g"])
@pytest.mark.parametrize("library", ["lib-O0.o", "lib-O2.o"])
def test_copies_in_c(made: Folder, level: str, library: str) -> None:
    made.write("use.c", C_PROGRAM)
    made.compiled(f"{level} use.c {library} -lm -o use")
    made.good(made.path / "use")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_copies_in_cxx(made: Folder, level: str) -> None:
    made.write("use.cpp", CXX_PROGRAM)
    made.compiled(f"{level} use.cpp lib{level}.o -lm -o use", "cxx")
    made.good(made.path / "use")


@pytest.mark.skipif(not shutil.which("rustc", path=PATH), reason="rustc not found")
@pytest.mark.parametrize("level", ["0", "2"])
def test_copies_in_rust(made: Folder, level: str) -> None:
    made.write("use.rs", RUST_PROGRAM)
    made.rust(f"-Copt-level={level} use.rs -Clink-arg=lib-O{level}.o -Clink-arg=-lm", PATH=PATH)
    made.good(made.path / "use")
