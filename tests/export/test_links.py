"""Programs are differentiated through a library that they have no code of, whatever form it has."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Folder

pytestmark = pytest.mark.compile
CLANG = shutil.which("clang-22") or "clang"


def numbers(text: str) -> list[float]:
    return list(map(float, text.split()))


@pytest.fixture(scope="session")
def gradient(library: Folder) -> str:
    """What the program prints when it is linked with the library's bitcode."""
    library.compiled("-O2 use.o solver.c -lm -o whole")
    return library.good(library.path / "whole")


@pytest.mark.parametrize("line", ["solver.o", "libsolver.a", "-L. -lsolver -Wl,-rpath,."])
def test_every_form_gives_the_gradient_of_the_whole_program(library: Folder, gradient: str, line: str) -> None:
    name = re.sub(r"\W", "", line)
    library.compiled(f"-O2 use.o {line} -lm -o {name}")
    assert library.good(library.path / name) == gradient


def test_no_bitcode_is_left_in_what_is_exported(library: Folder) -> None:
    for name in ("solver.o", "libsolver.a", "libsolver.so"):
        data = (library.path / name).read_bytes()
        assert (b"BC\xc0\xde" in data, b".enzyme_export" in data) == (False, True)


def test_libraries_that_the_linker_finds_by_itself(library: Folder, gradient: str) -> None:
    library.compiled("-O2 use.o -lsolver -lm -o found", LIBRARY_PATH=str(library.path))
    assert library.good(library.path / "found", LD_LIBRARY_PATH=str(library.path)) == gradient


def test_descriptions_survive_what_linkers_do_to_sections(library: Folder, gradient: str, tmp_path: Path) -> None:
    """Two of them in a row, unused sections left out, symbols stripped; the program is not optimised."""
    (tmp_path / "other.c").write_text("double other(double x) { return x * x; }\n")
    other, shared = tmp_path / "other.o", tmp_path / "libboth.so"
    library.compiled(f"-O1 -c -fenzyme-export=other {tmp_path / 'other.c'} -o {other}")
    library.good(CLANG, "-shared", other, "solver.o", "-Wl,--gc-sections", "-lm", "-o", shared)
    library.good("strip", shared)
    library.compiled(f"-O0 use.c {shared} -lm -o {tmp_path / 'use'}")
    assert numbers(library.good(tmp_path / "use")) == pytest.approx(numbers(gradient), rel=1e-9)


FIRST = """
void first_step(double *x, int n, double h) { for (int i = 0; i < n; i++) x[i] += h * x[i] * x[i]; }
double first_sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
  return s;
}
"""
SECOND = """
void first_step(double *x, int n, double h);
double first_sum(const double *x, int n);
double second(double *x, int n, double h) {
  first_step(x, n, h);
  double before = first_sum(x, n);
  first_step(x, n, 2 * h);
  return before * first_sum(x, n);
}
"""
THIRD = """
#include <stdio.h>
double second(double *x, int n, double h);
double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;
double third(double *x, int n, double h) {
  double s = 0;
  for (int k = 0; k < 3; k++) s += second(x, n, h) * x[k % n];
  return s;
}
int main(void) {
  double x[2] = {.5, .3}, x_bar[2] = {0}, y[2] = {.5, .3}, y_dot[2] = {1, 0};
  double h_bar = __enzyme_autodiff((void *)third, enzyme_dup, x, x_bar, enzyme_const, 2, enzyme_out, 0.1);
  double s_dot = __enzyme_fwddiff((void *)third, enzyme_dup, y, y_dot, enzyme_const, 2, enzyme_const, 0.1);
  printf("%.12g %.12g %.12g %.12g\\n", x_bar[0], x_bar[1], h_bar, s_dot);
}
"""


