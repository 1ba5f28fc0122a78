"""What is generated for callers of derivatives: a C header, a Fortran module, Rust declarations. One program in each
language calls all modes and compares with finite differences of the function itself."""

from __future__ import annotations

import os
import shutil
import subprocess  # noqa: TID251 - the result is used with tools outside the package
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compile
PATHS = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it
FLANG = shutil.which("flang-22") or shutil.which("flang")
RUSTC = shutil.which("rustc", path=PATHS)
needs_flang = pytest.mark.skipif(FLANG is None, reason="flang not found")
needs_rustc = pytest.mark.skipif(RUSTC is None, reason="rustc not found")

MODEL = """
#include <math.h>
double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += k * x[i] * x[i] + sin(x[i]);
  return sum;
}
void scores(const double *x, float *y, int n, int m) {
  for (int j = 0; j < m; j++) {
    y[j] = 0;
    for (int i = 0; i < n; i++) y[j] += x[j * n + i] * x[i];
  }
}
"""
ENERGY, SCORES = "energy(x[n], n, k)", "scores(x[m, n], out y[m], n, m)"
BUILDS = {
    "reverse": (ENERGY,),
    "forward": (ENERGY, "--mode", "forward"),
    "split": (ENERGY, "--mode", "split", "--seed"),
    "hvp": (ENERGY, "--mode", "hvp"),
    "two_forward": (SCORES, "--mode", "forward", "--width", "2"),
    "two_split": (SCORES, "--mode", "split", "--width", "2", "--symbol", "both"),
    "two_reverse": (ENERGY, "--width", "2", "--seed", "--symbol", "energy_two"),
}
C = """
#include <cmath>
#include <cstdio>
static double x[6] = {.5, 1, 1.5, 2, -1, .25}, k = 3, h = 1e-5;
static int wrong;
static void expect(const char *what, double found, double wanted) {
  if (std::fabs(found - wanted) < 1e-6) return;
  std::printf("%s: %g instead of %g\\n", what, found, wanted);
  wrong++;
}
static double slope(int i) {
  double y[3] = {x[0], x[1], x[2]}, low;
  y[i] -= h;
  low = energy(y, 3, k);
  y[i] += 2 * h;
  return (energy(y, 3, k) - low) / (2 * h);
}
int main() {
  double by_k = (energy(x, 3, k + h) - energy(x, 3, k - h)) / (2 * h);
  double x_bar[12] = {0}, k_bar[2] = {0}, dot[12] = {0}, tangent = 0, product[3] = {0}, k_product = 0;
  void *tape;
  expect("value", energy_grad(x, x_bar, 3, k, k_bar), energy(x, 3, k));
  for (int i = 0; i < 3; i++) expect("gradient", x_bar[i], slope(i));
  expect("by k", k_bar[0], by_k);
  dot[1] = 1;
  energy_jvp(x, dot, 3, k, 0.5, &tangent);
  expect("tangent", tangent, slope(1) + by_k / 2);
  expect("value", energy_augmented(x, x_bar, 3, k, k_bar, &tape), energy(x, 3, k));
  energy_reverse(x, x_bar, 3, k, k_bar, 2, tape);
  for (int i = 0; i < 3; i++) expect("split", x_bar[i], 3 * slope(i));
  expect("split by k", k_bar[0], 3 * by_k);
  energy_hvp(x, dot, x_bar, product, 3, k, 0, k_bar, &k_product);
  expect("Hessian", product[1], 2 * k - std::sin(x[1]));
  expect("Hessian by k", k_product, 2 * x[1]);
  float y[2], y_dot[4];
  double two[12] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  scores_jvp(x, two, y, y_dot, 3, 2);
  expect("first of two", y_dot[0], 2 * x[0]);
  expect("first of two", y_dot[1], x[3]);
  expect("second of two", y_dot[2], 0);
  expect("second of two", y_dot[3], x[2]);
  double bars[12] = {0};
  float y_bar[4] = {1, 0, 0, 1};
  both_augmented(x, bars, y, y_bar, 3, 2, &tape);
  both_reverse(x, bars, y, y_bar, 3, 2, tape);
  expect("rows", bars[1], 2 * x[1]);
  expect("rows", bars[6], x[3]);
  expect("rows", bars[9], x[0]);
  double seeds[2] = {1, -2}, lanes[6] = {0}, k_lanes[2] = {0};
  energy_two(x, lanes, 3, k, k_lanes, seeds);
  expect("two seeds", lanes[5], -2 * slope(2));
  expect("two seeds by k", k_lanes[1], -2 * by_k);
  return wrong;
}
"""
FORTRAN = """
program caller
  use, intrinsic :: iso_c_binding
  use reverse_interface
  use forward_interface, only: energy_jvp
  use split_interface, only: energy_augmented, energy_reverse
  use hvp_interface, only: energy_hvp
  use two_forward_interface
  use two_split_interface, only: both_augmented, both_reverse
  use two_reverse_interface, only: energy_two
  implicit none
  real(8), parameter :: k = 3, h = 1d-5
  real(8) :: x(3) = [.5d0, 1d0, 1.5d0], x_bar(3) = 0, k_bar = 0, dot(3) = [0, 1, 0], tangent
  real(8) :: by_k, product(3), k_product
  real(8) :: rows(3, 2) = reshape([.5d0, 1d0, 1.5d0, 2d0, -1d0, .25d0], [3, 2]), two(3, 2, 2) = 0, bars(3, 2, 2) = 0
  real(8) :: lanes(3, 2) = 0, k_lanes(2) = 0
  real(4) :: y(2), y_dot(2, 2), y_bar(2, 2) = reshape([1., 0., 0., 1.], [2, 2])
  type(c_ptr) :: tape
  by_k = (energy(x, 3, k + h) - energy(x, 3, k - h)) / (2 * h)
  call expect('value', [energy_grad(x, x_bar, 3, k, k_bar)], [energy(x, 3, k)])
  call expect('gradient', [x_bar, k_bar], [slopes(), by_k])
  call expect('value', [energy_jvp(x, dot, 3, k, 0.5d0, tangent)], [energy(x, 3, k)])
  call expect('tangent', [tangent], [sum(slopes() * dot) + by_k / 2])
  call expect('value', [energy_augmented(x, x_bar, 3, k, k_bar, tape)], [energy(x, 3, k)])
  call energy_reverse(x, x_bar, 3, k, k_bar, 2d0, tape)
  call expect('split', [x_bar, k_bar], 3 * [slopes(), by_k])
  product = 0
  k_product = 0
  call expect('value', [energy_hvp(x, dot, x_bar, product, 3, k, 0d0, k_bar, k_product)], [energy(x, 3, k)])
  call expect('Hessian', [product(2), k_product], [2 * k - sin(x(2)), 2 * x(2)])
  two(1, 1, 1) = 1
  two(3, 2, 2) = 1
  call scores_jvp(rows, two, y, y_dot, 3, 2)
  call expect('two tangents', real([y_dot], 8), [2 * x(1), rows(1, 2), 0d0, x(3)])
  call both_augmented(rows, bars, y, y_bar, 3, 2, tape)
  call both_reverse(rows, bars, y, y_bar, 3, 2, tape)
  call expect('two adjoints', [bars(2, 1, 1), bars(1, 1, 2), bars(1, 2, 2)], [2 * x(2), rows(1, 2), x(1)])
  call expect('value', [energy_two(x, lanes, 3, k, k_lanes, [1d0, -2d0])], [energy(x, 3, k)])
  call expect('two seeds', [lanes(:, 2), k_lanes], [-2 * slopes(), by_k, -2 * by_k])
contains
  function slopes()
    real(8) :: slopes(3), moved(3)
    integer :: i
    do i = 1, 3
      moved = x
      moved(i) = x(i) + h
      slopes(i) = energy(moved, 3, k)
      moved(i) = x(i) - h
      slopes(i) = (slopes(i) - energy(moved, 3, k)) / (2 * h)
    end do
  end function
  subroutine expect(what, found, wanted)
    character(*), intent(in) :: what
    real(8), intent(in) :: found(:), wanted(:)
    if (all(abs(found - wanted) < 1d-6)) return
    print *, what, ': ', found, ' instead of ', wanted
    stop 1
  end subroutine
end program
"""
RUST = """
mod reverse { include!("reverse.rs"); }
mod forward { include!("forward.rs"); }
mod split { include!("split.rs"); }
mod hvp { include!("hvp.rs"); }
mod two { include!("two_reverse.rs"); }
mod lanes { include!("two_split.rs"); }
use reverse::{energy, energy_grad};

fn value(x: &[f64; 3], k: f64) -> f64 { unsafe { energy(x.as_ptr(), 3, k) } }

fn main() {
    let (x, k, h) = ([0.5, 1.0, 1.5], 3.0, 1e-5);
    let slope = |i: usize| {
        let (mut low, mut high) = (x, x);
        low[i] -= h;
        high[i] += h;
        (value(&high, k) - value(&low, k)) / (2.0 * h)
    };
    let by_k = (value(&x, k + h) - value(&x, k - h)) / (2.0 * h);
    let expect = |what: &str, found: f64, wanted: f64| {
        assert!((found - wanted).abs() < 1e-6, "{what}: {found} instead of {wanted}");
    };
    let (mut x_bar, mut k_bar, mut tangent) = ([0.0; 3], 0.0, 0.0);
    let mut tape = std::ptr::null_mut();
    unsafe {
        expect("value", energy_grad(x.as_ptr(), x_bar.as_mut_ptr(), 3, k, &mut k_bar), value(&x, k));
        for i in 0..3 { expect("gradient", x_bar[i], slope(i)); }
        expect("by k", k_bar, by_k);
        forward::energy_jvp(x.as_ptr(), [0.0, 1.0, 0.0].as_ptr(), 3, k, 0.5, &mut tangent);
        expect("tangent", tangent, slope(1) + by_k / 2.0);
        split::energy_augmented(x.as_ptr(), x_bar.as_mut_ptr(), 3, k, &mut k_bar, &mut tape);
        split::energy_reverse(x.as_ptr(), x_bar.as_mut_ptr(), 3, k, &mut k_bar, 2.0, tape);
        for i in 0..3 { expect("split", x_bar[i], 3.0 * slope(i)); }
        let (mut product, mut k_product) = ([0.0; 3], 0.0);
        let dot = [0.0, 1.0, 0.0];
        hvp::energy_hvp(x.as_ptr(), dot.as_ptr(), x_bar.as_mut_ptr(), product.as_mut_ptr(), 3, k, 0.0, &mut k_bar,
                        &mut k_product);
        expect("Hessian", product[1], 2.0 * k - x[1].sin());
        let (mut lanes, mut k_lanes) = ([[0.0; 3]; 2], [0.0; 2]);
        two::energy_two(x.as_ptr(), lanes[0].as_mut_ptr(), 3, k, k_lanes.as_mut_ptr(), [1.0, -2.0].as_ptr());
        expect("two seeds", lanes[1][2], -2.0 * slope(2));
        expect("two seeds by k", k_lanes[1], -2.0 * by_k);
        let rows = [0.5, 1.0, 1.5, 2.0, -1.0, 0.25];
        let (mut bars, mut y, mut y_bar) = ([0.0; 12], [0f32; 2], [1f32, 0.0, 0.0, 1.0]);
        lanes::both_augmented(rows.as_ptr(), bars.as_mut_ptr(), y.as_mut_ptr(), y_bar.as_mut_ptr(), 3, 2, &mut tape);
        lanes::both_reverse(rows.as_ptr(), bars.as_mut_ptr(), y.as_mut_ptr(), y_bar.as_mut_ptr(), 3, 2, tape);
        expect("two adjoints", bars[6], rows[3]);
    }
}
"""


