"""Derivatives with a C signature: LLVM IR and headers."""

from __future__ import annotations

import re
import shutil
import subprocess  # noqa: TID251 - tools outside the package

import pytest

from enzyme_build.bindings.derivative import Derivative, Mode
from enzyme_build.bindings.header import declaration, header
from enzyme_build.bindings.interface import make_interface
from enzyme_build.bindings.signature import parse_signature
from enzyme_build.bindings.wrappers import quoted, wrapper_module
from enzyme_build.errors import ConfigError

from .functions import energy_interface, native, parameter, step_interface

REVERSE = Derivative(energy_interface(), Mode.REVERSE)
FORWARD = Derivative(energy_interface(), Mode.FORWARD)

DECLARATIONS = {
    "double energy_grad(const double *x, double *x_bar, int32_t n, double k, double *k_bar)": REVERSE,
    "double energy_jvp(const double *x, const double *x_dot, int32_t n, double k, double k_dot, "
    "double *result_dot)": FORWARD,
    "double e(const double *x, double *x_bar, int32_t n, double k, double *k_bar, double seed)": (
        Derivative(energy_interface(), Mode.REVERSE, "e", seed=True)
    ),
    "void energy_grad(const double *x, double *x_bar, int32_t n, double k, double *k_bar)": (
        Derivative(energy_interface(), Mode.REVERSE, primal=False)
    ),
    "double energy_grad(const double *x, int32_t n, double k, double *k_bar)": (
        Derivative(energy_interface(("k",)), Mode.REVERSE)
    ),
    "void step_grad(const double *x, double *x_bar, double *y, double *y_bar, double *s, double *s_bar, "
    "int32_t n)": Derivative(step_interface(), Mode.REVERSE, seed=True),
    "void step_jvp(const double *x, const double *x_dot, double *y, double *y_dot, double *s, double *s_dot, "
    "int32_t n)": Derivative(step_interface(), Mode.FORWARD),
    "double energy_hvp(const double *x, const double *x_dot, double *x_bar, double *x_bar_dot, int32_t n, double k, "
    "double k_dot, double *k_bar, double *k_bar_dot)": Derivative(energy_interface(), Mode.HVP),
}


@pytest.mark.parametrize("expected", DECLARATIONS)
def test_c_signatures(expected):
    assert declaration(DECLARATIONS[expected]) == expected


def test_reverse_asks_for_primal_and_adds_adjoints():
    text = wrapper_module([REVERSE])
    assert (
        "call { double, double } (...) @__enzyme_autodiff.energy_grad(ptr @energy, ptr @enzyme_primal_return, "
        "ptr @enzyme_dup, ptr %x, ptr %x_bar, ptr @enzyme_const, i32 %n, ptr @enzyme_out, double %k)"
    ) in text
    assert "fadd double %k.old, %part1" in text
    assert "ret double %part0" in text


def test_forward_stores_the_tangent():
    text = wrapper_module([FORWARD])
    assert "ptr @enzyme_dup, double %k, double %k_dot" in text
    assert "store double %part1, ptr %result_dot" in text


def test_one_adjoint_without_primal_is_no_struct():
    text = wrapper_module([Derivative(energy_interface(), Mode.REVERSE, primal=False)])
    assert "%all = call double (...) @__enzyme_autodiff" in text
    assert "fadd double %k.old, %all" in text
    assert "ret void" in text


def test_seed_follows_its_marker():
    text = wrapper_module([Derivative(energy_interface(), Mode.REVERSE, seed=True)])
    assert "ptr @enzyme_seed, double %seed" in text


@pytest.mark.compile
def test_llvm_accepts_it(tmp_path):
    assembler = shutil.which("llvm-as-22") or shutil.which("llvm-as")
    if assembler is None:
        pytest.skip("llvm-as was not found")
    variants = [*DECLARATIONS.values()]
    renamed = [Derivative(v.interface, v.mode, f"f{i}", seed=v.seed, primal=v.primal) for i, v in enumerate(variants)]
    path = tmp_path / "wrappers.ll"
    path.write_text(wrapper_module(renamed))
    subprocess.run([assembler, str(path), "-o", str(tmp_path / "wrappers.bc")], check=True)


@pytest.mark.compile
@pytest.mark.parametrize("compiler", ["clang", "clang++"])
def test_header_compiles(tmp_path, compiler):
    program = shutil.which(f"{compiler}-22") or shutil.which(compiler)
    if program is None:
        pytest.skip(f"{compiler} was not found")
    (tmp_path / "derivatives.h").write_text(header([REVERSE, FORWARD], "derivatives.h"))
    source = tmp_path / f"use.{'cpp' if compiler == 'clang++' else 'c'}"
    source.write_text(
        '#include "derivatives.h"\n#include "derivatives.h"\n'
        "double use(const double *x, double *b, double *k)\n"
        "{ return energy_grad(x, b, 3, 2.0, k) + energy(x, 3, 2.0); }\n"
    )
    subprocess.run([program, "-Wall", "-Werror", "-fsyntax-only", str(source)], check=True)


def test_symbols_are_quoted_where_they_must_be():
    assert quoted("_ZN6forces6energyEPKdid") == "@_ZN6forces6energyEPKdid"
    assert quoted("odd name") == '@"odd name"'


def test_shadow_names_may_not_meet():
    function = native("f", "float64", parameter("x", "float64*", constant=True), parameter("x_bar", "float64"))
    interface = make_interface(parse_signature("f(x[n], x_bar)"), function)
    with pytest.raises(ConfigError, match=re.escape("'f_grad' would have two arguments named 'x_bar'")):
        declaration(Derivative(interface, Mode.REVERSE))
