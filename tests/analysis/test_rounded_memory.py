"""Numbers that are rounded to integers in memory, and read there as numbers."""

from __future__ import annotations

import pytest

from .models import Model

TEXT = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(double %x) {{
  %p = alloca i64
  %q = alloca double
  %i = fptosi double %x to i64
  {operations}
  ret double %r
}}
"""
GROWS = "%b = add i64 %i, 4606853616395542500\n  store i64 %b, ptr %p\n  "
COPY = "call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)\n  %r = load double, ptr %q"


@pytest.mark.parametrize(
    ("operations", "found"),
    [
        (GROWS + "%r = load double, ptr %p", True),
        (GROWS + COPY, True),
        # Only the exponent has bits of it.
        ("%b = shl i64 %i, 52\n  store i64 %b, ptr %p\n  %r = load double, ptr %p", False),
        # A union that holds a number at times.
        (GROWS + "store double %x, ptr %p\n  %r = load double, ptr %p", False),
        # The integer is read as one.
        (GROWS + "%n = load i64, ptr %p\n  %r = sitofp i64 %n to double", False),
    ],
)
def test_what_is_rounded_into_memory(operations, found):
    m = Model(TEXT.format(operations=operations))
    assert (m["r"] in m.activity("out", "out").rounded) is found
    assert not m.activity("const", "out").rounded
