"""Integers that grow with the number whose bits they have."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.mantissas import fraction_grows, grows_with_a_number, has_slope
from enzyme_build.analysis.roundings import rounded_number
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import DOUBLE

from .models import Model

TEXT = """
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)
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
        ("%r = sdiv i64 %bits, 3", True),
        ("%r = sdiv i64 %bits, %n", True),
        ("%e = lshr i64 %bits, 52\n  %r = sdiv i64 %e, %n", False),
        ("%r = mul nsw i64 %bits, 3", True),
        ("%k = trunc i64 %n to i32\n  %z = zext i32 %k to i64\n  %r = mul i64 %bits, %z", True),
        ("%r = mul i64 %bits, %n", False),
        ("%r = and i64 %bits, %n", True),
        ("%r = lshr i64 %bits, %n", True),
        ("%r = shl i64 %bits, %n", True),
        ("%e = lshr i64 %bits, 52\n  %r = lshr i64 %e, %n", False),
        ("%r = call i64 @llvm.usub.sat.i64(i64 %bits, i64 77)", True),
        ("%r = call i64 @llvm.smax.i64(i64 %bits, i64 0)", True),
        ("%r = call i64 @llvm.umin.i64(i64 %n, i64 77)", False),
        ("%v = bitcast i64 %bits to <2 x i32>\n  %r = extractelement <2 x i32> %v, i64 1", True),
    ],
)
def test_operations_on_bits(operations, grows):
    m = Model(TEXT.format(operations=operations))
    found = grows_with_a_number(m["r"], lambda v: DOUBLE if isinstance(v, ir.Cast) and v.op == "bitcast" else None)
    assert found is grows


SQUARE = """
  %m = and i64 %bits, 4503599627370495
  %t = lshr i64 %m, 21
  %s = mul nsw i64 %t, %t
  %r = lshr i64 %s, 31
"""


@pytest.mark.parametrize(
    ("operations", "slope"),
    [
        # The exponent, or the next one for the upper half of its numbers.
        ("%h = lshr i64 %bits, 51\n  %o = and i64 %h, 1\n  %e = lshr i64 %bits, 52\n  %r = sub i64 %e, %o", False),
        ("%h = lshr i64 %bits, 50\n  %r = and i64 %h, 3", True),
        ("%h = lshr i64 %bits, 51\n  %o = and i64 %h, 1\n  %r = mul nsw i64 %o, 3", False),
        ("%h = lshr i64 %bits, 50\n  %r = and i64 %h, 1", True),  # others may make the fraction of such
        # Products and shifts keep whatever they may.
        (SQUARE, True),
        ("%r = lshr i64 %bits, %n", True),
        ("%r = add i64 %bits, 1", True),
        ("%r = lshr i64 %bits, 52", False),
    ],
)
def test_one_bit_has_no_slope(operations, slope):
    m = Model(TEXT.format(operations=operations))
    found = has_slope(m["r"], lambda v: DOUBLE if isinstance(v, ir.Cast) and v.op == "bitcast" else None)
    assert found is slope


LOOP = """
define i64 @f(double %x, i64 %n) {
entry:
  %bits = bitcast double %x to i64
  br label %loop
loop:
  %all = phi i64 [ 0, %entry ], [ %r, %loop ]
  %twice = shl i64 %all, 1
  %h = lshr i64 %bits, %all
  %o = and i64 %h, 1
  %r = or i64 %twice, %o
  %c = icmp eq i64 %n, %all
  br i1 %c, label %end, label %loop
end:
  ret i64 %r
}
"""


def test_bits_put_together_by_a_loop_have_a_slope():
    assert has_slope(Model(LOOP)["r"], lambda v: DOUBLE if isinstance(v, ir.Cast) and v.op == "bitcast" else None)


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


SUMMED = """
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %rounded = fptosi double %x to i64
  %more = add i64 %sum, %rounded
  %next = add i64 %i, 1
  %c = icmp eq i64 %next, %n
  br i1 %c, label %end, label %loop
end:
  %b = bitcast i64 %more to double
  ret double %b
}
"""


@pytest.mark.parametrize("name", ["more", "sum"])
def test_what_is_summed_in_a_loop(name):
    m = Model(SUMMED)
    assert fraction_grows(m[name], DOUBLE, lambda v: rounded_number(v) is not None)
    assert not fraction_grows(m["next"], DOUBLE, lambda v: rounded_number(v) is not None)


@pytest.mark.parametrize(
    ("operation", "rounds"),
    [
        ("call i64 @llvm.fptosi.sat.i64.f64(double %x)", True),
        ("call i64 @lrint(double %x)", True),
        ("call i64 @llvm.llround.i64.f64(double %x)", True),
        ("call i64 @other(double %x)", False),
        ("bitcast double %x to i64", False),
    ],
)
def test_what_rounds(operation, rounds):
    name = operation.partition("@")[2].partition("(")[0]
    declared = f"declare i64 @{name}(double)\n" if name else ""
    m = Model(f"{declared}define i64 @f(double %x) {{\n  %r = {operation}\n  ret i64 %r\n}}\n")
    assert (rounded_number(m["r"]) is m["x"]) is rounds
