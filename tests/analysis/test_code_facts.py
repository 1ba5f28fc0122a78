"""What follows from a function's code is kept while the code stays the same."""

from __future__ import annotations

from enzyme_build.analysis.code_facts import code_facts
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.values import const_int

TEXT = """
define i64 @f(i64 %x, i1 %c) {
entry:
  %small = and i64 %x, 7
  br i1 %c, label %more, label %end
more:
  %sum = add nuw i64 %small, %x
  br label %end
end:
  %r = phi i64 [ %small, %entry ], [ %sum, %more ]
  ret i64 %r
}
"""


def changed(change):
    """Are other facts looked for after a change?"""
    module = parse_module(TEXT)
    function = module.function("f")
    before = code_facts(module, function)
    named = {i.name: i for i in function.instructions()}
    change(function, named)
    return code_facts(module, function) is not before


def test_they_are_kept():
    assert not changed(lambda function, named: None)
    assert not changed(lambda function, named: setattr(named["sum"], "name", "total"))


def test_any_change_counts():
    def operand(function, named):
        named["small"].operands[1] = const_int(named["small"].type, 3)

    def gone(function, named):
        del function.blocks[1].instructions[0]

    def other_way(function, named):
        last = function.blocks[0].terminator
        last.then, last.otherwise = last.otherwise, last.then

    def swapped(function, named):
        named["r"].blocks.reverse()

    assert changed(operand)
    assert changed(gone)
    assert changed(other_way)
    assert changed(swapped)
    assert changed(lambda function, named: setattr(named["sum"], "flags", ""))
    assert changed(lambda function, named: setattr(named["sum"], "op", "sub"))
