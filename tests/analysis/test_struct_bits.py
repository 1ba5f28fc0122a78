"""Structs in registers whose integers may be parts of numbers."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.bitflow import bit_flow
from enzyme_build.analysis.number_places import Sure
from tests.analysis.models import Model

TEXT = """
define internal { i64, i64 } @pair(i64 %a, i64 %b) {
  %one = insertvalue { i64, i64 } poison, i64 %a, 0
  %both = insertvalue { i64, i64 } %one, i64 %b, 1
  ret { i64, i64 } %both
}
define internal i64 @second({ i64, i64 } %given) {
  %taken = extractvalue { i64, i64 } %given, 1
  ret i64 %taken
}
define double @f(double %x, i64 %n, i1 %c) {
entry:
  %bits = bitcast double %x to i64
  br i1 %c, label %then, label %out
then:
  %call = call { i64, i64 } @pair(i64 FIRST, i64 SECOND)
  br label %out
out:
  %merged = phi { i64, i64 } [ %call, %then ], [ zeroinitializer, %entry ]
  %back = call i64 @second({ i64, i64 } %merged)
  %number = bitcast i64 %back to double
  ret double %number
}
"""


def sure(first: str, second: str, name: str) -> Sure:
    m = Model(TEXT.replace("FIRST", first).replace("SECOND", second))
    return bit_flow(m.memory).sure(m[name])


@pytest.mark.parametrize("name", ["call", "merged"])
def test_what_is_put_in_and_taken_out_as_a_number(name):
    assert sure("1", "%bits", name) is Sure.YES


@pytest.mark.parametrize("name", ["call", "merged"])
def test_nothing_but_counts(name):
    assert sure("1", "7", name) is Sure.NO
