"""Integers that are pointers or numbers, and that functions are passed or return."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.differentiate.passed_words import integers_for_moves, pass_words
from enzyme_build.ir.check import check_function
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

VALUES = """
define internal { i32, i64 } @make(ptr %p, i64 %n, i32 %tag) !dbg !0 {
entry:
  switch i32 %tag, label %count [ i32 0, label %number
    i32 1, label %pointer ]
number:
  %x = load double, ptr %p, align 8
  %bits = bitcast double %x to i64
  br label %count
pointer:
  %address = ptrtoint ptr %p to i64
  br label %count
count:
  %word = phi i64 [ %n, %entry ], [ %bits, %number ], [ %address, %pointer ]
  %first = insertvalue { i32, i64 } poison, i32 %tag, 0
  %both = insertvalue { i32, i64 } %first, i64 %word, 1
  ret { i32, i64 } %both
}

define internal double @number(i32 %tag, i64 %word, i64 %n) {
  %is = icmp eq i32 %tag, 1
  %at = inttoptr i64 %word to ptr
  %x = load double, ptr %at, align 8
  %y = sitofp i64 %n to double
  %r = select i1 %is, double %x, double %y
  ret double %r
}

define internal double @pass(i32 %tag, i64 %word, i64 %n) {
  %r = call double @number(i32 %tag, i64 %word, i64 %n)
  ret double %r
}

define double @f(ptr %p, i64 %n, i32 %tag) {
  %made = call { i32, i64 } @make(ptr %p, i64 %n, i32 %tag)
  %its = extractvalue { i32, i64 } %made, 0
  %word = extractvalue { i32, i64 } %made, 1
  %r = call double @pass(i32 %its, i64 %word, i64 %n)
  ret double %r
}

!llvm.dbg.cu = !{}
!0 = distinct !DISubprogram(name: "make", file: !1, line: 3, scopeLine: 3)
!1 = !DIFile(filename: "values.c", directory: "/")
"""


def passed(text: str) -> tuple[Module, dict[str, str]]:
    """The models that are reached from `f`, by their names."""
    module = parse_module(text)
    root = module.function("f")
    functions = [f for component in call_graph(module, [root]).components for f in component]
    pass_words(module, functions, {root})
    found = {f.name: f for component in call_graph(module, [root]).components for f in component}
    assert not any(check_function(module, function) for function in found.values())
    return module, {name: print_function(function) for name, function in found.items()}


def test_words_are_passed_and_returned_in_rooms():
    _, found = passed(VALUES)
    assert set(found) == {"f", *(f"enzyme_build.words.{name}" for name in ("make", "number", "pass"))}
    make, number = found["enzyme_build.words.make"], found["enzyme_build.words.number"]
    assert "(ptr %p, i64 %n, i32 %tag, ptr noalias captures(none) %word0)" in make
    assert "store i64 %word, ptr %word0, align 8" in make
    assert "i64 %word, 1" not in make  # nothing is returned in its place
    assert "(i32 %tag, ptr noalias captures(none) readonly %word, i64 %n)" in number
    assert "load i64, ptr %word, align 8" in number
    assert found["f"].count("alloca i64") == 2


def test_the_programs_own_functions_stay_and_lend_their_names():
    module, _ = passed(VALUES)
    assert module.function("make").function_type.parameters[1].text == "i64"
    assert len(module.function("make").blocks) == 4
    source = subprogram_of(module, module.function("enzyme_build.words.make"))
    assert source is not None
    assert source.name == "make"


def test_what_only_counts_is_passed_as_it_is():
    text = VALUES.replace("bitcast double %x to i64", "fptosi double %x to i64").replace("inttoptr i64", "inttoptr i64")
    counted = text.replace("ptrtoint ptr %p to i64", "add i64 %n, 1").replace("i64 %word to ptr", "i64 %n to ptr")
    assert not any(name.startswith("enzyme_build.") for name in passed(counted)[1])


@pytest.mark.parametrize("use", ["store ptr @number, ptr %p, align 8", "call void @elsewhere(ptr @number)"])
def test_functions_that_pointers_may_lead_to_are_passed_words_too(use):
    """Calls by their addresses are comparisons with them, and direct calls; others call what the program has."""
    text = VALUES.replace("  %its =", f"  {use}\n  %its =")
    module, found = passed(text + "declare void @elsewhere(ptr)\n")
    assert 'call double @"enzyme_build.words.number"(i32 %tag, ptr %' in found["enzyme_build.words.pass"]
    assert module.function("number").function_type.parameters[1].text == "i64"
    assert module.function("number").blocks


STORED = """
define internal void @set(ptr %to, i64 %word, i64 %n) {
  store i64 %word, ptr %to, align 8
  %at = getelementptr i8, ptr %to, i64 8
  store i64 %n, ptr %at, align 8
  ret void
}
define internal { i64, i64 } @get(ptr %p) {
  %kind = load i64, ptr %p, align 8
  %at = getelementptr i8, ptr %p, i64 8
  %word = load i64, ptr %at, align 8
  %first = insertvalue { i64, i64 } poison, i64 %kind, 0
  %both = insertvalue { i64, i64 } %first, i64 %word, 1
  ret { i64, i64 } %both
}
define double @f(ptr %p, ptr %q, i64 %n) {
  %word = ptrtoint ptr %p to i64
  call void @set(ptr %q, i64 %word, i64 %n)
  %got = call { i64, i64 } @get(ptr %q)
  %kind = extractvalue { i64, i64 } %got, 0
  %bits = extractvalue { i64, i64 } %got, 1
  %at = inttoptr i64 %bits to ptr
  %x = load double, ptr %at, align 8
  %c = sitofp i64 %kind to double
  %r = fmul double %x, %c
  ret double %r
}
"""


def test_a_pointer_is_passed_in_a_room_also_where_it_is_only_stored():
    _, found = passed(STORED)
    assert "(ptr %to, ptr noalias captures(none) readonly %word, i64 %n)" in found["enzyme_build.words.set"]


def test_other_members_are_taken_from_what_is_returned_itself():
    """So that nothing takes them for the word."""
    text = passed(STORED)[1]["f"]
    assert "insertvalue" not in text
    assert text.count("extractvalue { i64, i64 }") == 1


PACKED = """
define internal i64 @make(float %x, i32 %n) {
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  %up = shl nuw i64 %wide, 32
  %low = zext i32 %n to i64
  %word = or disjoint i64 %up, %low
  ret i64 %word
}

