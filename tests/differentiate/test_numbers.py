"""Neutral elements, sums of aggregates, exact constants."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enzyme_build.differentiate.numbers import add, add_adjoints, fraction_constant, is_neutral, neutral
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I32,
    X86_FP80,
    array_type,
    struct_type,
    vector_type,
)
from enzyme_build.ir.values import Argument, const_float, zero
from enzyme_build.llvm.context import parse_text

ALL = [HALF, BFLOAT, FLOAT, DOUBLE, X86_FP80, FP128, vector_type(FLOAT, 4), array_type(DOUBLE, 2),
       struct_type((DOUBLE, I32, FLOAT)), struct_type((FLOAT, DOUBLE), packed=True)]  # fmt: skip


@pytest.mark.parametrize("type_", ALL, ids=str)
def test_neutral_is_recognised_and_valid_text(type_):
    value = neutral(type_)
    assert is_neutral(value)
    assert not is_neutral(zero(type_))
    parse_text(f"define {type_} @f() {{\n  ret {type_} {value.text}\n}}", "a constant")


def test_minus_zero_is_neutral_and_plus_zero_is_not():
    """-0.0 + x is x for every x; 0.0 + -0.0 is 0.0."""
    assert is_neutral(const_float(DOUBLE, -0.0))
    assert not is_neutral(const_float(DOUBLE, 0.0))
    assert not is_neutral(const_float(DOUBLE, -1.0))
    assert not is_neutral(const_float(DOUBLE, -5e-324))


def emitted(make):
    block = Block("b")
    result = make(Builder(block))
    return result, [type(i).__name__ for i in block.instructions]


def test_adding_nothing_emits_nothing():
    x = Argument(DOUBLE, "x", 0)
    assert emitted(lambda b: add(b, neutral(DOUBLE), x)) == (x, [])
    assert emitted(lambda b: add(b, x, neutral(DOUBLE))) == (x, [])


def test_members_are_added_one_by_one():
    type_ = struct_type((DOUBLE, I32, array_type(FLOAT, 2)))
    a, b = Argument(type_, "a", 0), Argument(type_, "b", 1)
    _, found = emitted(lambda builder: add(builder, a, b))
    assert found.count("Binary") == 3


def test_vectors_are_added_at_once():
    type_ = vector_type(FLOAT, 4)
    a, b = Argument(type_, "a", 0), Argument(type_, "b", 1)
    assert emitted(lambda builder: add(builder, a, b))[1] == ["Binary"]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [("", "reassoc"), ("nsz", "reassoc nsz"), ("nsz reassoc", "nsz reassoc"), ("fast", "fast")],
)
def test_adjoints_are_added_in_any_order(flags, expected):
    a, b = Argument(DOUBLE, "a", 0), Argument(DOUBLE, "b", 1)
    total, _ = emitted(lambda builder: add_adjoints(builder, a, b, flags))
    assert total.flags == expected
    parse_text(
        f"define double @f(double %a, double %b) {{\n  %c = fadd {expected} double %a, %b\n  ret double %c\n}}", "it"
    )


def test_constants_are_rounded_once():
    assert fraction_constant(DOUBLE, Fraction(1, 3)).value == 1 / 3
    assert fraction_constant(FLOAT, Fraction(1, 3)).value == float.fromhex("0x1.555556p-2")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        # sign and exponent (bias 16383), then 64 bits of significand
        (Fraction(1), "0xK3FFF8000000000000000"),
        (Fraction(-2), "0xKC0008000000000000000"),
        (Fraction(1, 3), "0xK3FFDAAAAAAAAAAAAAAAB"),
        (Fraction(3, 2), "0xK3FFFC000000000000000"),
        (1 - Fraction(1, 2**70), "0xK3FFF8000000000000000"),
    ],
)
def test_extended_precision(value, text):
    assert fraction_constant(X86_FP80, value).text == text
