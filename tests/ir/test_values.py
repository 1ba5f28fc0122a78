"""Types, sizes and constants."""

from __future__ import annotations

import math

import pytest

from enzyme_build.ir.layout import DataLayout
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I1,
    I8,
    I16,
    I32,
    I64,
    PTR,
    X86_FP80,
    Type,
    array_type,
    int_type,
    struct_type,
    vector_type,
    with_scalar,
)
from enzyme_build.ir.values import const_float, const_int, format_float, is_zero, null, parse_float, undef, zero

from .reading import llvm_text

LAYOUT = DataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128")


def test_types_are_interned() -> None:
    assert array_type(DOUBLE, 3) is array_type(DOUBLE, 3)
    assert struct_type((I8, PTR)) is not struct_type((I8, PTR), packed=True)
    assert with_scalar(vector_type(DOUBLE, 4), I1) is vector_type(I1, 4)
    assert vector_type(FLOAT, 2).is_float_like
    assert not vector_type(FLOAT, 2).is_float


@pytest.mark.parametrize(
    ("type_", "size", "alignment"),
    [
        (I1, 1, 1),
        (int_type(24), 4, 4),
        (I64, 8, 8),
        (int_type(128), 16, 16),
        (HALF, 2, 2),
        (X86_FP80, 16, 16),
        (PTR, 8, 8),
        (vector_type(FLOAT, 3), 16, 16),
        (vector_type(DOUBLE, 4), 32, 32),
        (array_type(I16, 5), 10, 2),
        (struct_type((I8, DOUBLE, I32)), 24, 8),
        (struct_type((I8, DOUBLE, I32), packed=True), 13, 1),
        (struct_type(()), 0, 1),
    ],
)
def test_sizes(type_: Type, size: int, alignment: int) -> None:
    assert (LAYOUT.alloc_size(type_), LAYOUT.alignment(type_)) == (size, alignment)


def test_offsets() -> None:
    struct = struct_type((I8, DOUBLE, array_type(I32, 2), I16))
    assert [LAYOUT.field_offset(struct, i) for i in range(4)] == [0, 8, 16, 24]
    assert LAYOUT.field_offset(array_type(struct, 9), 2) == 2 * LAYOUT.alloc_size(struct)
    assert LAYOUT.pointer_size(270) == 4


@pytest.mark.parametrize("type_", [HALF, BFLOAT, FLOAT, DOUBLE, X86_FP80, FP128])
@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, -2.5, 0.1, 1e-3, 65504.0, math.inf, -math.inf, math.nan, 5e-324])
def test_llvm_reads_the_floats_that_we_write(type_: Type, value: float) -> None:
    text = format_float(type_, value)
    assert f"global {type_} " in llvm_text(f"@x = global {type_} {text}\n")
    back = parse_float(type_, text)
    if back is not None and type_ in (DOUBLE, X86_FP80):
        assert back == value or (math.isnan(back) and math.isnan(value))
        assert math.copysign(1, back) == math.copysign(1, value)


def test_a_double_survives_llvm() -> None:
    for value in (0.1, 1 / 3, 1e300, 2.0**-1074):
        line = llvm_text(f"@x = global double {format_float(DOUBLE, value)}\n").splitlines()[2]
        assert parse_float(DOUBLE, line.rsplit(" ", 1)[1]) == value


def test_integers_are_wrapped_and_interned() -> None:
    assert const_int(I8, 255) is const_int(I8, -1)
    assert const_int(I1, 1).text == "true"
    assert const_int(I1, -1).value == 1
    assert const_int(int_type(128), 2**127).value == -(2**127)


def test_zeros() -> None:
    for type_ in (I32, DOUBLE, FLOAT, PTR, vector_type(DOUBLE, 2), struct_type((I32, PTR)), X86_FP80):
        assert is_zero(zero(type_))
    assert is_zero(null(PTR))
    assert not is_zero(const_float(DOUBLE, -0.0))
    assert not is_zero(const_float(FLOAT, 1e-30))
    assert not is_zero(undef(DOUBLE))
    assert is_zero(const_float(vector_type(DOUBLE, 2), 0.0))


def test_equal_constants_are_one_object() -> None:
    module = parse_module(
        "define double @f(double %x) {\n  %a = fadd double %x, 1.5\n  %b = fadd double %a, 1.5\n  ret double %b\n}\n"
    )
    first, second, _ = module.function("f").entry.instructions
    assert first.operands[1] is second.operands[1]
