"""What debug information says of copied values."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.source_structs import copied_in_rust
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, PTR

COPY = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q, i64 %n) !dbg !1 {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false), !dbg !2
  ret void
}
!0 = !DIFile(filename: "a.rs", directory: "/")
!1 = distinct !DISubprogram(name: "f", scope: !0, file: !0, line: 1)
!2 = !DILocation(line: 5, scope: !4, inlinedAt: !3)
!3 = !DILocation(line: 7, scope: !1)
!4 = distinct !DILexicalBlock(scope: !5, file: !0, line: 4)
!5 = distinct !DISubprogram(name: "NAME", linkageName: "SYMBOL", scope: !0, file: !0, templateParams: !6)
!6 = !{!7}
!7 = !DITemplateTypeParameter(name: "T", type: TYPE)
!10 = !DIBasicType(name: "f64", size: 64, encoding: DW_ATE_float)
!11 = !DIBasicType(name: "usize", size: 64, encoding: DW_ATE_unsigned)
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "*f64", baseType: !10, size: 64)
!20 = !DICompositeType(tag: DW_TAG_structure_type, name: "Row", elements: !21, size: 128)
!21 = !{!22, !23}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "at", baseType: !12, size: 64)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "len", baseType: !11, size: 64, offset: 64)
!30 = !DICompositeType(tag: DW_TAG_union_type, name: "Either", elements: !31, size: 64)
!31 = !{!22, !32}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "number", baseType: !10, size: 64)
!40 = !DICompositeType(tag: DW_TAG_structure_type, name: "Cell", elements: !41, size: 64)
!41 = !{!42}
!42 = !DIDerivedType(tag: DW_TAG_member, name: "value", baseType: !30, size: 64)
"""


def told(
    type_: str, name: str = "copy_nonoverlapping<f64>", symbol: str = "_ZN4core3ptr19copy_nonoverlapping17h0123E"
) -> tuple[int, list[tuple[int, object]]] | None:
    module = parse_module(COPY.replace("TYPE", type_).replace("NAME", name).replace("SYMBOL", symbol))
    copy = next(iter(module.function("f").instructions()))
    found = copied_in_rust(module, copy)
    return None if found is None else (found[0], [(at, own) for at, _, own in found[1] if own in (DOUBLE, PTR)])


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("copy_nonoverlapping<f64>", "_ZN4core3ptr19copy_nonoverlapping17h0123E"),
        ("copy<f64>", "_ZN4core3ptr4copy17h0123E"),
        ("read<f64>", "_RINvNtCs1_4core3ptr4readdE"),
    ],
)
def test_numbers_are_told(name: str, symbol: str):
    assert told("!10", name, symbol) == (8, [(0, DOUBLE)])


def test_structs_are_told():
    assert told("!20") == (16, [(0, PTR)])


@pytest.mark.parametrize("type_", ["!11", "!30", "!40", "null"])
def test_integers_and_unions_tell_nothing(type_: str):
    assert told(type_) is None


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("copy_nonoverlapping<f64>", "_ZN4more19copy_nonoverlapping17h0123E"),  # the user's own function
        ("copy_within<f64>", "_ZN4core5slice11copy_within17h0123E"),
        ("swap<f64>", "_ZN4core3mem4swap17h0123E"),
    ],
)
def test_other_functions_tell_nothing(name: str, symbol: str):
    assert told("!10", name, symbol) is None
