"""Pointers that travel as integers."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.words import is_made_of_address, pointers_for_words
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


@pytest.mark.parametrize(
    ("mixed", "made"),
    [("xor i64 %start, %n", True), ("or i64 %more, %start", True), ("sub i64 %start, %end", False),
     ("and i64 %start, 7", False), ("add i64 %n, 1", False), ("mul i64 %start, 3", False)],
)  # fmt: skip
def test_an_address_is_in_what_it_is_mixed_with(mixed: str, *, made: bool):
    module = parse_module(f"""
define i64 @f(ptr %x, ptr %y, i64 %n) {{
  %start = ptrtoint ptr %x to i64
  %end = ptrtoint ptr %y to i64
  %more = shl i64 %n, 3
  %word = {mixed}
  ret i64 %word
}}""")
    word = next(i for i in module.function("f").instructions() if i.name == "word")
    assert is_made_of_address(word) is made


def test_the_way_of_an_address_is_told_without_its_start():
    """In split mode, passes may be given other memory: no distance is computed from where one of them had it."""
    steps = [i for i in changed(WALK) if isinstance(i, ir.GetElementPtr)]
    assert [step.operands[1].name for step in steps] == ["stride"]


VARIANTS = """
declare i64 @llvm.fptoui.sat.i64.f64(double)
define void @f(ptr %x, ptr %to, double %v, i64 %n, i1 %c) {
entry:
  %word = ptrtoint ptr %x to i64
  br i1 %c, label %loop, label %join

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %whole = call i64 @llvm.fptoui.sat.i64.f64(double %v)
  %again = icmp ult i64 %next, 9
  br i1 %again, label %loop, label %join

join:
  %either = phi i64 [ %word, %entry ], [ OTHER, %loop ]
  store i64 %either, ptr %to
  ret void
}"""


@pytest.mark.parametrize(("other", "type_"), [("%next", "ptr"), ("5000", "ptr"), ("%whole", "ptr"), ("%n", "i64")])
def test_a_count_may_come_where_a_pointer_does(other, type_):
    """As in variants of an enum. What may be an address itself stays an integer."""
    found = changed(VARIANTS.replace("OTHER", other))
    assert [i.value.type.text for i in found if isinstance(i, ir.Store)] == [type_]
    counter = next(i for i in found if isinstance(i, ir.Phi) and i.name == "i")
    assert counter.type.text == "i64"


def test_a_pointer_has_no_range():
    text = """
define void @f(ptr %x, ptr %to) {
  %word = load i64, ptr %x, !range !0, !tbaa !1
  %q = inttoptr i64 %word to ptr
  store ptr %q, ptr %to
  ret void
}
!0 = !{i64 1, i64 0}
!1 = !{!2, !2, i64 0}
!2 = !{!"any pointer", !3, i64 0}
!3 = !{!"omnipotent char"}
"""
    (load,) = (i for i in changed(text) if isinstance(i, ir.Load))
    assert (load.type.text, load.metadata) == ("ptr", "!tbaa !1")
