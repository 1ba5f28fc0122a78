"""The fuzzer itself: it finds what is wrong, and sets aside what says nothing."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

import run as fuzz
from cxx_programs import CXX_HEAD, random_cxx
from fortran_programs import random_fortran
from ir_programs import random_ir
from languages import RUST
from run_programs import RUSTC, RUSTC_PROGRAM
from rust_programs import RUST_HEAD, random_rust

SEED = 2
"""No checks but those of first derivatives."""
WRONG_RULE = """
static double p2_square(double x) { return x * x; }
static double p2_tangent(double x, double x_dot) { return FACTOR * x * x_dot; }
void *__enzyme_register_derivative_p2[] = {(void *)p2_square, (void *)p2_tangent};
double p2(double *x, double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += p2_square(x[i]) * y[i % 4];
    return sum;
}
"""


def verdict(text: str, level: str = "-O1") -> str:
    subject = fuzz.Subject(SEED, text, extended=False)
    fuzz.check([subject], level)
    fuzz.judge(subject)
    return subject.verdict


@pytest.mark.compile
@pytest.mark.parametrize(("factor", "expected"), [("2", "PASS"), ("2.0001", "FAIL")])
def test_a_wrong_derivative_is_found(factor, expected):
    assert verdict(WRONG_RULE.replace("FACTOR", factor)) == expected


@pytest.mark.compile
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("y[0] = x[1] * x[2];", "PASS"),
        ("y[0] = sin(x[0] / (x[1] - x[1])) > 0;", "WILD"),
        ("double *m = malloc(8 * n); m[n] = x[0]; free(m);", "INVALID"),
    ],
)
def test_functions_that_say_nothing(statement, expected):
    text = f"double p2(double *x, double *y, int n) {{ double f = x[0] * x[1]; {statement} return f; }}\n"
    assert fuzz.soundness(fuzz.Subject(SEED, text, extended=False)) == expected


@pytest.mark.compile
@pytest.mark.parametrize(("factor", "expected"), [("1", "PASS"), ("1.0001", "FAIL")])
def test_a_wrong_value_is_found(factor, expected):
    text = f"""
    #ifndef PRIMAL_ONLY
    #define FACTOR {factor}
    #else
    #define FACTOR 1
    #endif
    double p2(double *x, double *y, int n) {{ return FACTOR * x[0] * y[1]; }}
    """
    subject = fuzz.Subject(SEED, text, extended=False)
    fuzz.check([subject], "-O1")
    fuzz.compare_values([subject])
    assert subject.verdict == expected


def test_most_functions_are_compared_sharply():
    assert sum(fuzz.subject_of(seed, plain=True).sharp for seed in range(100)) > 75
    assert sum(fuzz.subject_of(seed, "ir", plain=True).sharp for seed in range(100)) > 75
    assert all(fuzz.subject_of(seed, "c++", plain=True).sharp for seed in range(10))
    assert sum(fuzz.subject_of(seed, "fortran", plain=True).sharp for seed in range(100)) > 75
    assert sum(fuzz.subject_of(seed, "rust", plain=True).sharp for seed in range(100)) > 75


@pytest.mark.skipif(shutil.which("opt-22") is None, reason="no opt-22")
@pytest.mark.parametrize("seed", range(5))
def test_functions_in_llvm_are_well_formed(seed):
    words = ["opt-22", "-passes=verify", "-disable-output"]
    subprocess.run(words, input=random_ir(seed, "p"), text=True, check=True)


@pytest.mark.compile
def test_functions_in_cxx_are_well_formed():
    text = "\n".join([CXX_HEAD, *(random_cxx(seed, f"p{seed}") for seed in range(5))])
    words = ["clang++-22", "-std=c++20", "-w", "-fsyntax-only", "-x", "c++", "-"]
    subprocess.run(words, input=text, text=True, check=True)


@pytest.mark.compile
@pytest.mark.skipif(shutil.which("flang-22") is None, reason="flang not found")
def test_functions_in_fortran_are_well_formed(tmp_path):
    path = tmp_path / "functions.f90"
    path.write_text("\n".join(random_fortran(seed, f"p{seed}", fixed=seed % 2 == 0) for seed in range(5)) + "\n")
    subprocess.run(["flang-22", "-w", "-fsyntax-only", str(path)], cwd=tmp_path, check=True)


@pytest.mark.compile
@pytest.mark.skipif(not Path(RUSTC_PROGRAM).exists(), reason="no rustc")
def test_functions_in_rust_are_well_formed(tmp_path):
    text = "\n".join([RUST_HEAD, *(random_rust(seed, f"p{seed}") for seed in range(5))])
    # Never /dev/null: rustc replaces its output, which is the device itself where root runs the tests.
    words = [*RUSTC, *RUST.words, "--emit=metadata", "-o", str(tmp_path / "functions.rmeta"), "-"]
    subprocess.run(words, input=text, text=True, check=True)


@pytest.mark.compile
def test_functions_with_requests_are_well_formed():
    text, _ = fuzz.source([fuzz.subject_of(seed, "requests", plain=True) for seed in range(5)])
    subprocess.run(["clang-22", "-w", "-fsyntax-only", "-x", "c", "-"], input=text, text=True, check=True)


@pytest.mark.compile
def test_functions_of_words_are_well_formed():
    """Also those whose words are floats."""
    text, _ = fuzz.source([fuzz.subject_of(seed, "words", plain=True) for seed in range(5)])
    subprocess.run(["clang-22", "-w", "-fsyntax-only", "-x", "c", "-"], input=text, text=True, check=True)
