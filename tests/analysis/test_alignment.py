"""Numbers that are accessed without alignment: where they lie in memory that is known to be aligned counts."""

from __future__ import annotations

import pytest

from enzyme_build.ir.types import DOUBLE

from .models import Model

ALLOCATED = """
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare ptr @mine(i64)
define void @f(ptr %given, double %x, i64 %i, i1 %c) {
  %memory = call ptr @malloc(i64 64)
  %own = call ptr @mine(i64 64)
  %grown = call ptr @realloc(ptr null, i64 64)
  %times = mul i64 %i, STEP
  %place = getelementptr i8, ptr BASE, i64 %times
  %number = getelementptr i8, ptr %place, i64 OFFSET
  store double %x, ptr %number, align 1
  ret void
}"""


@pytest.mark.parametrize(
    ("base", "step", "offset", "expected"),
    [
        ("%memory", 24, 8, True),
        ("%grown", 8, 0, True),
        ("%memory", 24, 4, False),
        ("%memory", 12, 0, False),
        ("%memory", 1, 8, False),
        ("%given", 24, 8, False),  # who knows where it begins?
        ("%own", 24, 8, False),
    ],
)
def test_places_in_what_allocators_give(base, step, offset, expected):
    text = ALLOCATED.replace("BASE", base).replace("STEP", str(step)).replace("OFFSET", str(offset))
    place = Model(text).place("number").resolved()
    assert place.content.claimed_numbers == {DOUBLE}
    assert place.content.is_aligned is expected


def test_objects_that_begin_inside_others():
    """A pointer may lead into one object, or to the begin of another: places of either are not those of both."""
    m = Model("""
declare ptr @malloc(i64)
define void @f(double %x, i1 %c) {
  %first = call ptr @malloc(i64 64)
  %second = call ptr @malloc(i64 64)
  %inside = getelementptr i8, ptr %first, i64 4
  %either = select i1 %c, ptr %inside, ptr %second
  %number = getelementptr i8, ptr %either, i64 4
  store double %x, ptr %number, align 1
  ret void
}""")
    assert not m.place("number").content.is_aligned
