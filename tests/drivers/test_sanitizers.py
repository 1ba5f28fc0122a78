"""Sanitizers that watch each access to memory: programs with them are differentiated, and watched."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from enzyme_build.settings import from_environment
from enzyme_build.toolchain.find import shared_llvm

if TYPE_CHECKING:
    from conftest import Shell

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not shutil.which("clang-22"), reason="clang-22 not found"),
]

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return s;
}
int main(int argc, char **argv) {
  double x[3] = {1, 2, 3}, x_bar[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 3);
  printf("%g\\n", x_bar[2]);
  fflush(stdout);
  double *volatile room = malloc(2 * sizeof(double));
  if (room[argc] + room[0] > 1) puts("much");
  room[argc + 1] = x_bar[1];
  free(room);
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("address", "heap-buffer-overflow"),
        ("address,undefined", "heap-buffer-overflow"),
        ("memory", "use-of-uninitialized-value"),
        ("thread", ""),
    ],
)
def test_programs_are_watched_around_derivatives(shell: Shell, level: str, kind: str, said: str) -> None:
    shell = shell.with_real_derivatives()
    (shell.folder / "s.c").write_text(PROGRAM)
    built = shell.cc(f"{level} -g -fsanitize={kind} s.c -o s")
    assert (built.returncode, built.stderr) == (0, "")
    done = shell.run(shell.folder / "s")
    assert done.stdout.splitlines()[0] == "6"
    if not said:
        assert "WARNING" not in done.stderr
    elif shared_llvm(from_environment().tools) is not None:  # llvmlite's LLVM cannot watch
        assert said in done.stderr
        assert "s.c:" in done.stderr
