"""Sums with a large constant round where it is taken away again, or their bits are read."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.rounding import mark_rounding
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

BIG, OTHER = "0x4338000000000000", "0x4330000000000000"
KEPT = "store double %s, ptr %p\n  %t = load double, ptr %p"


@pytest.mark.parametrize(
    ("body", "rounds"),
    [
        (f"%s = fadd double %x, {BIG}\n  %r = fsub double %s, {BIG}", True),
        (f"%s = fadd double %x, {OTHER}\n  %r = fadd double %s, 0xC330000000000000", True),
        (f"%s = fadd double %x, {BIG}\n  %b = bitcast double %s to i64\n  %r = sitofp i64 %b to double", True),
        (f"%s = fadd double %x, {BIG}\n  %t = select i1 %c, double %s, double %x\n  %r = fsub double %t, {BIG}", True),
        (f"%s = fadd double %x, {BIG}\n  {KEPT}\n  %r = fsub double %t, {BIG}", True),
        (f"%s = call double @llvm.fma.f64(double %x, double %x, double {BIG})\n  %r = fsub double %s, {BIG}", True),
        (f"%r = fsub double %x, {OTHER}", False),
        (f"%s = fadd double %x, {OTHER}\n  %r = fmul double %s, %x", False),
        (f"%s = fadd double %x, {OTHER}\n  store double %s, ptr %p\n  %r = load double, ptr %p", False),
    ],
)  # fmt: skip
def test_which_sums_round(body, rounds):
    module = parse_module(f"""
declare double @llvm.fma.f64(double, double, double)
define double @f(double %x, i1 %c, ptr %p) {{
  {body}
  ret double %r
}}""")
    function = module.function("f")
    mark_rounding(module, function)
    assert check_function(module, function) == []
    names = {getattr(i.callee, "name", "") for b in function.blocks for i in b.instructions if hasattr(i, "callee")}
    assert ("llvm.rint.f64" in names) is rounds
