"""Vectors that hold numbers and pointers are read lane by lane."""

from __future__ import annotations

from enzyme_build.differentiate.mixed_lanes import split_mixed_lanes
from enzyme_build.differentiate.words import pointers_for_words
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

MIXED = """
define double @f(ptr %p) {
  %v = load <2 x double>, ptr %p, align 16
  %w = extractelement <2 x double> %v, i64 1
  %b = bitcast double %w to i64
  %q = inttoptr i64 %b to ptr
  %x = load double, ptr %q
  %y = extractelement <2 x double> %v, i64 0
  %z = fmul double %x, %y
  ret double %z
}"""


def loads(text: str) -> list[str]:
    module = parse_module(text)
    function = module.function("f")
    split_mixed_lanes(function)
    pointers_for_words(function)
    assert not check_function(module, function)
    return [i.type.text for i in function.instructions() if isinstance(i, ir.Load)]


def test_a_number_and_a_pointer():
    assert loads(MIXED) == ["double", "ptr", "double"]


def test_numbers_only():
    assert loads(MIXED.replace("inttoptr i64 %b to ptr", "getelementptr double, ptr %p, i64 %b"))[0] == "<2 x double>"
