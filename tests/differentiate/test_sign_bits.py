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


EXPONENT = """
define <2 x double> @f(<2 x double> %x) {
  %a = bitcast <2 x double> %x to <2 x i64>
  %b = and <2 x i64> %a, splat (i64 KEPT)
  %c = or <2 x i64> %b, splat (i64 PUT)
  %d = bitcast <2 x i64> %c to <2 x double>
  ret <2 x double> %d
}"""
FRACTION = 2**52 - 1


@pytest.mark.parametrize(
    ("kept", "put", "scales"),
    [
        (FRACTION, 1022 << 52, True),
        (FRACTION - 2**63, 1022 << 52, True),  # with the sign
        (FRACTION, 1023 << 52, True),
        (FRACTION, 2047 << 52, False),  # of no finite number
        (FRACTION, 1022 << 52 | 1, False),
        (FRACTION - 1, 1022 << 52, False),
        (FRACTION | 1 << 52, 1022 << 52, True),  # one of two exponents
    ],
)
def test_another_exponent(kept: int, put: int, scales: bool) -> None:  # noqa: FBT001
    module = parse_module(EXPONENT.replace("KEPT", str(kept)).replace("PUT", str(put)))
    function = module.function("f")
    assert signs_as_numbers(module, function) is scales
    assert not check_function(module, function)
    found = function.blocks[0].instructions[-1].operands[0]
    assert isinstance(found, ir.Select) is scales


LAST_BITS = """
define double @f(double %x, i32 %n, i64 %m) {
  %a = bitcast double %x to i64
  %w = zext i32 %n to i64
  %l = and i64 %m, 255
  OPERATION
  %c = bitcast i64 %b to double
  ret double %c
}"""


def last_bits(operation: str) -> ir.Instruction:
    """What `f` returns: a choice between a difference, which has a slope, and its bits."""
    module = parse_module(LAST_BITS.replace("OPERATION", operation))
    function = module.function("f")
    signs_as_numbers(module, function)
    assert not check_function(module, function)
    return function.blocks[0].instructions[-1].operands[0]


@pytest.mark.parametrize(
    "operation",
    [
        "%b = and i64 %a, -4294967296",
        "%b = and i64 %a, -2",
        "%k = and i64 %a, -4294967296\n  %b = or i64 %k, %w",
        "%k = and i64 %a, -256\n  %b = or i64 %l, %k",
        "%k = and i64 %a, -256\n  %b = or disjoint i64 %k, %m",
    ],
)
def test_cleared_and_other_last_bits(operation: str):
    chosen = last_bits(operation)
    assert isinstance(chosen, ir.Select)
    assert isinstance(chosen.operands[1], ir.Binary)
    assert chosen.operands[1].op == "fsub"


@pytest.mark.parametrize(
    "operation",
    [
        "%b = and i64 %a, -4503599627370496",  # no fraction
        "%b = and i64 %a, -70368744177664",  # six bits of it
        "%b = and i64 %a, 4294967295",  # no exponent
        "%b = and i64 %a, -4294967297",  # a bit in the middle
        "%k = and i64 %a, -256\n  %b = or i64 %k, %m",  # any others
        "%k = and i64 %a, -256\n  %b = or i64 %k, %w",
    ],
)
def test_what_is_no_end_of_a_fraction(operation: str):
    assert isinstance(last_bits(operation), ir.Cast)


COMPUTED = """
define float @f(float %x, i32 %negative) {
  %a = bitcast float %x to i32
  %m = and i32 %a, 2147483647
  %s = shl i32 %negative, BITS
  %b = OPERATION i32 %WORD, %s
  %c = bitcast i32 %b to float
  ret float %c
}"""


def computed(operation: str, word: str, bits: int = 31) -> ir.Instruction:
    module = parse_module(COMPUTED.replace("OPERATION", operation).replace("WORD", word).replace("BITS", str(bits)))
    function = module.function("f")
    signs_as_numbers(module, function)
    assert not check_function(module, function)
    return function.blocks[0].instructions[-1].operands[0]


def test_a_computed_sign():
    assert computed("xor", "a").op == "fmul"
    assert computed("or", "m").callee.name == "llvm.copysign.f32"


def test_more_bits_than_the_sign_are_of_the_exponent():
    assert isinstance(computed("xor", "a", 30), ir.Select)
    assert isinstance(computed("xor", "a", 23), ir.Select)
    assert computed("xor", "a", 22).op == "bitcast"


