"""Which calls are told of vector versions of their functions."""

from __future__ import annotations

import re

import pytest

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.vector_calls import with_vector_versions

LIBRARY = (
    "_ZGVbN2v_exp",
    "_ZGVcN4v_exp",
    "_ZGVdN4v_exp",
    "_ZGVeN8v_exp",
    "_ZGVbN4v_expf",
    "_ZGVdN8v_expf",
    "_ZGVbN2vv_pow",
    "_ZGVdN4vv_pow",
)
MODULE = """
declare double @exp(double)
declare double @sinh(double)
declare float @expf(float)
declare double @pow(double, double)
declare double @llvm.exp.f64(double)
declare float @llvm.exp.f32(float)
declare double @llvm.powi.f64.i32(double, i32)
define double @f(double %x, float %y) {{
  {call}
  ret double 0.0
}}
attributes #0 = {{ nounwind }}
"""


def mappings(call, features="+avx,+avx2,+fma"):
    """What the call in a module says, as {version: function}; LLVM takes the module."""
    text = with_vector_versions(MODULE.format(call=call), LIBRARY, features)
    parse_text(text, "the module")
    found = re.search(r'"vector-function-abi-variant"="([^"]*)"', text)
    if found is None:
        assert "_ZGV" not in text
        return {}
    said = dict(re.fullmatch(r"(.*)\((.*)\)", one).groups() for one in found[1].split(","))
    for name in said.values():
        assert re.search(rf"(?m)^declare .*@{name}\(", text)
        assert f"ptr @{name}" in text  # nothing calls it yet
    return said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            "%r = tail call double @exp(double noundef %x) #0 nounwind memory(none)",
            {"_ZGV_LLVM_N2v_exp": "_ZGVbN2v_exp", "_ZGV_LLVM_N4v_exp": "_ZGVdN4v_exp"},
        ),
        (
            "%r = call fast float @expf(float %y)",
            {"_ZGV_LLVM_N4v_expf": "_ZGVbN4v_expf", "_ZGV_LLVM_N8v_expf": "_ZGVdN8v_expf"},
        ),
        (
            "%r = call double @pow(double %x, double 0x4008000000000000) nounwind",
            {"_ZGV_LLVM_N2vv_pow": "_ZGVbN2vv_pow", "_ZGV_LLVM_N4vv_pow": "_ZGVdN4vv_pow"},
        ),
        (
            "%r = call double @llvm.exp.f64(double %x)",
            {"_ZGV_LLVM_N2v_llvm.exp.f64": "_ZGVbN2v_exp", "_ZGV_LLVM_N4v_llvm.exp.f64": "_ZGVdN4v_exp"},
        ),
        (
            "%r = call float @llvm.exp.f32(float %y)",
            {"_ZGV_LLVM_N4v_llvm.exp.f32": "_ZGVbN4v_expf", "_ZGV_LLVM_N8v_llvm.exp.f32": "_ZGVdN8v_expf"},
        ),
        ("%r = call double @llvm.powi.f64.i32(double %x, i32 3)", {}),
        ("%r = call double @sinh(double %x)", {}),
        ("%r = fadd double %x, %x", {}),
    ],
)
def test_calls(call, said):
    assert mappings(call) == said


@pytest.mark.parametrize(
    ("features", "functions"),
    [
        ("", {"_ZGVbN2v_exp"}),
        ("+avx", {"_ZGVbN2v_exp", "_ZGVcN4v_exp"}),
        ("+avx,+avx2", {"_ZGVbN2v_exp", "_ZGVdN4v_exp"}),
        ("+avx,+avx2,+avx512f", {"_ZGVbN2v_exp", "_ZGVdN4v_exp", "_ZGVeN8v_exp"}),
        ("-avx2", {"_ZGVbN2v_exp"}),
    ],
)
def test_the_processor_has_the_instructions(features, functions):
    assert set(mappings("%r = call double @exp(double %x)", features).values()) == functions


def test_a_name_that_the_program_calls_itself():
    direct = "%v = call <2 x double> @_ZGVbN2v_exp(<2 x double> zeroinitializer)\n  %r = call double @exp(double %x)"
    text = MODULE.format(call=direct) + "declare <2 x double> @_ZGVbN2v_exp(<2 x double>)\n"
    text = with_vector_versions(text, LIBRARY, "")
    parse_text(text, "the module")
    assert text.count("declare <2 x double> @_ZGVbN2v_exp") == 1
    assert "_ZGV_LLVM_N2v_exp(_ZGVbN2v_exp)" in text
