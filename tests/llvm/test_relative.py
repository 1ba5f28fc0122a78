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


@pytest.mark.parametrize("kind", ["constant", "global"])
@pytest.mark.parametrize("second", ["@second", "@other", "getelementptr inbounds (i8, ptr @second, i64 1)"])
def test_the_address_is_loaded(second: str, kind: str) -> None:
    changed = with_plain_loads(module(second, kind))
    context.parse_text(changed, "the result").close()
    assert f'@"table.addresses" = private constant [2 x ptr] [ptr @first, ptr {second}], align 8' in changed
    assert "%relative.0.offset = shl i64 %3, 1" in changed
    assert '%relative.0.place = getelementptr i8, ptr @"table.addresses", i64 %relative.0.offset' in changed
    assert "%4 = load ptr, ptr %relative.0.place, align 8" in changed
    assert CALL not in changed


def test_tables_of_something_else_stay() -> None:
    given = module().replace("@table to i64)) to i32)]", "@first to i64)) to i32)]")
    context.parse_text(given, "the test").close()
    assert with_plain_loads(given) == given
