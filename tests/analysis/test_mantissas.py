"""Integers that grow with the number whose bits they have."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.mantissas import fraction_grows, grows_with_a_number
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import DOUBLE

from .models import Model

TEXT = """
define i64 @f(double %x, i64 %n) {{
  %bits = bitcast double %x to i64
  {operations}
  ret i64 %n
}}
"""


@pytest.mark.parametrize(
    ("operations", "grows"),
    [
        ("%r = add i64 %bits, -4606853616395542500", True),
        ("%r = and i64 %bits, 4503599627370495", True),  # the fraction
        ("%r = and i64 %bits, 255", False),  # its last bits
        ("%r = lshr i64 %bits, 52", False),  # the exponent
        ("%e = lshr i64 %bits, 52\n  %r = sub i64 %e, 1023", False),
        ("%r = lshr i64 %bits, 44", True),
        ("%s = lshr i64 %bits, 32\n  %r = trunc i64 %s to i32", True),
        ("%r = trunc i64 %bits to i32", False),
        ("%s = trunc i64 %bits to i8\n  %r = zext i8 %s to i64", False),
        ("%s = shl i64 %bits, 12\n  %r = lshr i64 %s, 12", True),
        ("%r = mul i64 %bits, 37", False),  # a hash
        ("%c = icmp eq i64 %n, 0\n  %r = select i1 %c, i64 %n, i64 %bits", False),  # a count at other times
        ("%c = icmp eq i64 %n, 0\n  %r = select i1 %c, i64 7, i64 %bits", True),
        ("%r = sub i64 %n, 3", False),
    ],
)
def test_operations_on_bits(operations, grows):
    m = Model(TEXT.format(operations=operations))
    found = grows_with_a_number(m["r"], lambda v: DOUBLE if isinstance(v, ir.Cast) and v.op == "bitcast" else None)
    assert found is grows


ROUNDED = """
define double @f(double %x, i64 %n) {{
  %i = fptosi double %x to i64
  {operations}
  %b = bitcast i64 %r to double
  ret double %b
}}
"""


@pytest.mark.parametrize(
    ("operations", "grows"),
    [
        ("%r = add i64 %i, 4606853616395542500", True),
        ("%r = shl i64 %i, 20", True),
        ("%e = add i64 %i, 1023\n  %r = shl i64 %e, 52", False),  # the exponent
        ("%r = and i64 %i, 255", False),  # the last bits of a fraction
        ("%h = mul i64 %i, 73856093\n  %r = or i64 %h, 4607182418800017408", False),  # a hash
        ("%r = add i64 %n, 4607182418800017408", False),
    ],
)
def test_rounded_numbers_among_the_bits_of_others(operations, grows):
    m = Model(ROUNDED.format(operations=operations))
    assert fraction_grows(m["r"], DOUBLE, lambda v: isinstance(v, ir.Cast) and v.op == "fptosi") is grows
