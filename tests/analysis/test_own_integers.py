"""Counters in memory of which all uses are seen, which are joined with the bits of numbers elsewhere."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.bitflow import bit_flow
from enzyme_build.analysis.number_places import Sure

from .models import Model

JOINED = """
@g = internal global double 1.0
declare void @elsewhere(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @grow(ptr %list) {{
  {grow}
  ret void
}}
define double @f(ptr %x, i1 %failed, ptr %given) {{
  %list = alloca [16 x i8]
  %at = getelementptr i8, ptr %list, i64 8
  %number = load double, ptr %x
  store i64 0, ptr %at
  {more}
  call void @grow(ptr %list)
  %count = load i64, ptr %at
  %next = add i64 %count, 1
  %bits = bitcast double %number to i64
  %either = select i1 %failed, i64 %bits, i64 %next
  %r = bitcast i64 %either to double
  ret double %r
}}
"""


def joined(more: str = "", grow: str = "") -> Sure:
    m = Model(JOINED.format(more=more, grow=grow))
    flow = bit_flow(m.memory)
    assert flow.sure(m["either"]) is Sure.YES
    return flow.sure(m["next"])


@pytest.mark.parametrize(
    ("more", "grow"),
    [
        ("", ""),
        ("store double %number, ptr %list", ""),  # another place
        ("", "store i64 7, ptr %list"),
        ("call void @llvm.memset.p0.i64(ptr %list, i8 0, i64 16, i1 false)", ""),
    ],
)
def test_what_is_stored_tells_what_is_read(more: str, grow: str) -> None:
    assert joined(more, grow) is Sure.NO


@pytest.mark.parametrize(
    ("more", "grow"),
    [
        ("store double %number, ptr %at", ""),
        (
            "store i64 1, ptr %list",
            "%n = load double, ptr @g\n  %p = getelementptr i8, ptr %list, i64 8\n  store double %n, ptr %p",
        ),
        ("call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %x, i64 8, i1 false)", ""),
        ("call void @elsewhere(ptr %list)", ""),
        ("store ptr %list, ptr %given", ""),
    ],
)
def test_where_numbers_may_come_from_elsewhere_they_are_looked_for(more: str, grow: str) -> None:
    assert joined(more, grow) is not Sure.NO
