"""OpenMP: programs with parallel regions around derivatives, and what is said where its runtime is missing."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from enzyme_build.settings import from_environment
from enzyme_build.toolchain.openmp import runtime_library

if TYPE_CHECKING:
    from conftest import Shell

pytestmark = pytest.mark.compile
needs_runtime = pytest.mark.skipif(
    not shutil.which("clang-22") or runtime_library(from_environment().tools) is None,
    reason="libomp not found",
)
needs_flang = pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found")

C_PROGRAM = """
#include <math.h>
#include <stdio.h>
double __enzyme_autodiff(void *, ...);

#pragma omp declare simd
static double square(double x) { return x * x; }

static double loss(const double *x, int n) {
  int order[8];
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) order[i] = (3 * i + 1) % n;
#pragma omp simd reduction(+:sum)
  for (int i = 0; i < n; i++) sum += square(x[order[i]]) * (order[i] + 1);
  return sum;
}

int main(void) {
  enum { n = 8, many = 40 };
  double x[many][n], x_bar[many][n], wrong = 0;
#pragma omp parallel for
  for (int k = 0; k < many; k++) {
    for (int i = 0; i < n; i++) x[k][i] = sin(k + i), x_bar[k][i] = 0;
    __enzyme_autodiff((void *)loss, x[k], x_bar[k], n);
  }
#pragma omp parallel for reduction(+:wrong)
  for (int k = 0; k < many; k++)
    for (int i = 0; i < n; i++) wrong += fabs(x_bar[k][i] - 2 * x[k][i] * (i + 1));
  printf("%s\\n", wrong < 1e-12 ? "right" : "wrong");
}
"""

FORTRAN_PROGRAM = """
module model
  implicit none
contains
  real(8) function loss(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: order(n), i
    !$omp parallel do
    do i = 1, n
      order(i) = mod(3 * i, n) + 1
    end do
    loss = 0
    !$omp simd reduction(+: loss)
    do i = 1, n
      loss = loss + x(order(i))**2 * order(i)
    end do
  end function
end module

program main
  use enzyme
  use model
  use omp_lib, only: omp_get_max_threads
  implicit none
  integer, parameter :: n = 8, many = 40
  real(8) :: x(n, many), x_bar(n, many), wrong
  integer :: i, k
  if (omp_get_max_threads() /= 3) stop 2
  !$omp parallel do
  do k = 1, many
    x(:, k) = [(sin(real(k + i, 8)), i = 1, n)]
    x_bar(:, k) = 0
    call enzyme_autodiff(loss, x(:, k), x_bar(:, k), n)
  end do
  wrong = 0
  !$omp parallel do reduction(+: wrong)
  do k = 1, many
    wrong = wrong + sum(abs(x_bar(:, k) - 2 * x(:, k) * [(i, i = 1, n)]))
  end do
  print '(a)', merge('right', 'wrong', wrong < 1d-12)
end program
"""


@needs_runtime
@pytest.mark.parametrize("options", ["-O0 -Werror", "-O2"])
def test_derivatives_in_parallel_regions(shell: Shell, options: str) -> None:
    (shell.folder / "parallel.c").write_text(C_PROGRAM)
    done = shell.with_real_derivatives().cc(f"{options} -fopenmp parallel.c -lm")
    assert (done.returncode, done.stderr) == (0, "")
    assert shell.run("./a.out", OMP_NUM_THREADS="3").stdout == "right\n"


@needs_runtime
@needs_flang
@pytest.mark.parametrize("options", ["-O0", "-O2"])
def test_derivatives_in_parallel_regions_of_fortran(shell: Shell, options: str) -> None:
    (shell.folder / "parallel.f90").write_text(FORTRAN_PROGRAM)
    shell = shell.with_real_derivatives()
    assert shell.run(*shell.driver("fc"), *options.split(), "-fopenmp", "-c", "parallel.f90").returncode == 0
    done = shell.run(*shell.driver("fc"), *options.split(), "-fopenmp", "parallel.o")
    assert (done.returncode, done.stderr) == (0, "")
    assert shell.run("./a.out", OMP_NUM_THREADS="3").stdout == "right\n"


WITHOUT_RUNTIME = """#!/bin/sh
case "$* " in
  *-print-search-dirs*) echo "libraries: =/nowhere"; exit ;;
  *"-c "*) ;;
  *-fopenmp*) echo "ld: cannot find -lomp" >&2; exit 1 ;;
esac
exec clang-22 "$@"
"""


@pytest.mark.skipif(not shutil.which("clang-22"), reason="clang-22 not found")
@pytest.mark.parametrize("objects", ["grad.o f.o main.o", "plain.o"])
@pytest.mark.parametrize("again", [False, True])
def test_a_missing_runtime_is_named(shell: Shell, objects: str, *, again: bool) -> None:
    clang = shell.folder / "clang"
    clang.write_text(WITHOUT_RUNTIME)
    clang.chmod(0o755)
    shell = replace(shell, environment=shell.environment | {"ENZYME_CC": str(clang), "HOME": str(shell.folder)})
    assert shell.cc(f"-fopenmp -c {objects.replace('.o', '.c')}").returncode == 0
    for _ in range(1 + again):  # the second time, the driver remembers its compiler
        linked = shell.cc(f"-fopenmp {objects} -lm")
    said = ["ld: cannot find -lomp", "note: OpenMP's runtime is not installed: apt-get install libomp-22-dev"]
    assert (linked.returncode, linked.stderr.splitlines()) == (1, said)