def run(*words, folder):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def gradient(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "enzyme_build", "gradient", *map(str, words)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with all modes, each as an object and the three files that declare it."""
    folder = tmp_path_factory.mktemp("interfaces")
    (folder / "model.c").write_text(MODEL)
    package = str(Path(__import__("enzyme_build").__file__).parents[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", package)
        for name, (function, *words) in BUILDS.items():
            written = ["--header", f"{name}.h", "--fortran-module", f"{name}_interface.f90", "--rust-bindings"]
            done = gradient(folder, "model.c", "-f", function, *words, "-o", f"{name}.o", *written, f"{name}.rs")
            assert (done.returncode, done.stderr) == (0, "")
    return folder


OBJECTS = [f"{name}.o" for name in BUILDS]


@pytest.mark.parametrize("compiler", ["clang", "clang++"])
def test_the_header(built, compiler):
    program = shutil.which(f"{compiler}-22") or shutil.which(compiler)
    ending = "cpp" if compiler.endswith("++") else "c"
    text = C if ending == "cpp" else C.replace("<cmath>", "<math.h>").replace("<cstdio>", "<stdio.h>")
    text = text if ending == "cpp" else text.replace("std::", "")
    includes = "".join(f'#include "{name}.h"\n' for name in BUILDS)
    (built / f"caller.{ending}").write_text(includes + text)
    line = [program, "-Wall", "-Wextra", "-Werror", f"caller.{ending}", *OBJECTS, "-lm", "-o", f"caller_{ending}"]
    run(*line, folder=built)
    run(f"./caller_{ending}", folder=built)


@needs_flang
def test_the_fortran_module(built):
    (built / "caller.f90").write_text(FORTRAN)
    modules = [f"{name}_interface.f90" for name in BUILDS]
    run(FLANG, *modules, "caller.f90", *OBJECTS, "-lm", "-o", "caller_fortran", folder=built)
    run("./caller_fortran", folder=built)


@needs_rustc
@pytest.mark.parametrize("edition", ["2021", "2024"])
def test_the_rust_declarations(built, edition):
    (built / "caller.rs").write_text("#![deny(warnings)]\n" + RUST)
    objects = [word for name in OBJECTS for word in ("-C", f"link-arg={name}")]
    run(RUSTC, "--edition", edition, "caller.rs", *objects, "-C", "link-arg=-lm", "-o", "caller_rust", folder=built)
    run("./caller_rust", folder=built)


def test_comments_say_what_goes_where(built):
    header = (built / "two_split.h").read_text()
    assert " *   x_bar  adjoint of x, added to; 2 of them, one behind the other\n" in header
    assert " *   tape   receives the tape, which both_reverse uses up\n" in header
    assert "!!   x      array (n, m), read\n" in (built / "two_split_interface.f90").read_text()
    assert "/// * `k_bar`: adjoint of k, added to\n" in (built / "reverse.rs").read_text()


MISTAKES = {
    "a width without shapes": (["-f", "energy", "--width", "2", "--seed"], "give the signature with shapes"),
    "adjoints without seeds": (["-f", ENERGY, "--width", "2"], "say --seed"),
    "Hessians at once": (["-f", ENERGY, "--width", "2", "--mode", "hvp"], "--width goes with the modes"),
    "a module named like its function": (["-f", ENERGY, "--fortran-module", "Energy.f90"], "Energy_interface.f90"),
    "a module that cannot be named": (["-f", ENERGY, "--fortran-module", "2.f90"], "cannot be the name"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(built, mistake, tmp_path):
    words, message = MISTAKES[mistake]
    done = gradient(tmp_path, built / "model.c", *words, "-o", "d.o")
    assert done.returncode == 1
    assert message in done.stderr
    assert not list(tmp_path.iterdir())
