"""What is the same for all constants that a function is passed is a constant there."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.passed_constants import calls_by_name
from enzyme_build.differentiate.passed_sizes import fold_passed_sizes
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

MOVES = """
define internal {convention} void @move(ptr %to, ptr %from, i64 %size) {{
entry:
  %words = lshr i64 %size, 3
  %rest = and i64 %size, 7
  %none = icmp eq i64 %rest, 0
  br i1 %none, label %done, label %left
left:
  %part = load i8, ptr %from
  store i8 %part, ptr %to
  br label %done
done:
  store i64 %words, ptr %to
  ret void
}}
define internal fastcc void @hand(ptr %p, i64 %size) {{
  call {convention} void @move(ptr %p, ptr %p, i64 %size)
  ret void
}}
define void @f(ptr %p, i64 %n) {{
  call {convention} void @move(ptr %p, ptr %p, i64 8)
  call fastcc void @hand(ptr %p, i64 {last})
  ret void
}}
"""


def blocks_left(convention: str, last: str) -> list[str | None]:
    module = parse_module(MOVES.format(convention=convention, last=last))
    functions = [module.function(name) for name in ("move", "hand", "f")]
    fold_passed_sizes(functions, {functions[-1]}, calls_by_name(functions))
    assert not [finding for function in functions for finding in check_function(module, function) or ()]
    words = next(i for i in functions[0].instructions() if i.name == "words")
    assert words.operands[0] is functions[0].arguments[2]  # it differs
    return [block.name for block in functions[0].blocks]


def test_what_no_caller_leaves_is_left_out():
    assert blocks_left("fastcc", "32") == ["entry", "done"]


@pytest.mark.parametrize(
    ("convention", "last"),
    [("fastcc", "20"), ("fastcc", "%n"), ("", "32")],
    ids=["another result", "not a constant", "called by address"],
)
def test_what_may_differ_stays(convention, last):
    assert blocks_left(convention, last) == ["entry", "left", "done"]