define internal i32 @count(i64 %word) {
  %n = trunc i64 %word to i32
  ret i32 %n
}

define internal i64 @hash(i64 %word) {
  %low = trunc i64 %word to i32
  %wide = zext i32 %low to i64
  %h = mul i64 %word, 31
  %r = add i64 %h, %wide
  ret i64 %r
}

define float @f(ptr %p, float %x, i32 %n) {
  %word = call i64 @make(float %x, i32 %n)
  %kept = load i64, ptr %p, align 8
  %c = call i32 @count(i64 %kept)
  %h = call i64 @hash(i64 %kept)
  %high = lshr i64 %word, 32
  %bits = trunc nuw i64 %high to i32
  %r = bitcast i32 %bits to float
  ret float %r
}
"""


PASSING = """
define internal i64 @pass(float %x, i32 %n) {
  %word = call i64 @make(float %x, i32 %n)
  ret i64 %word
}

"""


def test_numbers_beside_integers_go_through_memory():
    """Also what is only taken apart into integers: what is passed may hold numbers. What counts stays as it is."""
    _, found = passed(PACKED)
    assert set(found) == {"f", "enzyme_build.words.make", "enzyme_build.words.count", "hash"}
    assert "store i64 %word, ptr %word0" in found["enzyme_build.words.make"]


def test_what_is_moved_from_room_to_room_are_bytes():
    """What is in it, other functions know."""
    text = PACKED.replace("define float @f(", PASSING + "define float @f(").replace(
        "%word = call i64 @make(float %x, i32 %n)", "%word = call i64 @pass(float %x, i32 %n)"
    )
    _, found = passed(text)
    assert "@llvm.memcpy.p0.p0.i64(ptr %word0, ptr %" in found["enzyme_build.words.pass"]


def test_integers_that_are_only_stored_as_pointers_are_stored_as_such():
    text = """
define void @f(i64 %n, i64 %m, ptr %p) {
  %a = inttoptr i64 %n to ptr
  store ptr %a, ptr %p, align 8
  %b = inttoptr i64 %m to ptr
  store ptr %b, ptr %p, align 8
  %v = load i8, ptr %b
  ret void
}
"""
    function = parse_module(text).function("f")
    integers_for_moves(function)
    printed = print_function(function)
    assert "store i64 %n, ptr %p" in printed
    assert "inttoptr i64 %n" not in printed
    assert "store ptr %b, ptr %p" in printed


def test_pointers_beside_numbers_are_returned_in_rooms():
    text = """
define internal { double, ptr } @both(ptr %p) {
  %x = load double, ptr %p
  %a = insertvalue { double, ptr } poison, double %x, 0
  %b = insertvalue { double, ptr } %a, ptr %p, 1
  ret { double, ptr } %b
}
define internal { i32, ptr } @counted(ptr %p) {
  %b = insertvalue { i32, ptr } { i32 1, ptr poison }, ptr %p, 1
  ret { i32, ptr } %b
}
define double @f(ptr %p, ptr %table) {
  store ptr @both, ptr %table
  %made = call { double, ptr } @both(ptr %p)
  %x = extractvalue { double, ptr } %made, 0
  %q = extractvalue { double, ptr } %made, 1
  %other = call { i32, ptr } @counted(ptr %q)
  %r = extractvalue { i32, ptr } %other, 1
  %y = load double, ptr %r
  %s = fadd double %x, %y
  ret double %s
}
"""
    _, found = passed(text)
    assert {"counted", "enzyme_build.words.both"} <= set(found)
    assert "store ptr %p, ptr %word0" in found["enzyme_build.words.both"]
    assert "insertvalue { double, ptr } poison, ptr null, 1" in found["enzyme_build.words.both"]
    assert "load ptr, ptr %" in found["f"]
