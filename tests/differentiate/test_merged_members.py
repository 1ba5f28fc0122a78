"""Structs that meet in registers."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.merged_members import member_of, merge_members
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

TEXT = """
declare { i32, i64 } @one()
declare { i32, i64 } @other(i64)

define i64 @f(i1 %c, i64 %n, i64 %m) {
entry:
  %made = insertvalue { i32, i64 } { i32 3, i64 poison }, i64 %n, 1
  br i1 %c, label %a, label %b
a:
  %x = call { i32, i64 } @one()
  br label %loop
b:
  br label %loop
loop:
  %s = phi { i32, i64 } [ %x, %a ], [ %made, %b ], [ %next, %loop ]
  %word = extractvalue { i32, i64 } %s, 1
  %next = call { i32, i64 } @other(i64 %word)
  br i1 %c, label %loop, label %end
end:
  %last = phi { i32, i64 } [ %s, %loop ]
  %r = extractvalue { i32, i64 } %last, 1
  USE
  ret i64 %r
}
"""


@pytest.mark.parametrize(("use", "whole"), [("", 0), ("store { i32, i64 } %last, ptr null", 1)])
def test_each_member_has_its_phi(use, whole):
    module = parse_module(TEXT.replace("USE", use))
    function = module.function("f")
    merge_members(module.layout, function)
    assert not check_function(module, function)
    phis = [i for i in function.instructions() if isinstance(i, ir.Phi)]
    assert [phi.type.text for phi in phis] == ["i32", "i64", "i32", "i64"]
    words = phis[1]
    assert [type(operand).__name__ for operand in words.operands] == ["ExtractValue", "Argument", "ExtractValue"]
    stored = [i for i in function.instructions() if isinstance(i, ir.Store)]
    assert len(stored) == whole
    assert all(member_of(i.value, (1,)) is phis[3] for i in stored)


def test_what_is_given_as_a_whole_has_no_known_members():
    module = parse_module(TEXT.replace("USE", ""))
    made, call = (i for i in module.function("f").instructions() if i.name in {"made", "x"})
    assert member_of(made, (1,)) is module.function("f").arguments[1]
    assert getattr(member_of(made, (0,)), "text", "") == "3"
    assert member_of(call, (1,)) is None
    assert member_of(call, (0,)) is None
