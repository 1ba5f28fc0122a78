"""Masks of the bits of numbers are the floating-point operations that they are."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.sign_bits import signs_as_numbers
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.parts import mask_lanes

MASK = """
define <2 x double> @f(<2 x double> %x) {
  %a = bitcast <2 x double> %x to <2 x i64>
  %b = OPERATION <2 x i64> %a, <i64 FIRST, i64 SECOND>
  %c = bitcast <2 x i64> %b to <2 x double>
  ret <2 x double> %c
}"""


def result(operation: str, first: int, second: int) -> ir.Instruction:
    """What `f` returns."""
    text = MASK.replace("OPERATION", operation).replace("FIRST", str(first)).replace("SECOND", str(second))
    module = parse_module(text)
    function = module.function("f")
    signs_as_numbers(module, function)
    assert not check_function(module, function)
    return function.blocks[0].instructions[-1].operands[0]


def test_the_sign_of_one_lane():
    product = result("xor", 0, -(2**63))
    assert isinstance(product, ir.Binary)
    assert product.op == "fmul"
    assert [factor.value for factor in product.operands[1].operands] == [1.0, -1.0]


def test_the_sign_of_all_lanes():
    assert isinstance(result("xor", -(2**63), -(2**63)), ir.Negate)


def test_one_lane_kept():
    kept = result("and", -1, 0)
    assert isinstance(kept, ir.ShuffleVector)
    assert mask_lanes(kept) == [0, 3]


@pytest.mark.parametrize("mask", [1, 2**63 - 2])
def test_other_bits_are_no_sign(mask: int):
    assert isinstance(result("xor", 0, mask), ir.Cast)


def test_masks_of_narrower_lanes():
    """As `_mm_and_pd(x, _mm_castsi128_pd(_mm_setr_epi32(-1, 0x7fffffff, -1, 0x7fffffff)))`."""
    text = """
define <2 x double> @f(<2 x double> %x) {
  %a = bitcast <2 x double> %x to <4 x i32>
  %b = and <4 x i32> %a, <i32 -1, i32 2147483647, i32 -1, i32 2147483647>
  %c = bitcast <4 x i32> %b to <2 x double>
  ret <2 x double> %c
}"""
    module = parse_module(text)
    function = module.function("f")
    signs_as_numbers(module, function)
    assert not check_function(module, function)
    magnitude = function.blocks[0].instructions[-1].operands[0]
    assert isinstance(magnitude, ir.Call)
    assert magnitude.callee.name == "llvm.fabs.v2f64"
