"""Types and constants, token by token."""

from __future__ import annotations

import pytest

from enzyme_build.errors import InputError
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.reader import Reader
from enzyme_build.ir.types import NamedStructType
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantSplat,
    NullPointer,
    OpaqueConstant,
    Undef,
    ZeroInitializer,
)

MODULE = parse_module('%s = type { i32 }\n%"q t" = type { i8 }\n@g = global i32 0\n@h = global i32 0\n')


@pytest.mark.parametrize(
    "text",
    [
        "i1", "i24", "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128", "ptr", "ptr addrspace(3)",
        "<4 x i32>", "<vscale x 2 x double>", "[0 x i8]", "[3 x [2 x %s]]", "{}", "{ i32, ptr }", "<{ i8, { i16 } }>",
        "%s", '%"q t"', 'target("spirv.Image", void, 1)', "x86_amx", "void", "token", "metadata", "label",
        "double (ptr, i32, ...)", "void ()",
    ],
)  # fmt: skip
def test_types_print_as_they_are_written(text: str) -> None:
    reader = Reader(MODULE, text)
    type_ = reader.type()
    assert type_.text == text
    assert reader.word == ""
    if not isinstance(type_, NamedStructType):
        assert Reader(MODULE, text).type() is type_


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("i32 -5", ConstantInt),
        ("i1 true", ConstantInt),
        ("double 1.500000e+00", ConstantFloat),
        ("double -0.0", ConstantFloat),
        ("float 0x3FB99999A0000000", ConstantFloat),
        ("half 0xH3C00", ConstantFloat),
        ("x86_fp80 0xK3FFF8000000000000000", ConstantFloat),
        ("ptr null", NullPointer),
        ("<2 x i32> undef", Undef),
        ("{ i32 } poison", Undef),
        ("[2 x i8] zeroinitializer", ZeroInitializer),
        ('[3 x i8] c"\\00\\22,"', ConstantData),
        ("<2 x double> splat (double 1.0)", ConstantSplat),
        ("{ i32, ptr } { i32 1, ptr @g }", ConstantAggregate),
        ("<{ i8 }> <{ i8 1 }>", ConstantAggregate),
        ("[0 x i8] []", ConstantAggregate),
        ("ptr getelementptr inbounds nuw ({ i8, i32 }, ptr @g, i64 0, i32 1)", ConstantExpression),
        ("ptr getelementptr inrange(-16, 8) (i8, ptr @g, i64 16)", ConstantExpression),
        ("i64 ptrtoint (ptr @g to i64)", ConstantExpression),
        ("i64 sub (i64 ptrtoint (ptr @g to i64), i64 ptrtoint (ptr @h to i64))", ConstantExpression),
        ("ptr no_cfi @g", OpaqueConstant),
        ("token none", OpaqueConstant),
    ],
)
def test_constants_keep_their_text(text: str, kind: type[Constant]) -> None:
    reader = Reader(MODULE, text)
    constant = reader.typed_value()
    assert isinstance(constant, kind)
    assert reader.word == ""
    assert f"{constant.type} {constant.text}" == text


def test_globals_inside_constants_are_found() -> None:
    constant = Reader(MODULE, "i64 sub (i64 ptrtoint (ptr @g to i64), i64 ptrtoint (ptr @h to i64))").typed_constant()
    assert isinstance(constant, ConstantExpression)
    assert [inner.operands[0] for inner in constant.operands if isinstance(inner, Constant)] == [
        MODULE.globals["g"],
        MODULE.globals["h"],
    ]


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("noundef %x", "noundef"),
        ("nonnull align 8 dereferenceable(16) @g", "nonnull align 8 dereferenceable(16)"),
        ("byval({ i32, ptr }) align 8 %x", "byval({ i32, ptr }) align 8"),
        ("range(i32 -5, 7) 3", "range(i32 -5, 7)"),
        ("captures(address, read_provenance) null", "captures(address, read_provenance)"),
        ('"key"="value" "flag" undef', '"key"="value" "flag"'),
        ("initializes((0, 8), (16, 24)) %p", "initializes((0, 8), (16, 24))"),
        ("getelementptr (i8, ptr @g, i64 1)", ""),
    ],
)
def test_attributes_end_where_the_value_begins(text: str, attributes: str) -> None:
    assert Reader(MODULE, text).attributes() == attributes


@pytest.mark.parametrize(
    "text", ["i32 (", "[3 y i8]", "{ i32", "i32 %x", "ptr @missing", "i32 1.5.5 ~", "{ i32 } { i32 1"]
)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Reader(MODULE, text).typed_value()
