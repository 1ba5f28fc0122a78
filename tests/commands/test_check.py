"""`enzyme-build check`: right derivatives pass, wrong ones are found."""

from __future__ import annotations

import math
import subprocess  # noqa: TID251 - the command runs as a user runs it
import sys

import pytest

from enzyme_build.bindings.compare import Row
from enzyme_build.bindings.interface import make_interface
from enzyme_build.bindings.native import NativeFunction, NativeParameter
from enzyme_build.bindings.signature import parse_signature
from enzyme_build.commands.check import verdict

GOOD = """
#include <complex.h>
#include <math.h>
double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += k * exp(x[i]) * x[(i + 1) % n];
  return sum;
}
void step(const double *x, double *restrict y, double *state, int n) {
  for (int i = 0; i < n; i++) { y[i] = x[i] * state[i]; state[i] = state[i] * state[i]; }
}
float single(float x) { return sqrtf(x) * x; }
double wave(const double _Complex *z, int n, double _Complex k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += creal(k * z[i] * z[i]);
  return sum;
}
double _Complex cubic(double _Complex z) { return z * z * z; }
double strided(const double *a, int ld, const double *x, int inc, int m, int n) {
  double sum = 0;
  for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) sum += a[i * ld + j] * a[i * ld + j] * x[j * inc];
  return sum;
}
double crash(const double *x, int n) { return x[(long)n * 1000000000]; }
"""


def check(folder, source, *words):
    (folder / "f.c").write_text(source)
    return subprocess.run(
        [sys.executable, "-m", "enzyme_build", "check", "f.c", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.compile
@pytest.mark.parametrize(
    "signature",
    [
        "energy(x[n], n, k)",
        "step(x[n], out y[n], inout state[n], n)",
        "single(x)",
        "wave(z[n], n, k)",
        "cubic(z)",
        "strided(a[m stride ld, n], ld, x[n stride inc], inc, m, n)",
        "strided(a[m stride ld, n], ld, x[k stride ld, n], inc, m, n)",
    ],
)
def test_right_derivatives_pass(tmp_path, signature):
    done = check(tmp_path, GOOD, "-f", signature)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("none wrong\n")


@pytest.mark.compile
def test_the_function_may_print(tmp_path):
    source = '#include <stdio.h>\ndouble f(double x) { printf("at %g\\n", x); puts("[]"); return x * x; }\n'
    done = check(tmp_path, source, "-f", "f", "--trials", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 3


@pytest.mark.compile
def test_the_table(tmp_path):
    done = check(tmp_path, GOOD, "-f", "energy(x[n], n, k)", "--wrt", "k", "--trials", "1", "--value", "n=3")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["argument", "differences", "forward", "reverse", "verdict"]
    name, *numbers, said = lines[1].split()
    assert (name, said) == ("k", "ok")
    assert len({round(float(number), 9) for number in numbers}) == 1
    assert lines[2] == "1 comparisons, none wrong"


@pytest.mark.compile
def test_a_crash_is_a_message(tmp_path):
    done = check(tmp_path, GOOD, "-f", "crash(x[n], n)")
    assert done.returncode not in {0, -11}
    assert "the compiled function stopped with signal SIGSEGV" in done.stderr
    assert "hint: are the shapes in the signature right?" in done.stderr


@pytest.mark.compile
def test_a_function_of_a_library_that_is_not_given(tmp_path):
    source = "int scale_of_units(void);\ndouble f(double x) { return scale_of_units() * x * x; }\n"
    done = check(tmp_path, source, "-f", "f(x)")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-2:] == [
        "error: the compiled function needs 'scale_of_units', which no input defines",
        "  hint: give the file that has it, or its library: -l NAME, or --link-arg=/path/to/libNAME.so",
    ]


@pytest.mark.compile
def test_a_shared_library_among_the_inputs(tmp_path):
    """It is found where it is given, not where the system looks."""
    (tmp_path / "square.c").write_text("double square(double x) { return x * x; }")
    words = [sys.executable, "-m", "enzyme_build", "export", "square.c", "--function", "square", "-o", "libsquare.so"]
    subprocess.run(words, cwd=tmp_path, check=True)
    source = "double square(double); double f(double x) { return 3 * square(x); }"
    done = check(tmp_path, source, "libsquare.so", "-f", "f")
    assert (done.returncode, "none wrong" in done.stdout) == (0, True), done.stderr


def test_pointers_need_shapes(tmp_path):
    done = check(tmp_path, GOOD, "-f", "energy")
    assert done.returncode == 1
    assert done.stderr == (
        "error: argument 'x' of 'energy' is a pointer of unknown shape\n"
        "  hint: give the signature with shapes: --function 'energy(x[n], …)'\n"
    )


def interface():
    from enzyme_build.bindings.dtypes import DTYPES

    double = DTYPES["float64"]
    native = NativeFunction("f", "f", (NativeParameter("double", "", "x", double),), "double", "", double)
    return make_interface(parse_signature("f(x)"), native)


def row(differences, forward, reverse, uncertainty=1e-12):
    return Row("x", differences, uncertainty, forward, reverse, abs(forward))


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (row(2.0, 2.0, 2.0), ""),
        (row(2.0 + 1e-8, 2.0, 2.0), ""),
        (row(2.1, 2.0, 2.0), "finite differences disagree"),
        (row(2.1, 2.0, 2.0, uncertainty=0.1), ""),
        (row(2.0, 2.0, 2.1), "reverse mode disagrees"),
        (row(2.1, 2.0, 2.1), "forward and reverse mode disagree"),
        (row(math.nan, 2.0, 2.0), "not finite: choose other inputs with --range or --value"),
        (row(0.0, 0.0, 0.0, uncertainty=0.0), ""),
    ],
)
def test_verdicts(numbers, expected):
    assert verdict(interface(), numbers, None) == expected
