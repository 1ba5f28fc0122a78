"""Of which structs a copy of any length moves elements, and what these hold."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.elements import Element, elements, fields_of_elements
from enzyme_build.analysis.fields import Fields
from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.types import DOUBLE, FLOAT, I32

from .models import Model

TEXT = """\
target datalayout = "e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128"
%struct.event = type { double, i32, [8 x i8], double }
%struct.pair = type { float, float, i64, double, double }

define void @f(ptr %p, i64 %i, i64 %n) {
entry:
  %bytes = shl i64 %n, 5
  %words = shl i64 %n, 3
  BODY
  ret void
}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare noalias ptr @malloc(i64)

!0 = !{!"omnipotent char", !1, i64 0}
!1 = !{!"Simple C/C++ TBAA"}
!2 = !{!"double", !0, i64 0}
!3 = !{!"int", !0, i64 0}
!4 = !{!"event", !2, i64 0, !3, i64 8, !0, i64 12, !2, i64 24}
!5 = !{!4, !2, i64 0}
!6 = !{!"", !0, i64 0, !3, i64 128, !0, i64 136}
!7 = !{!6, !3, i64 128}
!8 = !{!"p1 _ZTS5event", !0, i64 0}
!9 = !{!8, !8, i64 0}
"""
EVENT = ((0, 8, DOUBLE), (8, 4, I32), (12, 8, None), (24, 8, DOUBLE))
NUMBERS = ((0, DOUBLE), (24, DOUBLE))
MOVE = "call void @llvm.memmove.p0.p0.i64(ptr {}, ptr {}, i64 %bytes, i1 false)"
ADDRESS = "%e = getelementptr %struct.event, ptr %p, i64 %i"
ACCESS = (ADDRESS, "%v = load double, ptr %e, align 8, !tbaa !5")
NEXT = "%q = getelementptr i8, ptr %p, i64 32"
OTHER = "%m = getelementptr i8, ptr %p, i64 64"


def moved(*lines: str) -> tuple[Element | None, list]:
    """The elements that the first copy moves, and where."""
    model = Model(TEXT.replace("BODY", "\n  ".join(lines)))
    call = next(i for i in model.function.instructions() if isinstance(i, CallBase) and len(i.arguments) == 4)
    pointers = call.arguments[:2]
    places = [place for place in map(model.memory.place, pointers) if place is not None]
    return elements(model.memory).copied(pointers, call.arguments[2]), places


@pytest.mark.parametrize(
    "lines",
    [
        (ADDRESS, "%q = getelementptr i8, ptr %e, i64 32", MOVE.format("%e", "%q")),
        (*ACCESS, NEXT, MOVE.format("%p", "%q")),
        ("%p2 = load ptr, ptr %p, align 8, !tbaa !9", MOVE.format("%p2", "%p2")),
    ],
)
def test_pointers_to_elements(lines):
    """The address of one, where others are counted from, what the language calls a pointer to one."""
    found, places = moved("%k = getelementptr %struct.event, ptr %p, i64 1", *lines)
    assert found == Element(32, EVENT)
    assert fields_of_elements(found, places) == Fields(32, NUMBERS, (), doubtful=((12, 8),))


def test_other_member_of_the_object():
    """What lies behind an array is another member, unless it is said that the array goes on."""
    assert moved(*ACCESS, OTHER, "%o = getelementptr i8, ptr %p, i64 96", MOVE.format("%m", "%o"))[0] is None
    count = ("%c = getelementptr i8, ptr %p, i64 128", "%w = load i32, ptr %c, align 8, !tbaa !7")
    assert moved(*ACCESS, *count, OTHER, MOVE.format("%m", "%m"))[0] == Element(32, EVENT)
    behind = "%b = getelementptr i8, ptr %p, i64 160"
    assert moved(*ACCESS, *count, behind, MOVE.format("%b", "%b"))[0] is None


def test_memory_allocated_as_an_array():
    a = ("%a = call ptr @malloc(i64 %bytes)", "%x = getelementptr %struct.event, ptr %a, i64 %i")
    inside = "%y = getelementptr i8, ptr %a, i64 96"
    access = "%v = load double, ptr %x, align 8, !tbaa !5"
    assert moved(*a, access, inside, MOVE.format("%y", "%y"))[0] == Element(32, EVENT)


def test_other_length_and_other_struct():
    assert moved(*ACCESS, MOVE.format("%p", "%p").replace("%bytes", "%words"))[0] is None
    assert moved(*ACCESS, "%z = getelementptr %struct.pair, ptr %p, i64 %i", MOVE.format("%z", "%e"))[0] is None


def test_rows_of_a_table_are_no_structs():
    row = "%r = getelementptr [4 x double], ptr %p, i64 %i"
    assert moved(*ACCESS, row, MOVE.format("%r", "%r"))[0] is None


def test_access_that_contradicts():
    """A float where the struct has a double; in an object with several arrays it may be of the other one."""
    wrong = ("%g = getelementptr i8, ptr %e, i64 24", "%f = load float, ptr %g, align 8")
    found, places = moved(*ACCESS, *wrong, MOVE.format("%e", "%e"))
    assert found is not None
    assert fields_of_elements(found, places) is None
    assert fields_of_elements(found, places, {place.region for place in places}) is not None


def test_numbers_in_bytes_are_looked_at():
    """Bytes that are accessed as a number stay doubtful: the run shows whether there is an adjoint."""
    odd = ("%g = getelementptr i8, ptr %e, i64 12", "%f = load float, ptr %g, align 4")
    found, places = moved(*ACCESS, *odd, MOVE.format("%e", "%e"))
    assert found is not None
    assert FLOAT not in {type_ for _, type_ in fields_of_elements(found, places).numbers}
    assert fields_of_elements(found, places).doubtful == ((12, 8),)
