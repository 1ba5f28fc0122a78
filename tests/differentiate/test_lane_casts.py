"""Lanes are taken out of vectors as what they are, and alone where only they are used."""

from __future__ import annotations

from enzyme_build.differentiate.lane_casts import lanes_before_casts
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.parts import mask_lanes
from enzyme_build.ir.types import VectorType


def rewritten(text: str) -> list[ir.Instruction]:
    module = parse_module(text)
    function = module.function("f")
    lanes_before_casts(function)
    assert not check_function(module, function)
    return list(function.instructions())


def test_bits_of_a_lane_are_taken_from_the_number():
    found = rewritten("""
define i32 @f(<2 x float> %v) {
  %w = bitcast <2 x float> %v to <2 x i32>
  %l = extractelement <2 x i32> %w, i32 1
  ret i32 %l
}""")
    cast = found[-1].operands[0]
    assert isinstance(cast, ir.Cast)
    assert isinstance(cast.operands[0], ir.ExtractElement)


def test_vector_of_one():
    found = rewritten("""
define double @f(double %x) {
  %v = bitcast double %x to <1 x double>
  %n = fneg <1 x double> %v
  %r = bitcast <1 x double> %n to double
  ret double %r
}""")
    assert not any(isinstance(i, ir.Cast) for i in found)
    assert not any(isinstance(i, ir.Negate) and isinstance(i.type, VectorType) for i in found)


def test_only_the_lane_that_is_used_is_computed():
    found = rewritten("""
define double @f(<2 x double> %a, <2 x double> %b) {
  %m = fmul nnan <2 x double> %a, %b
  %s = fadd <2 x double> %m, %a
  %r = extractelement <2 x double> %s, i64 1
  ret double %r
}""")
    computed = [(i.op, i.flags, i.type.text) for i in found if isinstance(i, ir.Binary)]
    assert computed == [("fmul", "nnan", "double"), ("fadd", "", "double")]
    assert {i.operands[1].value for i in found if isinstance(i, ir.ExtractElement)} == {1}


def test_what_is_used_as_a_whole_stays_whole():
    found = rewritten("""
define double @f(<2 x double> %a, ptr %p) {
  %s = fadd <2 x double> %a, %a
  store <2 x double> %s, ptr %p
  %r = extractelement <2 x double> %s, i64 1
  ret double %r
}""")
    assert [i.type.text for i in found if isinstance(i, ir.Binary)] == ["<2 x double>"]


def test_several_lanes_taken_out_as_one_word_are_a_shorter_vector():
    found = rewritten("""
define <2 x double> @f(<4 x double> %v) {
  %w = bitcast <4 x double> %v to <2 x i128>
  %l = extractelement <2 x i128> %w, i64 1
  %n = bitcast i128 %l to <2 x double>
  ret <2 x double> %n
}""")
    lanes = found[-1].operands[0]
    assert isinstance(lanes, ir.ShuffleVector)
    assert lanes.type.text == "<2 x double>"
    assert mask_lanes(lanes) == [2, 3]
    assert lanes.operands[0].name == "v"


def test_floats_taken_out_as_a_double_are_floats():
    found = rewritten("""
define <2 x float> @f(<4 x float> %v) {
  %w = bitcast <4 x float> %v to <2 x double>
  %l = extractelement <2 x double> %w, i64 0
  %n = bitcast double %l to <2 x float>
  ret <2 x float> %n
}""")
    lanes = found[-1].operands[0]
    assert isinstance(lanes, ir.ShuffleVector)
    assert mask_lanes(lanes) == [0, 1]


def test_lanes_that_are_chosen_by_a_variable_stay():
    text = """
define i128 @f(<4 x double> %v, i64 %k) {
  %w = bitcast <4 x double> %v to <2 x i128>
  %l = extractelement <2 x i128> %w, i64 %k
  ret i128 %l
}"""
    assert isinstance(rewritten(text)[-1].operands[0], ir.ExtractElement)
