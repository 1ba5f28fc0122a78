"""Names to rows and back; and what `spelling` gives really computes the function."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import re
import subprocess  # noqa: TID251

import mpmath as mp
import pytest

from enzyme_build.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I32,
    I64,
    PTR,
    VOID,
    X86_FP80,
    function_type,
    struct_type,
    vector_type,
)
from enzyme_build.rules.expr import Apply, walk
from enzyme_build.rules.names import HELPERS, SEVERAL_RESULTS, canonical, crate_function, has_signature, spelling
from enzyme_build.rules.registry import helper
from enzyme_build.rules.scalar import INTEGER_OPERANDS, PARTIALS

from .numbers import FUNCTIONS


@pytest.mark.parametrize(
    ("symbol", "function", "type_"),
    [
        ("sin", "sin", DOUBLE),
        ("sinf", "sin", FLOAT),
        ("sinl", "sin", X86_FP80),
        ("sinf128", "sin", FP128),
        ("__sin_finite", "sin", DOUBLE),
        ("__expf_finite", "exp", FLOAT),
        ("__lgamma_r_finite", "lgamma_r", DOUBLE),
        ("llvm.sin.f64", "sin", DOUBLE),
        ("llvm.sin.v4f32", "sin", vector_type(FLOAT, 4)),
        ("llvm.fabs.nxv2f64", "fabs", vector_type(DOUBLE, 2, scalable=True)),
        ("llvm.exp.f80", "exp", X86_FP80),
        ("llvm.exp.bf16", "exp", BFLOAT),
        ("llvm.powi.f64.i32", "powi", DOUBLE),
        ("llvm.powi.v2f64.i32", "powi", vector_type(DOUBLE, 2)),
        ("llvm.ldexp.f32.i32", "ldexp", FLOAT),
        ("llvm.maxnum.f64", "fmax", DOUBLE),
        ("llvm.arithmetic.fence.f64", "arithmetic.fence", DOUBLE),
        ("llvm.frexp.f64.i32", "llvm.frexp", DOUBLE),
        ("llvm.sincos.f32", "llvm.sincos", FLOAT),
        ("fmax", "fmax", DOUBLE),
        ("fmaxf", "fmax", FLOAT),
        ("fmaximum_numf", "maximumnum", FLOAT),
        ("fma", "fma", DOUBLE),
        ("fmal", "fma", X86_FP80),
        ("modf", "modf", DOUBLE),
        ("modff", "modf", FLOAT),
        ("erf", "erf", DOUBLE),
        ("erff", "erf", FLOAT),
        ("logl", "log", X86_FP80),
        ("ceil", "ceil", DOUBLE),
        ("ceill", "ceil", X86_FP80),
        ("lgammaf_r", "lgamma_r", FLOAT),
        ("lgammal_r", "lgamma_r", X86_FP80),
        ("gamma", "lgamma", DOUBLE),
        ("scalbnf", "ldexp", FLOAT),
        ("cabs", "hypot", DOUBLE),
        ("cexp", "cexp", DOUBLE),
        ("j1f", "j1", FLOAT),
        ("ynl", "yn", X86_FP80),
        ("__muldc3", "muldc3", DOUBLE),
        ("__divxc3", "divdc3", X86_FP80),
        ("enzyme_build.digamma.f32", "digamma", FLOAT),
    ],
)
def test_canonical(symbol, function, type_):
    assert canonical(symbol) == (function, type_)


@pytest.mark.parametrize(
    "symbol",
    [
        "main",
        "sine",
        "f",
        "l",
        "",
        "_ZSt3sind",
        "llvm.memcpy.p0.p0.i64",
        "llvm.sin",
        "llvm.sin.i32",
        "fadd",
        "powi",
        "llvm.ssa.copy.p0",
        "llvm.fptosi.sat.i32.f64",
        "llvm.vector.reduce.fadd.v4f64",
        "sinff",
        "__finite",
        "digamma",
    ],
)
def test_unknown_names(symbol):
    assert canonical(symbol) is None


def test_long_double_may_be_another_type():
    assert canonical("sinl", long_double=FP128) == ("sin", FP128)


@pytest.mark.parametrize("function", PARTIALS)
@pytest.mark.parametrize("type_", [FLOAT, DOUBLE, X86_FP80, vector_type(DOUBLE, 2)])
def test_spelling_is_read_back(function, type_):
    callee = spelling(function, type_)
    if callee is not None:
        assert canonical(callee.name) == (function, type_)
        assert has_signature(function, type_, callee.type)


@pytest.mark.parametrize("type_", [FLOAT, DOUBLE, X86_FP80])
def test_every_called_function_has_a_spelling(type_):
    rows = list(PARTIALS.values()) + [result.partials for rule in SEVERAL_RESULTS.values() for result in rule.results]
    called = {node.function for row in rows for partial in row for node in walk(partial) if isinstance(node, Apply)}
    assert all(spelling(function, type_) for function in called)


@pytest.mark.parametrize(
    ("function", "type_", "signature", "fits"),
    [
        ("sin", DOUBLE, function_type(DOUBLE, (DOUBLE,)), True),
        ("sin", DOUBLE, function_type(FLOAT, (FLOAT,)), False),
        ("y1", DOUBLE, function_type(DOUBLE, (PTR,)), False),
        ("lgamma", DOUBLE, function_type(VOID, (DOUBLE,)), False),
        ("pow", DOUBLE, function_type(DOUBLE, (DOUBLE, DOUBLE)), True),
        ("pow", DOUBLE, function_type(DOUBLE, (DOUBLE,)), False),
        ("ldexp", DOUBLE, function_type(DOUBLE, (DOUBLE, I32)), True),
        ("scalbln", DOUBLE, function_type(DOUBLE, (DOUBLE, I64)), True),
        ("frexp", DOUBLE, function_type(DOUBLE, (DOUBLE, PTR)), True),
        ("frexp", DOUBLE, function_type(DOUBLE, (DOUBLE, DOUBLE)), False),
        ("cexp", DOUBLE, function_type(struct_type((DOUBLE, DOUBLE)), (DOUBLE, DOUBLE)), True),
        ("cexp", DOUBLE, function_type(DOUBLE, (DOUBLE, DOUBLE)), False),
        ("muldc3", FLOAT, function_type(vector_type(FLOAT, 2), (FLOAT, FLOAT, FLOAT, FLOAT)), True),
        ("llvm.frexp", DOUBLE, function_type(struct_type((DOUBLE, I32)), (DOUBLE,)), True),
        ("sincos", FLOAT, function_type(VOID, (FLOAT, PTR, PTR)), True),
        ("sin", DOUBLE, function_type(DOUBLE, (DOUBLE,), variadic=True), False),
        ("nexttoward", DOUBLE, function_type(DOUBLE, (DOUBLE, X86_FP80)), True),
    ],
)
def test_signatures(function, type_, signature, fits):
    assert has_signature(function, type_, signature) == fits


def test_half_precision_functions_without_intrinsic_go_another_way():
    assert spelling("erf", HALF) is None
    assert spelling("sin", HALF).name == "llvm.sin.f16"
    assert spelling("erf", vector_type(DOUBLE, 2)) is None


def definitions(symbol):
    """A helper, what it calls, and the declarations, as text."""
    pending, texts, lines = [symbol], {}, {}
    while pending:
        found = helper(pending.pop())
        if found is not None and found.symbol not in texts:
            texts[found.symbol] = found.text
            lines.update(dict.fromkeys(found.declarations))
            pending.extend(found.helpers)
    return "\n".join([*texts.values(), *lines])


TOLERANCES = {FLOAT: 2e-6, DOUBLE: 1e-13, X86_FP80: 1e-13}
TO_TYPE = {FLOAT: "fptrunc double %a to float", DOUBLE: "fadd double %a, -0.0", X86_FP80: "fpext double %a to x86_fp80"}
TO_DOUBLE = {
    FLOAT: "fpext float %y to double",
    DOUBLE: "fadd double %y, -0.0",
    X86_FP80: "fptrunc x86_fp80 %y to double",
}
THREE_QUARTERS = {FLOAT: "0x3FE8000000000000", DOUBLE: "0x3FE8000000000000", X86_FP80: "0xK3FFEC000000000000000"}
LIBM = ctypes.CDLL(ctypes.util.find_library("m"))


def computable(function, type_):
    callee = spelling(function, type_)
    return (
        callee is not None
        and (callee.name.startswith(("llvm.", "enzyme")) or hasattr(LIBM, callee.name))
        # Their second operands are a long double, and a whole number.
        and function not in {"nexttoward", "scalb"}
    )


CASES = [(name, t) for name in dict.fromkeys([*PARTIALS, *sorted(HELPERS)]) for t in TOLERANCES if computable(name, t)]


def operands(function, type_):
    """Texts and numbers of the operands: %x, then 3/4, or 3 for an integer."""
    parameters = spelling(function, type_).type.parameters
    integer = INTEGER_OPERANDS.get(function)
    texts, numbers = [], []
    for at, parameter in enumerate(parameters):
        if at == integer:
            texts.append(f"{parameter} 3")
            numbers.append(3)
        elif "%x" not in "".join(texts):
            texts.append(f"{type_} %x")
            numbers.append(0.625 if function.startswith(("asin", "acos", "atan")) and function != "acosh" else 1.25)
        else:
            texts.append(f"{type_} {THREE_QUARTERS[type_]}")
            numbers.append(0.75)
    return texts, numbers


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Every case as machine code: `<function>_<type>` of the operand that varies."""
    lines = dict.fromkeys(definitions(f"enzyme_build.{name}.{t}") for name in HELPERS for t in ("f64", "f32", "f80"))
    texts = {text: None for block in lines for text in re.split(r"\n(?=define|declare)", block)}
    for function, type_ in CASES:
        callee = spelling(function, type_)
        if not callee.name.startswith("enzyme"):
            texts[f"declare {callee.type.result} @{callee.name}({', '.join(map(str, callee.type.parameters))})"] = None
        arguments = ", ".join(operands(function, type_)[0])
        texts[
            f"""define double @"{function}_{type_}"(double %a) {{
  %x = {TO_TYPE[type_]}
  %y = call {type_} @{callee.name}({arguments})
  %r = {TO_DOUBLE[type_]}
  ret double %r
}}"""
        ] = None
    folder = tmp_path_factory.mktemp("spelled")
    (folder / "spelled.ll").write_text("\n".join(texts))
    command = ["clang-22", "-shared", "-fPIC", "-w", "-O1", "-o", folder / "spelled.so", folder / "spelled.ll", "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(folder / "spelled.so")


def compiled(library, function, type_):
    found = library[f"{function}_{type_}"]
    found.restype, found.argtypes = ctypes.c_double, [ctypes.c_double]
    return found


@pytest.mark.compile
@pytest.mark.parametrize(("function", "type_"), CASES, ids=str)
def test_what_is_spelled_computes_the_function(library, function, type_):
    _, numbers = operands(function, type_)
    varying = next(number for number in numbers if isinstance(number, float))
    expected = FUNCTIONS[function](*(n if isinstance(n, int) else mp.mpf(n) for n in numbers))
    assert compiled(library, function, type_)(varying) == pytest.approx(float(expected), rel=TOLERANCES[type_])


POINTS = [1e-300, 1e-8, 0.01, 0.3, 0.5, 1.0, 1.4, 1.5, 2.0, 3.7, 9.99, 10.0, 12.5, 100.0, 1e6, 1e18]


@pytest.mark.compile
@pytest.mark.parametrize(("function", "order"), [("digamma", 0), ("trigamma", 1), ("tetragamma", 2)])
def test_helpers_are_accurate(library, function, order):
    helped = compiled(library, function, DOUBLE)
    for x in [*POINTS, *(-x for x in POINTS if x != int(x)), -0.25, -1.5, -3.3, -57.123, -1000.7]:
        # The slope overflows near 0.
        if order == 0 or abs(x) > 1e-100:
            assert helped(x) == pytest.approx(float(mp.psi(order, mp.mpf(x))), rel=1e-13, abs=1e-13), x
    for pole in [-1.0, -2.0, -17.0]:
        assert math.isnan(helped(pole))
    assert math.isinf(helped(0.0))
    assert math.isnan(helped(math.nan))


@pytest.mark.parametrize(
    ("symbol", "function"),
    [
        ("_ZN4libm4math3exp3exp17h25c28f91a3874477E", "exp"),
        ("_ZN4libm4math4erff5erfcf17ha4a20d24a79905f6E", "erfcf"),
        ("_ZN4libm4math5log1p5log1p17h6ba6f51d94209a80E", "log1p"),
        ("_RNvNtNtCsdaaaa_4libm4math5atan25atan2", "atan2"),
        ("_ZN4libm4math5log1p", None),
        ("_ZN5model4libm4math3exp3exp17h25c28f91a3874477E", None),
        ("exp", None),
    ],
)
def test_functions_of_the_crate(symbol, function):
    assert crate_function(symbol) == function
