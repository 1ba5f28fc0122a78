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


FOLLOWED = """
declare { i64, ptr } @elsewhere()
declare void @away({ i64, ptr })
@kept = global { i64, ptr } zeroinitializer
define internal { i64, ptr } @made(i64 %a, ptr %p) {
  %one = insertvalue { i64, ptr } poison, i64 %a, 0
  %both = insertvalue { i64, ptr } %one, ptr %p, 1
  ret { i64, ptr } %both
}
define { i64, ptr } @f({ i64, ptr } %given, ptr %p, i64 %n, i1 %c) {
  %own = call { i64, ptr } @made(i64 %n, ptr %p)
  %loaded = load { i64, ptr }, ptr %p
  %unseen = call { i64, ptr } @elsewhere()
  %chosen = select i1 %c, { i64, ptr } %own, { i64, ptr } OTHER
  BEHIND
  ret { i64, ptr } RETURNED
}
"""


@pytest.mark.parametrize(
    ("other", "behind", "returned", "followed"),
    [
        ("zeroinitializer", "", "zeroinitializer", True),
        ("%loaded", "", "zeroinitializer", False),
        ("%given", "", "zeroinitializer", False),
        ("%unseen", "", "zeroinitializer", False),
        ("zeroinitializer", "store { i64, ptr } %chosen, ptr @kept", "zeroinitializer", False),
        ("zeroinitializer", "call void @away({ i64, ptr } %chosen)", "zeroinitializer", False),
        ("zeroinitializer", "", "%chosen", False),
    ],
)
def test_structs_that_are_seen_everywhere(other, behind, returned, followed):
    text = FOLLOWED.replace("OTHER", other).replace("BEHIND", behind).replace("RETURNED", returned)
    m = Model(text)
    untold = bit_flow(m.memory).untold
    assert [m[name] in untold for name in ("own", "chosen")] == [not followed] * 2
