"""Choices that were made before."""

from __future__ import annotations

from enzyme_build.differentiate.decided_selects import decide_selects
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

ALLOCATED = """
declare ptr @made(i64)
declare void @failed(ptr)

define void @f(i64 %size) {
entry:
  %p = call ptr @made(i64 %size)
  %none = icmp eq ptr %p, null
  %error = inttoptr i64 %size to ptr
  %either = select i1 %none, ptr %error, ptr %p
  br i1 %none, label %lost, label %good
lost:
  call void @failed(ptr %either)
  ret void
good:
  store double 1.0, ptr %either
  br label %end
end:
  %last = phi ptr [ %either, %good ]
  store double 2.0, ptr %last
  ret void
}
"""


def changed(text: str) -> tuple[list[ir.Instruction], ir.Instruction]:
    module = parse_module(text)
    function = module.function("f")
    decide_selects(function)
    assert not check_function(module, function)
    instructions = list(function.instructions())
    return instructions, instructions[0]


def test_users_behind_the_branch_take_what_is_chosen_there() -> None:
    instructions, made = changed(ALLOCATED)
    assert not any(isinstance(i, ir.Select) for i in instructions)
    (store, _) = (i for i in instructions if isinstance(i, ir.Store))
    assert store.pointer is made
    (phi,) = (i for i in instructions if isinstance(i, ir.Phi))
    assert phi.operands == [made]
    _, failed = (i for i in instructions if isinstance(i, ir.Call))
    assert isinstance(failed.arguments[0], ir.Cast)


def test_users_that_both_ways_reach_keep_the_choice() -> None:
    text = ALLOCATED.replace("  ret void\ngood", "  br label %good\ngood")
    instructions, made = changed(text)
    (select,) = (i for i in instructions if isinstance(i, ir.Select))
    assert select.operands[2] is made
    (store, _) = (i for i in instructions if isinstance(i, ir.Store))
    assert store.pointer is select
