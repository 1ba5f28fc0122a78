"""Computed integers say nothing of other places where they are kept."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.computed import is_count
from enzyme_build.analysis.kinds import Kind

from .models import Model

TEXT = """
define void @f(i32 %n, i64 %word, i8 %c, double %x, ptr %a, ptr %b) {{
  %long = sext i32 %n to i64
  %wide = zext i32 %n to i64
  %small = zext i8 %c to i64
  %whole = fptosi double %x to i64
  %next = add i64 %long, 1
  %sum = add i64 %long, %word
  %product = mul i64 %long, %small
  %scaled = mul i64 %long, 4503599627370496
  %shifted = shl i64 %long, 52
  %part = urem i64 %word, 10
  {body}
  ret void
}}
"""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *(("long", True), ("small", True), ("whole", True), ("next", True), ("product", True), ("part", True)),
        *(("wide", False), ("sum", False), ("scaled", False), ("shifted", False), ("word", False)),
    ],
)
def test_counts_are_told_by_what_makes_them(value, expected):
    assert is_count(Model(TEXT.format(body=""))[value]) is expected


@pytest.mark.parametrize(("stored", "other"), [("%next", Kind.INTEGER), ("%word", Kind.MIXED)])
def test_places_of_a_count_are_not_one(stored, other):
    m = Model(TEXT.format(body=f"store i64 {stored}, ptr %a\n  store ptr %b, ptr %a\n  store i64 {stored}, ptr %b"))
    assert m.holds("a") == (Kind.MIXED, None)
    assert m.holds("b")[0] is other
