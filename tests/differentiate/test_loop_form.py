"""Loops get preheaders, exits of their own and closed values; random functions are in test_reducible.py."""

from __future__ import annotations

from enzyme_build.differentiate.loop_form import canonical_loops
from enzyme_build.ir.parser import parse_module

TEXT = """
define double @f(double %x, i1 %c, i1 %d) {
entry:
  br i1 %c, label %loop, label %end
loop:
  %v = phi double [ %x, %entry ], [ %w, %again ]
  %w = fmul double %v, %x
  br i1 %d, label %again, label %after
again:
  br i1 %c, label %loop, label %after
after:
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %sum = fadd double %w, %x
  br label %end
end:
  %r = phi double [ %x, %entry ], [ %sum, %join ]
  ret double %r
}
"""


def test_one_phi_closes_a_value_and_joins_behind_it_need_none():
    function = parse_module(TEXT).function("f")
    canonical_loops(function)
    blocks = {block.name: block for block in function.blocks}
    (closed,) = blocks["after"].phis
    assert [operand.name for operand in closed.operands] == ["w", "w"]
    assert blocks["join"].instructions[0].operands[0] is closed
    assert list(blocks["join"].phis) == []
    assert [block.name for block in next(blocks["loop"].phis).blocks] == ["again", "loop.before"]