def test_an_exported_library_of_an_exported_library(folder: Folder) -> None:
    for name, text in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
        folder.write(f"{name}.c", text)
    folder.export("first.c", "--function", "first_*", "-o", "libfirst.so")
    folder.export("second.c", "libfirst.so", "--function", "second", "-o", "libsecond.so")
    folder.compiled("-O2 third.c -L. -lsecond -lfirst -Wl,-rpath,. -o apart")
    folder.compiled("-O2 third.c second.c first.c -o whole")
    apart = numbers(folder.good(folder.path / "apart"))
    assert apart == pytest.approx(numbers(folder.good(folder.path / "whole")), rel=1e-12)
    assert apart[0] == pytest.approx(apart[3], rel=1e-12)


def test_exported_when_linking(library: Folder, gradient: str, tmp_path: Path) -> None:
    """Objects with bitcode, of which those that are exported already stay as they are."""
    (tmp_path / "other.c").write_text("double other(double x) { return x * x; }\n")
    library.compiled(f"-O1 -c {tmp_path / 'other.c'} -o {tmp_path / 'other.o'}")
    shared = tmp_path / "libboth.so"
    library.compiled(
        f"-O2 -shared -fenzyme-export=s_* -fenzyme-export=other solver.o {tmp_path / 'other.o'} -o {shared}"
    )
    assert re.search(r" T ad_export\.\w+\.reverse\.o\.other\n", library.good("nm", "-D", shared))
    library.compiled(f"-O2 use.o {shared} -lm -o {tmp_path / 'use'}")
    assert library.good(tmp_path / "use") == gradient


def test_derivatives_of_objects_with_other_options(library: Folder, gradient: str, tmp_path: Path) -> None:
    library.compiled(f"-O0 -g -c -fenzyme-export=s_*:reverse,forward solver.c -o {tmp_path / 'solver.o'}")
    library.compiled(f"-O1 use.c {tmp_path / 'solver.o'} -lm -o {tmp_path / 'use'}")
    assert numbers(library.good(tmp_path / "use")) == pytest.approx(numbers(gradient), rel=1e-9)


KEPT = """
#include "solver.h"
#include <stdio.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
double twice(double *x, int n) {
  double sum = s_sum(x, n, 0.5);
  CHANGE
  return sum;
}
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0};
  __enzyme_autodiff((void *)twice, enzyme_dup, x, x_bar, enzyme_const, 2);
  printf("%.6f %.6f\\n", x_bar[0], x_bar[1]);
}
"""


@pytest.mark.parametrize(
    ("change", "lasting"), [("sum += s_sum(x, n, 0.25);", True), ("x[0] = 3; sum *= x[1];", False)]
)
def test_the_smaller_tape_is_used_where_memory_lasts(
    library: Folder, tmp_path: Path, change: str, *, lasting: bool
) -> None:
    """That the second call only reads its arguments is among the facts that are exported."""
    (tmp_path / "kept.c").write_text(KEPT.replace("CHANGE", change))
    for line in ("libsolver.a", "solver.c"):
        library.compiled(f"-O2 -I. {tmp_path / 'kept.c'} {line} -lm -o {tmp_path / line}.out")
    assert library.good(f"{tmp_path / 'libsolver.a'}.out") == library.good(f"{tmp_path / 'solver.c'}.out")
    library.compiled(f"-O2 -I. {tmp_path / 'kept.c'} -L. -lsolver -lm -o {tmp_path / 'kept'}")
    needed = library.good("nm", "-D", "-u", tmp_path / "kept")
    assert ("lasting.s_sum" in needed) is lasting
    assert ("augmented.dco.s_sum" in needed) is not lasting


OWN_REQUEST = """
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
static double inner(double *x) { return x[0] * x[0] * x[0] * x[1]; }
double slope(double *x) {
  double x_bar[2] = {0, 0};
  __enzyme_autodiff((void *)inner, enzyme_dup, x, x_bar);
  return x_bar[0];
}
"""
OWN_REQUEST_USED = """
#include <stdio.h>
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
double slope(double *x);
double loss(double *x) { return 2 * slope(x); }
int main(void) {
  double x[2] = {2, 3}, x_bar[2] = {0, 0};
  __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar);
  printf("%g %g\\n", x_bar[0], x_bar[1]);
}
"""


