"""Loads from tables of distances."""

from __future__ import annotations

import pytest

from enzyme_build.llvm import context
from enzyme_build.llvm.relative import with_plain_loads

NAMES = """
@first = private unnamed_addr constant [2 x i8] c"a\\00"
@second = private unnamed_addr {kind} [2 x i8] c"b\\00"
@other = private unnamed_addr constant ptr @second
@table = private unnamed_addr constant [2 x i32] [
"""
DISTANCE = "i32 trunc (i64 sub (i64 ptrtoint (ptr {to} to i64), i64 ptrtoint (ptr @table to i64)) to i32)"
CALL = "%4 = tail call noundef ptr @llvm.load.relative.i64(ptr nonnull @table, i64 %3)"
FUNCTION = """]
declare ptr @llvm.load.relative.i64(ptr, i64)

define i8 @f(i64 %0) {
  %2 = and i64 %0, 1
  %3 = shl i64 %2, 2
  CALL
  %5 = load i8, ptr %4
  ret i8 %5
}
"""


def module(second: str = "@second", kind: str = "constant") -> str:
    distances = ", ".join(DISTANCE.format(to=to) for to in ("@first", second))
    return NAMES.format(kind=kind).rstrip() + distances + FUNCTION.replace("CALL", CALL)


def test_the_distance_is_loaded_and_added() -> None:
    changed = with_plain_loads(module())
    context.parse_text(changed, "the result").close()
    assert "%relative.0.place = getelementptr i8, ptr @table, i64 %3" in changed
    assert "%relative.0.distance = load i32, ptr %relative.0.place, align 4" in changed
    assert "%4 = getelementptr i8, ptr @table, i32 %relative.0.distance" in changed
    assert CALL not in changed


@pytest.mark.parametrize("given", [module(kind="global"), module(second="@other")])
def test_tables_that_lead_to_variables_stay(given: str) -> None:
    context.parse_text(given, "the test").close()
    assert with_plain_loads(given) == given
