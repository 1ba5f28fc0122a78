"""Stores of what comes together are several again, each of what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.differentiate.merged_stores import split_merged_stores
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function

BOTH = """
define void @f(ptr %p, ptr %q, float %a, float %b, i64 %k, i1 %c) {{
entry:
  br i1 %c, label %one, label %two
one:
  %address = ptrtoint ptr %q to i64
  br label %end
two:
  %low = bitcast float %a to i32
  %wide = zext i32 %low to i64
  %high = bitcast float %b to i32
  %further = zext i32 %high to i64
  %up = shl nuw i64 %further, 32
  %both = or disjoint i64 %up, %wide
  br label %end
end:
  %word = phi i64 [ %address, %one ], [ {second}, %two ]
  %tag = phi i64 [ 1, %one ], [ 2, %two ]
  %object = getelementptr {{ i64, i64 }}, ptr %p, i64 %k
  {first}
  %place = getelementptr i8, ptr %object, i64 8
  store i64 %word, ptr %place
  ret void
}}"""
TAG = "store i64 %tag, ptr %object"


def rewritten(text: str) -> Function:
    module = parse_module(text)
    function = module.function("f")
    split_merged_stores(module, function)
    assert not check_function(module, function)
    return function


def stored(function: Function) -> dict[str, list[str]]:
    """The types of what each block stores."""
    found: dict[str, list[str]] = {}
    for block in function.blocks:
        types = [i.value.type.text for i in block.instructions if isinstance(i, ir.Store)]
        if types:
            found[str(block.name)] = types
    return found


def test_a_pointer_and_two_floats_are_stored_as_such():
    function = rewritten(BOTH.format(second="%both", first=TAG))
    assert stored(function) == {"one": ["ptr"], "two": ["float", "float"], "end": ["i64"]}
    two = next(block for block in function.blocks if block.name == "two")
    low, high = (i for i in two.instructions if isinstance(i, ir.Store))
    places = {low.value.name: low.pointer, high.value.name: high.pointer}
    assert places["b"].operands[0] is places["a"]  # four bytes behind


def test_what_is_behind_one_float_is_zero():
    assert stored(rewritten(BOTH.format(second="%wide", first=TAG)))["two"] == ["float", "i32"]


@pytest.mark.parametrize(
    ("second", "first"),
    [
        ("%k", TAG),  # no number
        ("%both", "store i64 %tag, ptr %q"),  # may be the same place
        ("%both", "%old = load i64, ptr %p"),  # would be read too late
    ],
)
def test_others_stay(second, first):
    function = rewritten(BOTH.format(second=second, first=first))
    assert set(stored(function)) == {"end"}