def test_a_function_that_asks_for_a_derivative_itself(folder: Folder) -> None:
    folder.write("slope.c", OWN_REQUEST)
    folder.write("use.c", OWN_REQUEST_USED)
    folder.export("slope.c", "--function", "slope:reverse", "-o", "slope.o")
    folder.compiled("-O2 use.c slope.o -o use")
    assert folder.good(folder.path / "use") == "72 24\n"  # 2 (6xy, 3x²)


CXX_LIBRARY = """
#include <cmath>
namespace forces {
double energy(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += std::sin(x[i]) * x[i];
  return sum;
}
double energy(double x) { return x * x; }
template <class T> T cube(T x) { return x * x * x; }
template double cube<double>(double);
}
"""
CXX_PROGRAM = """
#include <cstdio>
#include <enzyme/enzyme>
#include <vector>
namespace forces {
double energy(const double *x, int n);
double energy(double x);
template <class T> T cube(T x);
}
double loss(const std::vector<double> &v) {
  return forces::energy(v.data(), static_cast<int>(v.size())) * forces::energy(v[0]) + forces::cube<double>(v[1]);
}
int main() {
  std::vector<double> v{1, 2}, v_bar(2), v_dot{0, 1};
  enzyme::autodiff<enzyme::Reverse>(loss, enzyme::Duplicated(v, v_bar));
  auto [tangent] = enzyme::autodiff<enzyme::Forward>(loss, enzyme::Duplicated(v, v_dot));
  std::printf("%.6f %.6f %.6f\\n", v_bar[0], v_bar[1], tangent);
}
"""


def test_cxx(folder: Folder) -> None:
    folder.write("forces.cpp", CXX_LIBRARY)
    folder.write("use.cpp", CXX_PROGRAM)
    folder.export("forces.cpp", "--function", "forces::*", "-o", "libforces.so")
    folder.compiled("-O2 use.cpp ./libforces.so -o use", "cxx")
    folder.compiled("-O2 use.cpp forces.cpp -o whole", "cxx")
    printed = folder.good(folder.path / "use")
    assert printed == folder.good(folder.path / "whole")
    # e(x) = sum x sin x; the gradient of e(v) v0^2 + v1^3 by hand
    assert printed == "6.701905 12.077004 12.077004\n"


FORTRAN_LIBRARY = """
subroutine flow(x, n, rate)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(in) :: rate
  integer :: i
  do i = 1, n
    x(i) = x(i) + rate * x(i) * x(i)
  end do
end subroutine
"""
FORTRAN_PROGRAM = """
#include <stdio.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);
void flow_(double *x, const int *n, const double *rate);
double loss(double *x, const int *n, double rate) {
  flow_(x, n, &rate);
  flow_(x, n, &rate);
  return x[0] * x[1];
}
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0};
  int n = 2;
  double rate_bar = __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, &n, enzyme_out, 0.5);
  printf("%.6f %.6f %.6f\\n", x_bar[0], x_bar[1], rate_bar);
}
"""


@pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found")
def test_fortran(folder: Folder) -> None:
    folder.write("flow.f90", FORTRAN_LIBRARY)
    folder.write("use.c", FORTRAN_PROGRAM)
    folder.compiled("-O2 -c -fenzyme-export=flow flow.f90", "fc")
    folder.compiled("-O2 use.c flow.o -o use")
    # x1 = x + x²/2, x2 = x1 + x1²/2: (1, 2) -> (1.5, 4) -> (2.625, 12);
    # by the rate: (y² + (1 + y) x²) are (4.75, 36)
    assert folder.good(folder.path / "use") == "60.000000 39.375000 151.500000\n"


