"""Pointers that travel as integers."""

from __future__ import annotations

from enzyme_build.differentiate.words import pointers_for_words
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

WALK = """
define double @f(ptr %x, i64 %stride, i1 %c) {
entry:
  %start = ptrtoint ptr %x to i64
  br label %loop

loop:
  %p = phi i64 [ %start, %entry ], [ %next, %loop ]
  %q = inttoptr i64 %p to ptr
  %v = load double, ptr %q
  %next = add i64 %p, %stride
  br i1 %c, label %loop, label %exit

exit:
  ret double %v
}"""
CURSOR = """
define double @f(ptr %x, i64 %n) {
  %start = load i64, ptr %x
  %a = add i64 %start, 15
  %b = and i64 %a, -16
  %q = inttoptr i64 %b to ptr
  %v = load double, ptr %q
  ret double %v
}"""
MIXED = CURSOR.replace("%start, 15", "%start, %n").replace("= add", "= xor").replace("%n)", "%m)").replace(
    "  %start", "  %y = getelementptr i8, ptr %x, i64 %m\n  %n = ptrtoint ptr %y to i64\n  %start", 1
)  # fmt: skip
TAGGED = """
define void @f(ptr %x, ptr %to) {
  %start = ptrtoint ptr %x to i64
  %tagged = or i64 %start, 1
  store i64 %tagged, ptr %to
  %count = and i64 %start, 7
  %other = getelementptr i8, ptr %to, i64 8
  store i64 %count, ptr %other
  ret void
}"""


def changed(text: str) -> list[ir.Instruction]:
    module = parse_module(text)
    function = module.function("f")
    pointers_for_words(function)
    assert not check_function(module, function)
    return list(function.instructions())


def casts(text: str) -> int:
    """How many integers still become pointers."""
    return sum(1 for i in changed(text) if isinstance(i, ir.Cast) and i.op == "inttoptr")


def test_addresses_that_a_loop_moves_are_phis_of_pointers():
    assert casts(WALK) == 0
    assert [phi.type.text for phi in changed(WALK) if isinstance(phi, ir.Phi)] == ["ptr"]


def test_an_aligned_address_is_read_as_a_pointer():
    assert casts(CURSOR) == 0


def test_of_two_addresses_that_are_mixed_it_is_neither():
    assert casts(MIXED) == 1


def test_tagged_pointers_are_stored_as_pointers_and_what_is_left_of_one_is_not():
    assert [i.value.type.text for i in changed(TAGGED) if isinstance(i, ir.Store)] == ["ptr", "i64"]


def test_the_way_of_an_address_is_told_without_its_start():
    """In split mode, passes may be given other memory: no distance is computed from where one of them had it."""
    steps = [i for i in changed(WALK) if isinstance(i, ir.GetElementPtr)]
    assert [step.operands[1].name for step in steps] == ["stride"]
