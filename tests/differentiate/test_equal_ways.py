"""What is computed on several ways, on each the same, is computed once."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.equal_ways import join_equal_ways
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.parser import parse_module

TEXT = """
define i64 @f(i64 %n, i64 %m, ptr %p, i1 %c) {{
entry:
  br i1 %c, label %one, label %two
one:
  %a = {one}
  br label %end
two:
  %b = {two}
  br label %end
end:
  %other = phi i64 [ 1, %one ], [ 2, %two ]
  %r = phi {type} [ %a, %one ], [ %b, %two ]
  {used}
  ret i64 %s
}}
"""


def joined(one, two, type_="i64"):
    used = "%s = add i64 %r, %other" if type_ == "i64" else "%s = load i64, ptr %r"
    module = parse_module(TEXT.format(one=one, two=two, used=used, type=type_))
    function = module.function("f")
    join_equal_ways(module, function)
    (user,) = (i for i in function.instructions() if i.name == "s")
    return user.operands[0]


@pytest.mark.parametrize(
    ("computed", "type_"),
    [
        ("shl nsw i64 %n, 3", "i64"),
        ("add i64 %n, %m", "i64"),
        ("getelementptr inbounds double, ptr %p, i64 %n", "ptr"),
    ],
)
def test_the_same_on_both_ways(computed, type_):
    found = joined(computed, computed, type_)
    assert not isinstance(found, ir.Phi)
    assert found.block.name == "end"
    assert found.block.instructions.index(found) == 2


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("shl nsw i64 %n, 3", "shl nsw i64 %m, 3"),
        ("shl nsw i64 %n, 3", "shl nsw i64 %n, 4"),
        ("shl nsw i64 %n, 3", "shl i64 %n, 3"),
        ("shl i64 %n, 3", "add i64 %n, 3"),
        ("sdiv i64 %n, %m", "sdiv i64 %n, %m"),
        ("load i64, ptr %p", "load i64, ptr %p"),
    ],
)
def test_others_stay(one, two):
    assert isinstance(joined(one, two), ir.Phi)


def test_what_a_loop_computes_stays_in_it():
    module = parse_module("""
define i64 @f(i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %a = add i64 %i, 1
  br i1 %c, label %end, label %again
again:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i64 [ %a, %loop ], [ %next, %again ]
  ret i64 %r
}
""")
    join_equal_ways(module, module.function("f"))
    assert isinstance(module.function("f").blocks[-1].instructions[0], ir.Phi)