SHIFTED = """
define TYPE @f(TYPE %x, WORD %n, WORD %m) {
  %a = bitcast TYPE %x to WORD
  %s = shl WORD %n, SHIFT
  OPERATIONS
  %c = bitcast WORD %b to TYPE
  ret TYPE %c
}"""
SCALAR, VECTOR = ("float", "i32", "23"), ("<4 x float>", "<4 x i32>", "splat (i32 23)")


def shifted(operations: str, type_: str, word: str, shift: str) -> bool:
    """Is what `f` returns the number times a power of two?"""
    text = SHIFTED.replace("OPERATIONS", operations).replace("TYPE", type_).replace("WORD", word)
    module = parse_module(text.replace("SHIFT", shift))
    function = module.function("f")
    signs_as_numbers(module, function)
    assert not check_function(module, function)
    return isinstance(function.blocks[0].instructions[-1].operands[0], ir.Select)


@pytest.mark.parametrize("types", [SCALAR, VECTOR], ids=["scalar", "vector"])
@pytest.mark.parametrize(
    ("operations", "scales"),
    [
        ("%b = add WORD %a, %s", True),
        ("%b = add WORD %s, %a", True),
        ("%b = sub WORD %a, %s", True),
        ("%b = sub WORD %s, %a", False),
        ("%b = add WORD %a, %m", False),  # any fraction
        ("%t = shl WORD %m, SHIFT\n  %d = add WORD %a, %t\n  %b = sub WORD %d, %s", True),
        ("%l = lshr WORD %s, SHIFT\n  %b = add WORD %a, %l", False),
        ("%b = xor WORD %a, %s", True),
    ],
)
def test_what_is_added_to_an_exponent(operations: str, scales: bool, types: tuple[str, str, str]) -> None:  # noqa: FBT001
    assert shifted(operations, *types) is scales


@pytest.mark.parametrize(
    ("operations", "scales"),
    [
        # The fraction of a sum with a constant, without it again.
        ("%t = add i32 %a, 4913933\n  %f = and i32 %t, 8388607\n  %b = add i32 %f, 1060439283", True),
        ("%t = add i32 %a, 4913933\n  %f = and i32 %t, 8388607\n  %b = add i32 %f, 1060439282", False),
        ("%t = add i32 %a, 4913933\n  %f = and i32 %t, 8388603\n  %b = add i32 %f, 1060439283", False),
        ("%f = and i32 %a, 8388607\n  %b = or i32 %f, %s", True),
        ("%f = and i32 %a, 4194303\n  %b = or i32 %f, %s", False),
        ("%f = and i32 %a, 8388607\n  %b = or i32 %f, 2139095040", False),  # of no number
    ],
)
def test_another_exponent_by_sums(operations: str, scales: bool) -> None:  # noqa: FBT001
    assert shifted(operations, *SCALAR) is scales


def test_signs_of_vectors_are_computed_too():
    module = parse_module("""
define <4 x float> @f(<4 x float> %x, <4 x i32> %negative) {
  %a = bitcast <4 x float> %x to <4 x i32>
  %s = shl <4 x i32> %negative, splat (i32 31)
  %b = or <4 x i32> %a, %s
  %c = bitcast <4 x i32> %b to <4 x float>
  ret <4 x float> %c
}""")
    function = module.function("f")
    signs_as_numbers(module, function)
    assert not check_function(module, function)
    chosen = function.blocks[0].instructions[-1].operands[0]
    assert isinstance(chosen, ir.Select)
    assert isinstance(chosen.operands[1], ir.Negate)


def test_all_bits_where_there_is_no_result():
    """As vectors of functions put NaN in the lanes outside of their domains."""
    module = parse_module("""
define <4 x float> @f(<4 x float> %x, <4 x i1> %outside) {
  %a = bitcast <4 x float> %x to <4 x i32>
  %s = sext <4 x i1> %outside to <4 x i32>
  %b = or <4 x i32> %s, %a
  %c = bitcast <4 x i32> %b to <4 x float>
  ret <4 x float> %c
}""")
    function = module.function("f")
    signs_as_numbers(module, function)
    assert not check_function(module, function)
    chosen = function.blocks[0].instructions[-1].operands[0]
    assert isinstance(chosen, ir.Select)
    assert chosen.operands[2] is function.arguments[0]
