"""A word that the optimiser reads once, as a pointer and as a number, is read as each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.differentiate.read_again import read_again
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function


def rewritten(text: str) -> Function:
    """`f` in its model."""
    module = parse_module(text)
    function = module.function("f")
    read_again(function)
    assert not check_function(module, function)
    return function


NUMBER_AS_POINTER = """
define double @f(ptr %p) {
  %d = load double, ptr %p, align 8
  store double 0.0, ptr %p, align 8
  %i = bitcast double %d to i64
  %q = inttoptr i64 %i to ptr
  %v = load double, ptr %q, align 8
  %r = fadd double %v, %d
  ret double %r
}"""
POINTER_AS_NUMBER = """
define double @f(ptr %p) {
  %d = load ptr, ptr %p, align 8
  store double 0.0, ptr %p, align 8
  %i = ptrtoint ptr %d to i64
  %q = bitcast i64 %i to double
  %v = load double, ptr %d, align 8
  %r = fadd double %v, %q
  ret double %r
}"""


@pytest.mark.parametrize(("text", "type_"), [(NUMBER_AS_POINTER, "ptr"), (POINTER_AS_NUMBER, "double")])
def test_the_word_is_read_before_anything_overwrites_it(text, type_):
    function = rewritten(text)
    first, second, store, *_ = function.entry.instructions
    assert isinstance(second, ir.Load)
    assert (second.pointer, second.type.text) == (first.operands[0], type_)
    assert isinstance(store, ir.Store)
    reads = [i for i in function.instructions() if second in i.operands]
    assert len(reads) == 1
    assert isinstance(reads[0], ir.Load | ir.Binary)


@pytest.mark.parametrize("load", ["load volatile double, ptr %p", "load atomic double, ptr %p monotonic"])
def test_what_must_be_read_once_is_left(load):
    text = NUMBER_AS_POINTER.replace("load double, ptr %p", load)
    assert sum(isinstance(i, ir.Cast) for i in rewritten(text).instructions()) == 2


BITS = """
define double @f(ptr %p, i1 %c) {
  %bits = load i64, ptr %p, align 8
  store double 0.0, ptr %p, align 8
  %q = inttoptr i64 %bits to ptr
  %d = bitcast i64 %bits to double
  %v = load double, ptr %q, align 8
  %n = sitofp i64 %bits to double
  %s = fadd double %v, %d
  %r = fadd double %s, %n
  ret double %r
}"""


def test_bits_that_are_taken_for_both_are_read_as_each():
    function = rewritten(BITS)
    loads = function.entry.instructions[:3]
    assert sorted(i.type.text for i in loads) == ["double", "i64", "ptr"]
    assert [i.op for i in function.instructions() if isinstance(i, ir.Cast)] == ["sitofp"]


def test_bits_that_are_taken_for_one_are_left():
    function = rewritten(BITS.replace("bitcast i64 %bits to double", "sitofp i64 %bits to double"))
    assert sum(isinstance(i, ir.Cast) for i in function.instructions()) == 3


@pytest.mark.parametrize(("part", "at"), [("trunc i64 %i to i32", 0), ("trunc i64 %h to i32", 4)])
def test_a_part_of_a_pointer_is_read_as_the_number_that_it_is(part, at):
    function = rewritten(f"""
define float @f(ptr %p) {{
  %d = load ptr, ptr %p, align 8
  store double 0.0, ptr %p, align 8
  %i = ptrtoint ptr %d to i64
  %h = lshr i64 %i, 32
  %t = {part}
  %r = bitcast i32 %t to float
  ret float %r
}}""")
    returned = function.entry.instructions[-1].operands[0]
    assert isinstance(returned, ir.Load)
    assert returned.type.text == "float"
    order = list(function.entry.instructions)
    assert order.index(returned) < next(k for k, i in enumerate(order) if isinstance(i, ir.Store))
    assert (returned.pointer.name == "p") == (at == 0)


def test_bits_of_a_pointer_that_are_no_part_stay():
    function = rewritten("""
define float @f(ptr %p) {
  %d = load ptr, ptr %p, align 8
  %i = ptrtoint ptr %d to i64
  %h = lshr i64 %i, 8
  %t = trunc i64 %h to i32
  %r = bitcast i32 %t to float
  ret float %r
}""")
    assert isinstance(function.entry.instructions[-1].operands[0], ir.Cast)
