"""Which memory Fortran declares as text."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.declared_text import DeclaredText

from .models import Model

MODULE = """
define void @f(ptr %name, ptr %names, ptr %item, ptr %list, ptr %later, ptr %x) !dbg !1 {
    #dbg_declare(ptr %name, !10, !DIExpression(), !2)
    #dbg_declare(ptr %names, !11, !DIExpression(), !2)
    #dbg_declare(ptr %item, !12, !DIExpression(), !2)
    #dbg_declare(ptr %list, !13, !DIExpression(), !2)
    #dbg_declare(ptr %later, !14, !DIExpression(), !2)
    #dbg_declare(ptr %x, !15, !DIExpression(), !2)
  %inside = getelementptr i8, ptr %item, i64 8
  %second = getelementptr i8, ptr %list, i64 32
  ret void
}
!1 = distinct !DISubprogram(name: "f")
!2 = !DILocation(line: 1, scope: !1)
!10 = !DILocalVariable(name: "name", scope: !1, type: !20)
!11 = !DILocalVariable(name: "names", scope: !1, type: !21)
!12 = !DILocalVariable(name: "item", scope: !1, type: !22)
!13 = !DILocalVariable(name: "list", scope: !1, type: !23)
!14 = !DILocalVariable(name: "later", scope: !1, type: !24)
!15 = !DILocalVariable(name: "x", scope: !1, type: !25)
!20 = !DIStringType(name: "character(*)")
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, elements: !30)
!22 = !DICompositeType(tag: DW_TAG_structure_type, name: "item", size: 192, elements: !31)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, elements: !30)
!24 = !DIStringType(name: "character(:)", stringLocationExpression: !DIExpression(DW_OP_push_object_address))
!25 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!30 = !{!33}
!31 = !{!34, !35}
!33 = !DISubrange(count: 3)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "value", baseType: !25, size: 64)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "name", baseType: !36, size: 96, offset: 64)
!36 = !DIStringType(name: "character(12)", size: 96)
"""


@pytest.mark.parametrize(
    ("pointer", "most", "covered"),
    [
        ("name", None, True),
        ("names", None, True),
        ("item", 8, False),
        ("inside", 12, True),
        ("inside", 16, False),
        ("inside", None, False),
        ("second", 12, True),
        ("later", None, False),
        ("x", None, False),
    ],
)
def test_text_is_a_variable_or_a_whole_component(pointer: str, most: int | None, *, covered: bool) -> None:
    model = Model(MODULE)
    text = DeclaredText(model.module, model.function)
    assert text.covers(model.module.layout, model[pointer], most) is covered
