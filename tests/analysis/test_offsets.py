"""Linear forms of indices, and offsets of getelementptr."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.offsets import at_most, element_offset, linear, scalar_leaves
from enzyme_build.ir.instructions import Phi
from enzyme_build.ir.types import DOUBLE, FLOAT, I8, I32, I64, PTR, array_type, struct_type, vector_type

from .models import Model


def form(body: str, name: str = "r", arguments: str = "i64 %i, i64 %j, i32 %k"):
    """{name or "": factor} of %name."""
    model = Model(f"define void @f({arguments}) {{\n{body}\n  ret void\n}}")
    found = linear(model[name])
    return {"": found.constant, **{value.name: scale for value, scale in found.terms}}


def test_sum_of_products():
    body = "  %a = mul i64 %i, 24\n  %b = shl i64 %j, 3\n  %c = add i64 %a, %b\n  %r = sub i64 %c, 5"
    assert form(body) == {"": -5, "i": 24, "j": 8}


def test_terms_of_one_value_are_added_and_may_vanish():
    assert form("  %a = mul i64 %i, 3\n  %r = add i64 %a, %i") == {"": 0, "i": 4}
    assert form("  %r = sub i64 %i, %i") == {"": 0}


def test_disjoint_or_is_a_sum():
    assert form("  %a = shl i64 %i, 1\n  %r = or disjoint i64 %a, 1") == {"": 1, "i": 2}
    assert form("  %r = or i64 %i, 1") == {"": 0, "r": 1}


@pytest.mark.parametrize(
    ("flags", "cast", "opened"),
    [("nsw", "sext", True), ("nuw", "zext", True), ("nsw", "zext nneg", True), ("", "sext", False),
     ("nsw", "zext", False), ("nuw", "sext", False)],
)  # fmt: skip
def test_extension_is_read_through_only_where_nothing_wraps(flags, cast, opened):
    found = form(f"  %a = add {flags} i32 %k, 7\n  %r = {cast} i32 %a to i64")
    assert found == ({"": 7, "k": 1} if opened else {"": 0, "r": 1})


def test_unsigned_addition_of_a_large_constant_is_no_subtraction():
    """zext(k + 0xffffffff nuw) is not k - 1: with nuw, k can only be 0."""
    found = form("  %a = add nuw i32 %k, -1\n  %r = zext i32 %a to i64")
    assert found in ({"": 0xFFFFFFFF, "k": 1}, {"": 0, "r": 1})


def test_product_of_variables_is_a_value_of_its_own():
    assert form("  %a = mul i64 %i, %j\n  %r = add i64 %a, 2") == {"": 2, "a": 1}


def offset(gep: str, header: str = ""):
    model = Model(f"{header}\ndefine void @f(ptr %p, i64 %i, i32 %k) {{\n  %g = {gep}\n  ret void\n}}")
    found = element_offset(model.module.layout, model["g"])
    return {"": found.constant, **{value.name: scale for value, scale in found.terms}}


def test_array_of_structs():
    # { i32, double, [3 x float] } has offsets 0, 8, 16 and size 32.
    header = "%s = type { i32, double, [3 x float] }"
    assert offset("getelementptr %s, ptr %p, i64 %i, i32 2, i64 1", header) == {"": 20, "i": 32}
    assert offset("getelementptr %s, ptr %p, i64 -1, i32 1", header) == {"": -24}


def test_packed_struct_and_bytes():
    assert offset("getelementptr <{ i8, double }>, ptr %p, i64 1, i32 1") == {"": 10}
    assert offset("getelementptr i8, ptr %p, i64 %i") == {"": 0, "i": 1}


def test_index_of_other_width():
    assert offset("getelementptr double, ptr %p, i32 %k") == {"": 0, "k": 8}


def test_leaves_of_nested_types():
    layout = Model("define void @f() {\n  ret void\n}").module.layout
    type_ = struct_type((I8, array_type(struct_type((FLOAT, PTR)), 2), vector_type(DOUBLE, 2)))
    assert scalar_leaves(layout, type_) == [
        ((0,), I8, 0),
        ((1, 0, 0), FLOAT, 8),
        ((1, 0, 1), PTR, 16),
        ((1, 1, 0), FLOAT, 24),
        ((1, 1, 1), PTR, 32),
        ((2, 0), DOUBLE, 48),
        ((2, 1), DOUBLE, 56),
    ]
    assert scalar_leaves(layout, I32) == [((), I32, 0)]


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("  %r = call i64 @llvm.smin.i64(i64 %i, i64 8)", 8),
        ("  %a = call i64 @llvm.umin.i64(i64 24, i64 %i)\n  %r = call i64 @llvm.umin.i64(i64 %a, i64 %j)", 24),
        ("  %a = call i32 @llvm.smin.i32(i32 %k, i32 16)\n  %r = zext i32 %a to i64", 16),
        ("  %a = call i64 @llvm.smin.i64(i64 %i, i64 8)\n  %r = select i1 %c, i64 %a, i64 4", 8),
        ("  %r = select i1 %c, i64 %i, i64 4", None),
        ("  %r = call i64 @llvm.smax.i64(i64 %i, i64 8)", None),
        ("  %r = add i64 %i, 8", None),
    ],
)
def test_what_a_length_never_exceeds(body, most):
    declared = "".join(f"declare i{n} @llvm.{f}.i{n}(i{n}, i{n})\n" for f in ("smin", "umin", "smax") for n in (32, 64))
    model = Model(f"{declared}define void @f(i64 %i, i64 %j, i32 %k, i1 %c) {{\n{body}\n  ret void\n}}")
    assert at_most(model["r"]) == most


def test_a_merge_that_is_being_built_says_nothing_of_lengths():
    assert at_most(Phi(I64, [], [])) is None
