"""Words that are moved in halves are moved as one."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.whole_words import join_halves
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

LOOP = """
define double @f(ptr %p, ptr %q, i1 %again, ptr %given) {{
entry:
  %at = getelementptr i8, ptr %p, i64 4
  {first}
  br label %loop
loop:
  %l = phi i32 [ %low, %entry ], [ %low2, %loop ]
  %h = phi i32 [ %high, %entry ], [ %high2, %loop ]
  store i32 %l, ptr %q, align 8
  %q4 = getelementptr i8, ptr %q, i64 4
  {between}
  store i32 %h, ptr %q4, align 4
  %low2 = load i32, ptr %q, align 8
  %high2 = load i32, ptr %q4, align 4
  br i1 %again, label %loop, label %done
done:
  %wide = zext i32 %h to i64
  %upper = shl nuw i64 %wide, 32
  %lower = zext i32 %l to i64
  %word = or disjoint i64 %upper, %lower
  {use}
  %y = load double, ptr %r
  ret double %y
}}
"""
READ = "%low = load i32, ptr %p, align 8\n  %high = load i32, ptr %at, align 4"
REVERSED = "%high = load i32, ptr %at, align 4\n  %low = load i32, ptr %p, align 8"
TAKEN_APART = """%given.word = ptrtoint ptr %given to i64
  %low = trunc i64 %given.word to i32
  %shifted = lshr i64 %given.word, 32
  %high = trunc i64 %shifted to i32"""
POINTER = "%r = inttoptr i64 %word to ptr"


def joined(first: str = READ, between: str = "", use: str = POINTER) -> list[ir.Instruction]:
    module = parse_module(LOOP.format(first=first, between=between, use=use))
    function = module.function("f")
    join_halves(module.layout, function)
    assert not check_function(module, function)
    return [*function.instructions()]


def accesses(instructions: list[ir.Instruction]) -> list[str]:
    loads = [f"load {i.type}" for i in instructions if isinstance(i, ir.Load)]
    return [*loads, *(f"store {i.value.type}" for i in instructions if isinstance(i, ir.Store))]


@pytest.mark.parametrize("first", [READ, REVERSED])
def test_both_halves_are_read_merged_and_written_at_once(first: str) -> None:
    found = joined(first)
    assert accesses(found) == ["load i64", "load i64", "load double", "store i64"]
    (pointer,) = [i for i in found if isinstance(i, ir.Cast) and i.op == "inttoptr"]
    assert isinstance(pointer.operands[0], ir.Phi)


def test_a_word_that_is_taken_apart_is_itself() -> None:
    found = joined(TAKEN_APART)
    assert accesses(found) == ["load i64", "load double", "store i64"]


def test_halves_are_not_written_at_once_around_other_writes() -> None:
    found = joined(between="store i32 7, ptr %given")
    assert accesses(found).count("store i32") == 3


def test_nor_read_where_something_is_written_in_between() -> None:
    split = "%low = load i32, ptr %p, align 8\n  store i32 0, ptr %given\n  %high = load i32, ptr %at, align 4"
    found = joined(split)
    assert accesses(found)[:2] == ["load i32", "load i32"]


def test_what_becomes_neither_a_pointer_nor_a_number_stays() -> None:
    found = joined(use="%odd = add i64 %word, 1\n  %r = getelementptr i8, ptr %given, i64 %odd")
    assert accesses(found) == ["load i32", "load i32", "load i32", "load i32", "load double", "store i32", "store i32"]
