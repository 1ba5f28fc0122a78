"""Marks at accesses of unoptimised code."""

import re

from enzyme_build.llvm.members import mark_accesses, split_types

TEXT = """\
%struct.header = type { ptr, ptr, i64 }
%struct.tagged = type { %union.value, i32 }
%union.value = type { i64 }
%"class.std::table" = type { [4 x i64], double }

define void @f(ptr %0, i64 %i) !dbg !1 {
  BODY
}

!1 = distinct !DISubprogram(name: "f", spFlags: FLAGS)
!7 = !{}
"""


def marked(*lines: str, flags: str = "DISPFlagDefinition") -> list[str]:
    """The marks of the body's lines, "" for none."""
    text = TEXT.replace("BODY", "\n  ".join(lines)).replace("FLAGS", flags)
    body = mark_accesses(text).split("{\n", 1)[1].split("\n}\n")[0].splitlines()
    return [match[1] if (match := re.search(r"!enzyme\.(\w+) !8", line)) else "" for line in body]


SIZE = "%size = getelementptr inbounds nuw %struct.header, ptr %0, i32 0, i32 2"


def test_integer_member():
    load, store = "%v = load i64, ptr %size, align 8, !dbg !7", "store i64 %v, ptr %size, align 8"
    assert marked(SIZE, load, store) == ["", "member", "member"]


def test_member_of_another_type():
    assert marked(SIZE, "%v = load i32, ptr %size, align 8") == ["", ""]


def test_atomic_operations_on_a_member():
    load, store = (
        "%v = load atomic i64, ptr %size seq_cst, align 8",
        "store atomic i64 %v, ptr %size monotonic, align 8",
    )
    add = "%o = atomicrmw volatile add ptr %size, i64 1 acq_rel, align 8, !dbg !7"
    exchange = "%p = cmpxchg weak ptr %size, i64 %v, i64 %o acq_rel monotonic, align 8"
    assert marked(SIZE, load, store, add, exchange) == ["", *["member"] * 4]
    assert marked(SIZE, "%o = atomicrmw fadd ptr %size, double 1.0 acq_rel, align 8") == ["", ""]
    assert marked(SIZE, "%o = atomicrmw add ptr %size, i32 1 acq_rel, align 8") == ["", ""]


def test_element_of_a_member():
    array = '%a = getelementptr inbounds nuw %"class.std::table", ptr %0, i32 0, i32 0'
    element = "%e = getelementptr inbounds [4 x i64], ptr %a, i64 0, i64 %i"
    assert marked(array, element, "%v = load i64, ptr %e, align 8") == ["", "", "member"]


def test_member_of_a_union():
    union = "%u = getelementptr inbounds nuw %struct.tagged, ptr %0, i32 0, i32 0"
    dive = "%d = getelementptr inbounds nuw %union.value, ptr %u, i32 0, i32 0"
    assert marked(union, "%v = load i64, ptr %u, align 8") == ["", ""]
    assert marked(union, dive, "%v = load i64, ptr %d, align 8") == ["", "", ""]


def test_struct_taken_apart_for_a_call():
    dive = "%coerce.dive = getelementptr inbounds nuw %struct.header, ptr %0, i32 0, i32 2"
    assert marked(dive, "%v = load i64, ptr %coerce.dive, align 8") == ["", ""]


def test_number():
    assert marked("%v = load double, ptr %0, align 8", "store double %v, ptr %0, align 8, !dbg !7") == ["number"] * 2


def test_optimised_code_is_left_alone():
    assert marked(SIZE, "%v = load i64, ptr %size, align 8", flags="DISPFlagDefinition | DISPFlagOptimized") == ["", ""]


def test_types_between_braces():
    assert split_types('i32, { i8, ptr }, [2 x { i32, i32 }], %"a, b"') == [
        "i32",
        "{ i8, ptr }",
        "[2 x { i32, i32 }]",
        '%"a, b"',
    ]


def test_numbers_of_fortran():
    unit = "DISPFlagDefinition, unit: !2)\n!2 = distinct !DICompileUnit(language: DW_LANG_Fortran95"
    lines = ["%z = load { double, double }, ptr %0, align 8", "store float 0.0, ptr %0, align 4", "store i64 0, ptr %0"]
    text = TEXT.replace("BODY", "\n  ".join(lines)).replace("FLAGS", unit)
    told = [line for line in mark_accesses(text).splitlines() if "!tbaa !10" in line]
    assert [line.split(",")[0].split()[-2:] for line in told] == [["{", "double"], ["float", "0.0"]]
    assert '!11 = !{!"any data access", !12, i64 0}' in mark_accesses(text)


def marked_text(*lines: str) -> str:
    return mark_accesses(TEXT.replace("BODY", "\n  ".join(lines)).replace("FLAGS", "DISPFlagDefinition"))


def test_element_of_an_array_of_numbers():
    """What is declared as one, and not what a cast of an address may lead to."""
    load = "%v = load double, ptr %e, align 8, !dbg !7"
    assert "!enzyme.element" in marked_text("%e = getelementptr inbounds [3 x double], ptr %0, i64 0, i64 %i", load)
    assert "!enzyme.element" not in marked_text("%e = getelementptr inbounds double, ptr %0, i64 %i", load)