OBJECTS_LIBRARY = """
module states
  type state
    real(8), allocatable :: u(:)
    real(8) :: k
  end type
contains
  subroutine move_on(s)
    type(state), intent(inout) :: s
    s%u = s%u * s%k
  end subroutine
  subroutine scale(u, k)
    real(8), intent(inout) :: u(:)
    real(8), intent(in) :: k
    u = u * k
  end subroutine
end module
"""
OBJECTS_PROGRAM = """
module losses
contains
  real(8) function loss(x, n)
    use states
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(state) :: s
    s%u = x
    s%k = x(2)
    call move_on(s)
    call scale(s%u, x(1))
    loss = sum(s%u)
  end function
end module
program main
  use enzyme
  use losses
  real(8) :: x(3) = [2, 3, 5], x_bar(3) = 0
  call enzyme_autodiff(loss, x, x_bar, 3)
  print '(3f8.3)', x_bar
end program
"""


@pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found")
def test_fortran_objects_whose_components_are_allocated(folder: Folder) -> None:
    """Asked for by a pattern without the module, for pointers that may lead to memory without derivatives."""
    folder.write("states.f90", OBJECTS_LIBRARY)
    folder.write("use.f90", OBJECTS_PROGRAM)
    folder.compiled("-O2 -c states.f90", "fc")  # for its module file
    folder.export("-q", "states.f90", "--function", "*e*:reverse:1=runtime", "-o", "libstates.a")
    folder.compiled("-O2 use.f90 libstates.a -o use", "fc")
    # The sum of x₁ x₂ xᵢ: by x₁ that is x₂ (sum + x₁), by x₂ x₁ (sum + x₂), by x₃ x₁ x₂.
    assert folder.good(folder.path / "use").split() == ["36.000", "26.000", "6.000"]


RUST_LIBRARY = """
#[no_mangle]
pub extern "C" fn cubes(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    x.iter().map(|v| v * v * v).sum()
}
"""
RUST_PROGRAM = """
#include <stdio.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double cubes(const double *x, unsigned long n);
double loss(double *x, unsigned long n) { return 2 * cubes(x, n); }
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0};
  __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, 2ul);
  printf("%g %g\\n", x_bar[0], x_bar[1]);
}
"""
PATH = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it


@pytest.mark.skipif(not shutil.which("rustc", path=PATH), reason="rustc not found")
def test_rust(folder: Folder) -> None:
    folder.write("cubes.rs", RUST_LIBRARY)
    folder.write("use.c", RUST_PROGRAM)
    folder.export("cubes.rs", "--function", "cubes:reverse", "-o", "libcubes.a", PATH=PATH)
    folder.compiled("-O2 use.c libcubes.a -o use")
    assert folder.good(folder.path / "use") == "6 24\n"


MEMBER = """
struct Model { double k; double energy(double x) const { return k * x * x; } };
double total(const Model &m, double x) { return m.energy(x) + 1; }
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_an_inline_function_of_a_pattern(folder: Folder, level: str) -> None:
    """Where its compiler leaves a body, it stays in the object, as others may call it."""
    folder.write("model.cpp", MEMBER)
    folder.compiled(f"{level} -c -fenzyme-export=*energy* -fenzyme-export=total model.cpp -o model.o", "cxx")
    assert b".enzyme_export" in (folder.path / "model.o").read_bytes()


BOUND = """
module waves
  use iso_c_binding
contains
  real(c_double) function height(x, n) bind(C, name="wave_height")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    height = sum(x**3)
  end function
end module
"""


@pytest.mark.parametrize("name", ["waves::height", "height", "waves::*", "wave_height"])
def test_a_procedure_for_other_languages_by_its_name(folder: Folder, name: str) -> None:
    if not shutil.which("flang-22"):
        pytest.skip("flang-22 not found")
    folder.write("waves.f90", BOUND)
    folder.export("waves.f90", "--function", name, "-o", "waves.o")
    assert b".reverse.dc.wave_height" in (folder.path / "waves.o").read_bytes()
