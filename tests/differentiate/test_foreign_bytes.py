"""Which runs of bytes of unknown type are looked at."""

from __future__ import annotations

from enzyme_build.analysis.fields import Fields
from enzyme_build.differentiate.foreign_bytes import every_element, whole_elements
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import I64
from enzyme_build.ir.values import const_int

MODULE = """
define void @f(i64 %room) {
entry:
  ret void
}
"""


def builder():
    module = parse_module(MODULE)
    function = module.function("f")
    made = Builder(function.blocks[0])
    made.position = 0
    return made, function


def test_room_behind_the_last_element_is_left_out():
    b, function = builder()
    room = function.arguments[0]
    found = Fields(64, (), (), doubtful=((8, 8),))
    assert every_element(b, found, room) == (64, room)
    step, whole = whole_elements(b, found, room)
    ops = [(i.op, i.operands) for i in function.blocks[0].instructions[:2]]
    assert step == 64
    assert ops[0] == ("urem", [room, const_int(I64, 64)])
    assert ops[1] == ("sub", [room, function.blocks[0].instructions[0]])
    assert whole is function.blocks[0].instructions[1]


def test_runs_without_elements_are_whole():
    b, function = builder()
    room = function.arguments[0]
    assert whole_elements(b, Fields(0, (), ()), room) is None
    assert whole_elements(b, Fields(1 << 40, (), ()), room) == (1 << 40, room)
