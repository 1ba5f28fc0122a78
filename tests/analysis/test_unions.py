"""Integers that may be numbers in other objects."""

import pytest

from enzyme_build.analysis.declared_bytes import DeclaredBytes
from enzyme_build.analysis.unions import has_unions
from enzyme_build.ir.instructions import Load
from enzyme_build.ir.parser import parse_module

LAYOUT = 'target datalayout = "e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128"\n'
BODY = """
define i32 @f(ptr %p) {
  %v = load i32, ptr %p, align 4TAG
  ret i32 %v
}
!0 = !{!1, !1, i64 0}
!1 = !{!"omnipotent char", !2, i64 0}
!2 = !{!"Simple C/C++ TBAA"}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !1, i64 0}
"""
STRING = '%"class.std::__cxx11::basic_string" = type { ptr, i64, %union.anon }\n%union.anon = type { i64, [8 x i8] }\n'


def module(types: str = "", tag: str = "", metadata: str = ""):
    return parse_module(LAYOUT + types + BODY.replace("TAG", tag) + metadata)


@pytest.mark.parametrize(
    ("types", "tag", "found"),
    [
        ("", "", False),
        ("", ", !tbaa !3", False),
        ("", ", !tbaa !0", True),  # an integer that may alias anything
        ("%struct.cell = type { double, %union.anon }\n%union.anon = type { i64 }\n", "", True),
        ("%struct.cell = type { double, [2 x %union.anon] }\n%union.anon = type { i64 }\n", "", True),
        ("%union.part = type { %struct.range }\n%struct.range = type { i32, i32, double }\n", "", True),
        (STRING, "", False),
        (STRING + "%struct.cell = type { double, %union.anon.1 }\n%union.anon.1 = type { i64 }\n", "", True),
    ],
)
def test_programs_with_unions(types, tag, found):
    assert has_unions(module(types, tag)) == found


def enum(first: str, second: str) -> str:
    return f"""
!10 = !DICompositeType(tag: DW_TAG_variant_part, elements: !20, size: 64)
!11 = !DIDerivedType(tag: DW_TAG_member, name: "0", baseType: {first}, size: 64)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "1", baseType: {second}, size: 64)
!13 = !DICompositeType(tag: DW_TAG_structure_type, name: "A", size: 64, elements: !21)
!14 = !DICompositeType(tag: DW_TAG_structure_type, name: "B", size: 64, elements: !22)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "0", baseType: !17, size: 32, offset: 32)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "0", baseType: !18, size: 32, offset: 32)
!17 = !DIBasicType(name: "i32", size: 32, encoding: DW_ATE_signed)
!18 = !DIBasicType(name: "f32", size: 32, encoding: DW_ATE_float)
!20 = !{{!11, !12}}
!21 = !{{!15}}
!22 = !{{!16}}
"""


def test_enums():
    """Of which one variant has a float where another one has an integer."""
    assert has_unions(module(metadata=enum("!13", "!14")))
    assert not has_unions(module(metadata=enum("!13", "!13")))
    assert not has_unions(module(metadata=enum("!14", "!14")))


CELLS = """
%struct.cell = type { double, %union.anon, i64 }
%struct.name = type { %"class.std::__cxx11::basic_string", double }
%union.anon = type { i64 }
%"class.std::__cxx11::basic_string" = type { ptr, i64, %union.anon.1 }
%union.anon.1 = type { i64, [8 x i8] }

define void @f(ptr %p, i64 %i) {
  %local = alloca %struct.cell
  %local.sroa.0 = alloca %struct.cell
  %name = alloca %struct.name
  %e = getelementptr inbounds %struct.cell, ptr %p, i64 %i
  %a = load i64, ptr POINTER
  ret void
}
"""


@pytest.mark.parametrize(
    ("pointer", "size", "found"),
    [
        ("%e", 24, [(8, 8)]),
        ("%local", 24, [(8, 8)]),
        ("%local", 8, []),
        ("%local.sroa.0", 24, None),  # may be what is left of a union
        ("%p", 24, None),
        ("%name", 40, []),
    ],
)
def test_where_unions_are(pointer, size, found):
    text = parse_module(LAYOUT + CELLS.replace("POINTER", pointer))
    function = text.function("f")
    load = next(i for i in function.instructions() if isinstance(i, Load))
    assert DeclaredBytes(text, function).unions(load.pointer, size) == found
