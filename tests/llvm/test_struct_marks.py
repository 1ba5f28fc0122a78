"""Marks of the structs whose members unoptimised code accesses."""

from __future__ import annotations

import re

import pytest

from enzyme_build.llvm.struct_marks import mark_structs

TEXT = """\
%struct.pool = type { ptr, [4 x [2 x %struct.node]], { double, double }, i32 }
%struct.node = type { double, ptr }
%struct.last = type { i32, [4 x double] }
UNION
define void @f(ptr %p, i64 %i) !dbg !1 {
  BODY
}

!1 = distinct !DISubprogram(name: "f", spFlags: FLAGS)
!7 = !{}
"""
USED = "%used = getelementptr inbounds nuw %struct.pool, ptr %p, i32 0, i32 3"
NODES = "%nodes = getelementptr inbounds nuw %struct.pool, ptr %p, i32 0, i32 1"
ROW = "%row = getelementptr inbounds [4 x [2 x %struct.node]], ptr %nodes, i64 0, i64 %i"
ELEMENT = "%element = getelementptr inbounds [2 x %struct.node], ptr %row, i64 0, i64 1"


def marks(*lines: str, flags: str = "DISPFlagDefinition", union: str = "") -> list[tuple[str, str] | None]:
    """The marks of the body's accesses: what they say, and the tag."""
    text = TEXT.replace("BODY", "\n  ".join(lines)).replace("FLAGS", flags).replace("UNION", union)
    after = mark_structs(text)
    nodes = dict(re.findall(r"(?m)^(!\d+) = (.*)$", after))
    body = after.split("{\n", 1)[1].split("\n}\n")[0].splitlines()
    found = [re.search(r"!enzyme\.(\w+) (!\d+)", line) for line in body if "align" in line]
    return [(m[1], nodes[m[2]]) if m else None for m in found]


def test_members_say_their_struct_and_where_in_it_they_are() -> None:
    text = TEXT.replace("BODY", f"{USED}\n  store i32 1, ptr %used, align 8, !dbg !7").replace("UNION", "")
    after = mark_structs(text.replace("FLAGS", "DISPFlagDefinition"))
    assert '!{!"%struct.pool", !8, i64 0, !9, i64 8, !10, i64 136, !11, i64 152}' in after
    assert marks(USED, "store i32 1, ptr %used, align 8, !dbg !7") == [("struct", "!{!12, !13, i64 152}")]


def test_parts_of_members_are_of_the_struct() -> None:
    both = "%both = getelementptr inbounds nuw %struct.pool, ptr %p, i32 0, i32 2"
    real = "%imaginary = getelementptr inbounds nuw { double, double }, ptr %both, i32 0, i32 1"
    (found,) = marks(both, real, "%v = load double, ptr %imaginary, align 8")
    assert found is not None
    assert found[1].endswith("i64 144}")


def test_elements_of_members_say_so() -> None:
    (found,) = marks(NODES, ROW, ELEMENT, "%v = load double, ptr %element, align 8, !dbg !7")
    assert found is not None
    assert found[0] == "element_of"
    assert found[1].endswith("i64 8}")


@pytest.mark.parametrize(
    "line",
    ["%at = getelementptr inbounds nuw %struct.last, ptr %p, i32 0, i32 0", "%at = getelementptr i8, ptr %p, i64 4"],
)
def test_other_members_say_nothing(line: str) -> None:
    """No array is in front of others, or no struct is named."""
    assert marks(line, "%v = load i32, ptr %at, align 4") == [None]


def test_optimised_code_says_it_itself() -> None:
    assert marks(USED, "%v = load i32, ptr %used, align 8", flags="DISPFlagDefinition | DISPFlagOptimized") == [None]


@pytest.mark.parametrize(("size", "marked"), [(160, False), (152, True)])
def test_what_may_be_a_member_of_a_union_says_nothing(size: int, *, marked: bool) -> None:
    found = marks(USED, "%v = load i32, ptr %used, align 8", union=f"%union.any = type {{ [{size} x i8] }}")
    assert (found != [None]) == marked
