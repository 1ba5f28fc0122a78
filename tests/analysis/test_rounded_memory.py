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
        # A union that holds a number at times, and a count at others, or what was scaled to be the bits of a number.
        ("%b = add i64 %i, 3\n  store i64 %b, ptr %p\n  store double %x, ptr %p\n  %r = load double, ptr %p", False),
        (GROWS + "store double %x, ptr %p\n  %r = load double, ptr %p", True),
        # The integer is read as one.
        (GROWS + "%n = load i64, ptr %p\n  %r = sitofp i64 %n to double", False),
    ],
)
def test_what_is_rounded_into_memory(operations, found):
    m = Model(TEXT.format(operations=operations))
    assert (m["r"] in m.activity("out", "out").rounded.numbers) is found
    assert not m.activity("const", "out").rounded.numbers


def test_what_is_read_as_an_integer_again():
    m = Model(TEXT.format(operations=GROWS + "%n = load i64, ptr %p\n  %r = bitcast i64 %n to double"))
    assert m["n"] in m.activity("out", "out").rounded.words
    m = Model(TEXT.format(operations="store i64 7, ptr %p\n  %n = load i64, ptr %p\n  %r = bitcast i64 %n to double"))
    assert not m.activity("out", "out").rounded.words


FUNCTIONS = """
define internal void @set(ptr %p, double %v) noinline {
  %s = fmul double %v, 0x4357154000000000
  %i = fptosi double %s to i64
  store i64 %i, ptr %p
  ret void
}
define internal double @get(ptr %p) noinline {
  %v = load double, ptr %p
  ret double %v
}
define double @f(double %x) {
  %p = alloca i64
  call void @set(ptr %p, double %x)
  %r = call double @get(ptr %p)
  ret double %r
}
"""


@pytest.mark.parametrize(("scale", "found"), [("0x4357154000000000", True), ("8.0", False)])
def test_what_functions_round_into_memory_and_read(scale, found):
    m = Model(FUNCTIONS.replace("0x4357154000000000", scale))
    assert (m["r"] in m.activity("out", "out").rounded.numbers) is found
