"""Marks at copies of structs, and at words of their integer members."""

import re

import pytest

from enzyme_build.llvm.members import mark_accesses

TEXT = """\
target datalayout = "e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128"
%struct.particle = type { double, ptr, [2 x double], i32 }
%struct.marked = type { i8, float, %struct.pair }
%struct.pair = type { double, double }
%struct.counts = type { i32, i32, i64 }
%struct.either = type { double, %union.value }
%struct.buffer = type { double, [16 x i8] }
%struct.floats = type { double, float, float }
%union.value = type { i64 }

define void @f(ptr %p, ptr %q, i64 %i) !dbg !1 {
  BODY
}

!1 = distinct !DISubprogram(name: "f", spFlags: FLAGS)
!2 = !{!3, !7, i64 0}
!3 = !{!"", !7, i64 0, !6, i64 8, !5, i64 12}
!4 = !{!"other", !7, i64 0, !7, i64 8}
!5 = !{!"int", !8, i64 0}
!6 = !{!"float", !8, i64 0}
!7 = !{!"double", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!4, !7, i64 0}
!10 = !{!11, !7, i64 0}
!11 = !{!"counted", !7, i64 0, !5, i64 8}
!12 = !{!13, !13, i64 0}
!13 = !{!"omnipotent char", !8, i64 0}
!14 = !{!15, !7, i64 0}
!15 = !{!"with characters", !7, i64 0, !13, i64 8}
"""


def marked(*lines: str, optimised: bool = False) -> str:
    flags = "DISPFlagDefinition | DISPFlagOptimized" if optimised else "DISPFlagDefinition"
    return mark_accesses(TEXT.replace("BODY", "\n  ".join(lines)).replace("FLAGS", flags))


def members(struct: str, size: int) -> list[tuple[int, int, str]]:
    """(offset, size, type) of what a copy to a local struct is said to move."""
    copy = f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 %r, ptr align 8 %p, i64 {size}, i1 false), !dbg !1"
    text = marked(f"%r = alloca %struct.{struct}, align 8", copy)
    nodes = dict(re.findall(r"^(!\d+) = !\{(.*)\}$", text, re.MULTILINE))
    found = re.search(r"i1 false\), !tbaa.struct (!\d+), !dbg", text)
    told = re.findall(r"i64 (\d+), i64 (\d+), (!\d+)", nodes[found[1]]) if found else []
    return [(int(at), int(count), nodes[nodes[tag].split(",")[0]].split('"')[1]) for at, count, tag in told]


def test_copied_struct():
    assert members("particle", 40) == [(0, 8, "double"), (8, 8, "any pointer"), (16, 16, "double"), (32, 8, "int")]


def test_an_integer_goes_with_its_padding():
    assert members("marked", 24) == [(0, 4, "int"), (4, 4, "float"), (8, 8, "double"), (16, 8, "double")]


@pytest.mark.parametrize(("struct", "size"), [("counts", 16), ("particle", 32)])
def test_structs_that_may_be_anything(struct, size):
    """Nothing but integers, not the whole struct."""
    assert members(struct, size) == []


@pytest.mark.parametrize(("struct", "size"), [("either", 8), ("buffer", 16)])
def test_members_that_may_be_anything(struct, size):
    """Unions, and arrays of characters."""
    assert members(struct, 8 + size) == [(0, 8, "double"), (8, size, "bytes")]


def test_copies_through_pointer_variables():
    """A variable that is used for members of one struct only."""
    use = (
        "%a = load ptr, ptr %v, align 8, !dbg !1",
        "%m = getelementptr inbounds nuw %struct.buffer, ptr %a, i32 0, i32 0",
    )
    copy = ("%b = load ptr, ptr %v, align 8, !dbg !1",
            "call void @llvm.memcpy.p0.p0.i64(ptr align 8 %b, ptr align 8 %p, i64 24, i1 false), !dbg !1")  # fmt: skip
    variable = "%v = alloca ptr, align 8"
    assert "!tbaa.struct" in marked(variable, *use, *copy)
    other = "%o = getelementptr inbounds i8, ptr %a, i64 8"
    assert "!tbaa.struct" not in marked(variable, *use, other, *copy)
    assert "!tbaa.struct" not in marked(variable, *copy)


