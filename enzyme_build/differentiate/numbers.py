"""Zeros, ones and sums of differential values of any type.

A *differential* of a value has the value's own type, except that an integer carrying a float's bits has that float
as differential. Zero is written -0.0 where it is only ever added to: it is the exact neutral element of fadd, so
LLVM folds it away without fast-math flags. Memory is cleared to +0.0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from enzyme_build.ir.types import (
    ArrayType,
    FloatType,
    NamedStructType,
    StructType,
    Type,
    VectorType,
    fields_of,
)
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantFloat,
    ConstantSplat,
    Value,
    const_float,
    zero,
)

if TYPE_CHECKING:
    from enzyme_build.ir.builder import Builder


def neutral(type_: Type) -> Constant:
    """The neutral element of addition: -0.0 in every floating-point place, zero elsewhere."""
    if isinstance(type_, FloatType):
        return const_float(type_, -0.0) if type_.text != "ppc_fp128" else zero(type_)
    if isinstance(type_, VectorType) and type_.element.is_float:
        return const_float(type_, -0.0)
    if isinstance(type_, ArrayType | StructType | NamedStructType):
        members = [neutral(field) for field in fields_of(type_)]
        inner = ", ".join(f"{m.type} {m.text}" for m in members)
        text = f"[{inner}]" if isinstance(type_, ArrayType) else f"{{ {inner} }}"
        if not isinstance(type_, ArrayType) and type_.packed:
            text = f"<{text}>"
        return ConstantAggregate(type_, text, members)
    return zero(type_)


def is_neutral(value: Value) -> bool:
    """Is this the constant that adds nothing?"""
    if isinstance(value, ConstantSplat):
        return is_neutral(value.operands[0])
    if isinstance(value, ConstantFloat):
        if value.text.startswith("0xL"):
            # The low half of the bits comes first.
            return value.text == "0xL00000000000000008000000000000000"
        return value.value == 0 and value.text.startswith(("-", "0x8", "0xH8", "0xR8", "0xK8"))
    if isinstance(value, ConstantAggregate):
        return all(is_neutral(operand) for operand in value.operands if _has_number(operand.type))
    return False


def _has_number(type_: Type) -> bool:
    return type_.is_float_like or any(_has_number(field) for field in fields_of(type_))


def add(builder: Builder, a: Value, b: Value, flags: str = "") -> Value:
    """a + b in every floating-point place; other places are a's."""
    if is_neutral(a):
        return b
    if is_neutral(b):
        return a
    if a.type.is_float_like:
        return builder.fadd(a, b, flags)
    result = a
    for index, field in enumerate(fields_of(a.type)):
        if _has_number(field):
            total = add(builder, builder.extract_value(a, (index,)), builder.extract_value(b, (index,)), flags)
            result = builder.insert_value(result, total, (index,))
    return result


def add_adjoints(builder: Builder, a: Value, b: Value, flags: str = "") -> Value:
    """The sum of two contributions to an adjoint. No program says in which order an adjoint's contributions are added:
    LLVM may choose one, so that it can add several at once."""
    words = flags.split()
    return add(builder, a, b, flags if {"reassoc", "fast"} & {*words} else " ".join(["reassoc", *words]))


def fraction_constant(type_: Type, value: Fraction) -> Constant:
    """An exact rational rounded once to `type_` (through double: exact for what the tables hold in double)."""
    if type_.scalar.text == "x86_fp80":
        element = _extended_constant(type_.scalar, value)
        return ConstantSplat(type_, element) if isinstance(type_, VectorType) else element
    return const_float(type_, float(value))


def _extended_constant(type_: Type, value: Fraction) -> Constant:
    """x86's 80-bit format: 64-bit significand with explicit leading one, rounded to nearest."""
    if value == 0:
        return zero(type_)
    sign, magnitude = (1, -value) if value < 0 else (0, value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    significand = round(magnitude / Fraction(2) ** (exponent - 63))
    if significand >> 64:
        significand >>= 1
        exponent += 1
    return ConstantFloat(type_, f"0xK{(sign << 15) | (exponent + 16383):04X}{significand:016X}")
