"""Divisors of what is added to pointers."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.multiples import NotReachedError, step_of
from enzyme_build.analysis.offsets import element_offset

from .models import Model


def step(*lines: str, place=None) -> int:
    """The divisor of the byte offset `%n` (an i64) in a function of two pointers into arrays of 24-byte structs."""
    body = "\n  ".join(lines)
    m = Model(f"""
define void @f(ptr %p, i64 %i, i64 %j, i1 %c) {{
  %a = getelementptr {{ double, double, double }}, ptr %p, i64 %i
  %b = getelementptr {{ double, double, double }}, ptr %p, i64 %j
  %x = ptrtoint ptr %a to i64
  %y = ptrtoint ptr %b to i64
  {body}
  %g = getelementptr i8, ptr %p, i64 %n
  ret void
}}""")
    return step_of(element_offset(m.module.layout, m["g"]), place or m.memory.place)


def test_difference_of_pointers_into_one_array():
    assert step("%n = sub i64 %x, %y") == 24


def test_sums_and_products():
    assert step("%n = mul i64 %i, 40") == 40
    assert step("%k = mul i64 %i, 16", "%n = add i64 %k, 24") == 16  # 24 is the constant part
    assert step("%d = sub i64 %x, %y", "%n = shl i64 %d, 1") == 48
    assert step("%d = sub i64 %x, %y", "%k = mul i64 %i, 16", "%n = add i64 %d, %k") == 8


def test_anything():
    assert step("%n = add i64 %i, 0") == 1
    assert step("%n = lshr i64 %x, 1") == 1


def test_masks():
    assert step("%n = and i64 %i, -8") == 8


def test_exact_shifts_of_widened_counts():
    assert step("%h = shl i64 %i, 32", "%l = add i64 %h, -4294967296", "%n = ashr exact i64 %l, 28") == 16
    assert step("%n = ashr exact i64 %i, 4") == 1
    assert step("%h = mul i64 %i, 48", "%n = lshr i64 %h, 1") == 8  # 3 does not divide what overflows
    assert step("%h = mul i64 %i, 48", "%n = lshr i64 %h, 7") == 1


def test_shifts_around_a_loop():
    """What begins as 64 and is halved is not divided by 64."""
    m = Model("""
define void @f(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %n = phi i64 [ 64, %entry ], [ %half, %loop ]
  %half = ashr exact i64 %n, 1
  %g = getelementptr i8, ptr %p, i64 %n
  br i1 %c, label %loop, label %end
end:
  ret void
}""")
    assert step_of(element_offset(m.module.layout, m["g"]), m.memory.place) == 1


def test_other_widths():
    """3 does not divide what overflows, 8 does."""
    assert step("%t = trunc i64 %i to i32", "%m = mul i32 %t, 24", "%n = sext i32 %m to i64") == 8


def test_choices():
    assert step("%d = sub i64 %x, %y", "%n = select i1 %c, i64 %d, i64 48") == 24
    assert step("%d = sub i64 %x, %y", "%n = select i1 %c, i64 %d, i64 36") == 12


def test_pointers_not_reached_yet():
    with pytest.raises(NotReachedError):
        step("%n = sub i64 %x, %y", place=lambda _: None)


def test_around_a_loop():
    m = Model("""
define void @f(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %n = phi i64 [ 48, %entry ], [ %more, %loop ]
  %g = getelementptr i8, ptr %p, i64 %n
  %more = add i64 %n, 72
  br i1 %c, label %loop, label %exit
exit:
  ret void
}""")
    assert step_of(element_offset(m.module.layout, m["g"]), m.memory.place) == 24