def test_all_types_may_alias():
    text = marked("%r = alloca %struct.pair, align 8",
                  "call void @llvm.memcpy.p0.p0.i64(ptr align 8 %r, ptr align 8 %p, i64 16, i1 false)")  # fmt: skip
    parents = dict(re.findall(r'^(!\d+) = !\{!"[^"]*", (!\d+), i64 0\}$', text, re.MULTILINE))
    first = re.search(r'^(!\d+) = !\{!"double", !(?!8,)', text, re.MULTILINE)
    assert first
    chain = [first[1]]
    while chain[-1] in parents:
        chain.append(parents[chain[-1]])
    names = [re.search(rf'^{node} = !\{{!"([^"]*)"', text, re.MULTILINE)[1] for node in chain]
    assert names == ["double", "float", "long double", "_Float16", "int", "any pointer", "bytes", "members of structs"]


def words(*lines: str) -> bool:
    """Is the last line marked as an access to an integer, in optimised code?"""
    text = marked(*lines, optimised=True)
    return "!enzyme.member" in text.split("{\n", 1)[1].split("\n}\n")[0].splitlines()[-1]


def test_word_of_an_element():
    element = "%e = getelementptr inbounds nuw %struct.particle, ptr %p, i64 %i, !dbg !1"
    at = "%a = getelementptr inbounds nuw i8, ptr %e, i64 {}, !dbg !1"
    assert words(element, at.format(32), "%v = load i64, ptr %a, align 8, !dbg !1")
    assert words(element, at.format(32), "store i64 %i, ptr %a, align 8")
    assert not words(element, at.format(16), "%v = load i64, ptr %a, align 8")  # numbers
    assert not words(element, at.format(36), "%v = load i32, ptr %a, align 4")  # padding
    assert not words(element, at.format(32), "%v = load i64, ptr %a, align 8, !tbaa !12")  # told already


def test_word_of_the_array_itself():
    element = "%e = getelementptr inbounds nuw %struct.particle, ptr %p, i64 %i"
    assert words(element, "%a = getelementptr i8, ptr %p, i64 32", "%v = load i64, ptr %a, align 8")
    # The array may end before, as a member of a struct.
    assert not words(element, "%a = getelementptr i8, ptr %p, i64 72", "%v = load i64, ptr %a, align 8")
    other = "%o = getelementptr inbounds nuw %struct.pair, ptr %p, i64 %i"
    assert not words(element, other, "%a = getelementptr i8, ptr %p, i64 32", "%v = load i64, ptr %a, align 8")


def test_word_with_a_number():
    element = "%e = getelementptr inbounds %struct.floats, ptr %p, i64 %i"
    assert not words(element, "%a = getelementptr i8, ptr %e, i64 8", "%v = load i64, ptr %a, align 8")


def test_word_beside_a_member_that_is_accessed():
    at, load = "%a = getelementptr inbounds i8, ptr %p, i64 8", "%v = load i64, ptr %a, align 8"
    access = "%x = load double, ptr %p, align 8, !tbaa {}"
    assert words(access.format("!10"), at, load)
    assert not words(access.format("!2"), at, load)  # a float before the integer
    assert not words(access.format("!14"), at, load)  # characters, or anything
    assert not words(access.format("!10"), access.format("!9"), at, load)  # two structs
    assert not words(access.format("!12"), at, load)  # no struct


def part(at: int, size: int) -> str:
    """What is told of a part of an element that optimised code copies."""
    copy = f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr noundef nonnull align 8 dereferenceable({size}) %a, "
    text = marked(
        "%e = getelementptr inbounds nuw %struct.particle, ptr %p, i64 %i",
        f"%a = getelementptr inbounds nuw i8, ptr %e, i64 {at}",
        f"{copy}i64 {size}, i1 false), !dbg !1, !tbaa.struct !16",
        optimised=True,
    )
    nodes = dict(re.findall(r"^(!\d+) = !\{(.*)\}$", text, re.MULTILINE))
    found = re.search(r"i1 false\), !dbg !1, !tbaa.struct (!\d+)", text)
    assert found
    return re.sub(r"!\d+", lambda m: nodes[nodes[m[0]].split(",")[0]].split('"')[1], nodes.get(found[1], ""))


def test_parts_of_elements():
    assert part(24, 16) == "i64 0, i64 8, double, i64 8, i64 8, int"
    assert part(8, 24) == "i64 0, i64 8, any pointer, i64 8, i64 16, double"
    assert part(24, 12) == "i64 0, i64 8, double, i64 8, i64 4, int"
    assert part(20, 20) == part(24, 24) == ""  # cut through a number, longer than the struct
