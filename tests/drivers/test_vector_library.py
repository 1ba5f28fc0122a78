"""`-fveclib=libmvec`: loops of derivatives call vector functions, and give the same numbers."""

from __future__ import annotations

import platform
import subprocess  # noqa: TID251
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Shell

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="libmvec is there on x86-64 only"),
]

PROGRAM = """
#include <math.h>
#include <stdio.h>
int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
static double f(const REAL *x, const double *p, int n)
{
    double top = x[0], sum = 0, waves = 0;
    for (int i = 1; i < n; i++)
        top = x[i] > top ? x[i] : top;
    for (int i = 0; i < n; i++)
        sum += EXP(x[i] - top);
    for (int i = 0; i < n; i++)
        waves += SIN(x[i]) * POW(x[i], p[0]);
    return top + log(sum) + waves;
}
int main(void)
{
    enum { n = 1003 };
    static REAL x[n], g[n];
    double p[] = {1.5}, dp[] = {0}, sum = 0, worst = 0, slope = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.5 + fmod(0.37 * i, 3);
        sum += exp(x[i]);
        slope += sin(x[i]) * pow(x[i], p[0]) * log(x[i]);
    }
    __enzyme_autodiff((void *)f, enzyme_dup, x, g, enzyme_dup, p, dp, enzyme_const, n);
    for (int i = 0; i < n; i++) {
        double v = x[i], here = exp(v) / sum + cos(v) * pow(v, p[0]) + sin(v) * p[0] * pow(v, p[0] - 1);
        worst = fmax(worst, fabs(g[i] - here) / (1 + fabs(here)));
    }
    worst = fmax(worst, fabs(dp[0] - slope) / (1 + fabs(slope)));
    printf("%d\\n", worst < TOLERANCE);
    return 0;
}
"""
DOUBLE = "-DREAL=double -DEXP=exp -DSIN=sin -DPOW=pow -DTOLERANCE=1e-13"
SINGLE = "-DREAL=float -DEXP=expf -DSIN=sinf -DPOW=powf -DTOLERANCE=1e-5"


def called(shell: Shell) -> set[str]:
    """The vector functions that the program takes from the library."""
    names = subprocess.run(["nm", "-D", shell.folder / "prog"], capture_output=True, text=True, check=True).stdout
    return {word.partition("@")[0] for word in names.split() if word.startswith("_ZGV")}


@pytest.fixture
def program(shell: Shell) -> Shell:
    (shell.folder / "waves.c").write_text(PROGRAM)
    return shell.with_real_derivatives()


@pytest.mark.parametrize("kind", [DOUBLE, SINGLE], ids=["double", "float"])
def test_vector_functions_of_every_processor(program: Shell, kind: str) -> None:
    assert program.built(f"-O3 {kind} -fveclib=libmvec waves.c -o prog -lm", "prog") == "1\n"
    names = called(program)
    assert {name[:6] for name in names} == {"_ZGVbN"}
    assert {name.rstrip("f").rpartition("_")[2] for name in names} >= {"exp", "sin", "cos", "pow"}


def test_vector_functions_of_the_chosen_processor(program: Shell) -> None:
    done = program.cc(f"-O2 {DOUBLE} -mavx2 -fveclib=libmvec waves.c -o prog -lm")
    assert (done.returncode, done.stderr) == (0, "")
    assert "_ZGVdN4v_exp" in called(program)


def test_only_where_they_are_asked_for(program: Shell) -> None:
    assert program.built(f"-O3 {DOUBLE} waves.c -o prog -lm", "prog") == "1\n"
    assert called(program) == set()
    assert program.built(f"-O3 {DOUBLE} -fveclib=libmvec -fveclib=none waves.c -o prog -lm", "prog") == "1\n"
    assert called(program) == set()


def test_separate_steps_that_do_not_name_the_library(program: Shell) -> None:
    program.built(f"-O2 {DOUBLE} -fveclib=libmvec -c waves.c -o waves.o", program="")
    assert program.built("-O2 -fveclib=libmvec waves.o -o prog", "prog") == "1\n"
    assert called(program)


def test_a_gradient_command(program: Shell) -> None:
    (program.folder / "wave.c").write_text(
        "#include <math.h>\ndouble wave(const double *x, int n)\n"
        "{ double s = 0; for (int i = 0; i < n; i++) s += sin(x[i]); return s; }\n"
    )
    words = ["gradient", "wave.c", "-f", "wave(x[n], n)", "-O3", "--veclib", "libmvec", "-o", "prog"]
    done = program.run(program.driver("cc")[0], "-m", "enzyme_build", *words[:-1], "wave.so")
    assert (done.returncode, done.stderr) == (0, "")
    (program.folder / "wave.so").rename(program.folder / "prog")
    assert "_ZGVbN2v_cos" in called(program)
