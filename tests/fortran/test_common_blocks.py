"""What debug information says of COMMON blocks."""

from __future__ import annotations

import pytest

from enzyme_build.fortran.common_blocks import with_members

CODE = """
@state_ = common global [32 x i8] zeroinitializer, align 8, !dbg !10, !dbg !11

define void @first_(i64 %i) !dbg !2 {
  %a = getelementptr double, ptr @state_, i64 %i
  store double 1.0, ptr %a, align 8, !dbg !3
  store i32 1, ptr getelementptr inbounds nuw (i8, ptr @state_, i64 28), align 4, !dbg !3
  %k = load i32, ptr %a, align 4, !dbg !3, !tbaa !30
  %l = load i32, ptr %a, align 4, !dbg !3
  store i32 1, ptr getelementptr inbounds nuw (i8, ptr @state_, i64 16), align 4, !dbg !3
  ret void, !dbg !3
}
"""
METADATA = """
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "flang", emissionKind: FullDebug)
!1 = !DIFile(filename: "f.f90", directory: "/")
!2 = distinct !DISubprogram(name: "first", scope: !1, file: !1, unit: !0, spFlags: DISPFlagDefinition)
!3 = !DILocation(line: 1, column: 1, scope: !2)
!4 = !DICommonBlock(scope: !2, declaration: null, name: "state", file: !1, line: 1)
!5 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!6 = !DIBasicType(name: "real", size: 32, encoding: DW_ATE_float)
!7 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
!8 = !{!9}
!9 = !DISubrange(count: 2)
!10 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!11 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression(DW_OP_plus_uconst, 16))
!12 = distinct !DIGlobalVariable(name: "x", scope: !4, file: !1, type: !14)
!13 = distinct !DIGlobalVariable(name: "y", scope: !4, file: !1, type: !15)
!14 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, elements: !8)
!15 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, elements: !8)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression(DW_OP_plus_uconst, 28))
!17 = distinct !DIGlobalVariable(name: "k", scope: !4, file: !1, type: !7)
!30 = !{!31, !31, i64 0}
!31 = !{!"global data/state_/bytes_28_to_31", !32, i64 0}
!32 = !{!"any data access", !33, i64 0}
!33 = !{!"Flang function root first_"}
"""


def declared(text: str) -> str:
    """The type of the block."""
    line = next(line for line in with_members(text).splitlines() if line.startswith("@state_"))
    return line.split(" global ")[1].split(" zeroinitializer")[0]


def test_members_of_several_types():
    assert declared(CODE + METADATA) == "<{ [2 x double], [2 x float], [4 x i8], i32 }>"


def test_integers_are_marked():
    marked = [line for line in with_members(CODE + METADATA).splitlines() if "!enzyme.member" in line]
    assert [line.split(", !dbg")[0] for line in marked] == [
        "  store i32 1, ptr getelementptr inbounds nuw (i8, ptr @state_, i64 28), align 4",
        "  %k = load i32, ptr %a, align 4",
    ]


def test_declarations_that_cut_the_same_numbers_up():
    other = """
!40 = !DIGlobalVariableExpression(var: !41, expr: !DIExpression(DW_OP_plus_uconst, 8))
!41 = distinct !DIGlobalVariable(name: "half", scope: !4, file: !1, type: !5)
"""
    assert declared(CODE + METADATA + other) == declared(CODE + METADATA)


@pytest.mark.parametrize("offset", [12, 20])
def test_declarations_that_disagree(offset: int):
    other = f"""
!40 = !DIGlobalVariableExpression(var: !41, expr: !DIExpression(DW_OP_plus_uconst, {offset}))
!41 = distinct !DIGlobalVariable(name: "view", scope: !4, file: !1, type: !5)
"""
    assert with_members(CODE + METADATA + other) == CODE + METADATA + other


COUNT = '"integer", size: 32, encoding: DW_ATE_signed'
SINGLE = '"real", size: 32, encoding: DW_ATE_float'


def test_counts_beside_numbers():
    assert declared(CODE + METADATA.replace(SINGLE, COUNT)) == "<{ [2 x double], [2 x i32], [4 x i8], i32 }>"


def test_numbers_of_one_type_are_left_alone():
    text = CODE + METADATA.replace(COUNT, SINGLE).replace('"real(kind=8)", size: 64', '"real", size: 32')
    assert with_members(text) == text


def test_counts_alone_are_left_alone():
    double = '"real(kind=8)", size: 64, encoding: DW_ATE_float'
    text = CODE + METADATA.replace(SINGLE, COUNT).replace(double, COUNT)
    assert with_members(text) == text


def test_code_without_declarations_knows_the_block():
    other = "\ndefine void @other() {\n  store double 1.0, ptr @state_, align 8\n  ret void\n}\n"
    assert declared(CODE + other + METADATA) == "[32 x i8]"
    assert declared(CODE + other.replace("@state_", "@state_2") + METADATA) != "[32 x i8]"


def test_line_tables_alone():
    assert declared(CODE + METADATA.replace("FullDebug", "LineTablesOnly")) == "[32 x i8]"
