"""Which elements of arrays beside other members an access may be to."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.fields import fields
from enzyme_build.analysis.spread import accessed_places, mixes_numbers
from enzyme_build.ir.types import DOUBLE, FLOAT

from .models import Model

HEAD = "%P = type { [3 x double], float }\n%Out = type { float, [2 x %P], double }\n"
FORTRAN = """
!0 = !{!1, !1, i64 0}
!1 = !{!"any data access", !2, i64 0}
!2 = !{!"Flang function root _QMmPf"}
!3 = !{!4, !4, i64 0}
!4 = !{!"double", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
"""


def model(body: str, head: str = HEAD) -> Model:
    return Model(f"{head}define void @f(ptr %p, i64 %i, i64 %k, i64 %a) {{\n{body}\n  ret void\n}}\n{FORTRAN}")


def places(body: str, head: str = HEAD) -> list[tuple[int, int]]:
    """Offset and stride of where the load `%d` may be."""
    m = model(body, head)
    return [(place.offset, place.stride) for place in accessed_places(m.memory, m["d"].pointer, m["d"])]


ELEMENT = """
  %r = urem i64 %k, 3
  %cell = getelementptr inbounds %P, ptr %p, i64 %i
  %e = getelementptr inbounds double, ptr %cell, i64 %r
  %d = load double, ptr %e
  %w = getelementptr inbounds i8, ptr %cell, i64 24
  %s = load float, ptr %w
"""
UNKNOWN = ELEMENT.replace("i64 %r", "i64 %a")


def test_small_indices():
    assert places(ELEMENT) == [(0, 32), (8, 32), (16, 32)]
    assert places(UNKNOWN) == [(0, 8)]


def test_the_index_may_be_added_before_the_element_is_chosen():
    body = """
  %r = urem i64 %k, 3
  %e = getelementptr double, ptr %p, i64 %r
  %c = getelementptr %P, ptr %e, i64 %i
  %d = load double, ptr %c
"""
    assert places(body) == [(0, 32), (8, 32), (16, 32)]


def test_arrays_of_structs_in_structs():
    body = """
  %j = and i64 %a, 1
  %r = urem i64 %k, 3
  %out = getelementptr inbounds %Out, ptr %p, i64 %i
  %in = getelementptr inbounds i8, ptr %out, i64 8
  %cell = getelementptr inbounds %P, ptr %in, i64 %j
  %e = getelementptr inbounds double, ptr %cell, i64 %r
  %d = load double, ptr %e
"""
    assert places(body) == [(at, 80) for at in (8, 16, 24, 40, 48, 56)]


def test_programs_of_one_precision_are_as_before():
    head = "%P = type { [3 x double], double }\n"
    assert places(ELEMENT, head) == [(0, 8)]
    assert not mixes_numbers(model(ELEMENT, head).module)


def test_copies_of_structs_with_small_indices():
    m = model(ELEMENT)
    found = fields(m.module.layout, [m.place("cell")], 32)
    assert found.numbers == ((0, DOUBLE), (8, DOUBLE), (16, DOUBLE), (24, FLOAT))
    assert not found.mixed


def test_other_indices_reach_all_members():
    m = model(UNKNOWN)
    assert fields(m.module.layout, [m.place("cell")], 32).mixed == (24,)


def test_an_index_that_may_be_too_large_tells_nothing():
    """The elements would be members of another type: the program knows more of the index."""
    body = ELEMENT.replace("urem i64 %k, 3", "and i64 %k, 3")
    assert places(body) == [(0, 8)]


def test_the_struct_of_a_variable_tells_its_numbers():
    body = """
  %v = alloca %P
  %e = getelementptr inbounds double, ptr %v, i64 %k
  %d = load double, ptr %e{tag}
"""
    assert places(body.replace("{tag}", ", !tbaa !3")) == [(0, 32), (8, 32), (16, 32)]
    assert places(body.replace("{tag}", "")) == [(0, 8)]  # it may be through a cast


def test_a_variable_with_a_union_does_not():
    head = "%union.U = type { [3 x double] }\n%P = type { %union.U, float }\n"
    body = "  %v = alloca %P\n  %e = getelementptr double, ptr %v, i64 %k\n  %d = load double, ptr %e, !tbaa !3"
    assert places(body, head) == [(0, 8)]


@pytest.mark.parametrize(
    ("tag", "head", "expected"),
    [
        (", !tbaa !0", "%P = type { [3 x double], float }\n", [(0, 32), (8, 32), (16, 32)]),
        (", !tbaa !3", "%P = type { [3 x double], float }\n", [(0, 8)]),
        (", !tbaa !0", HEAD, [(0, 8)]),  # it may be counted from the begin of an %Out
    ],
)
def test_fortran_steps_over_what_it_declares(tag, head, expected):
    assert places(UNKNOWN.replace("load double, ptr %e", f"load double, ptr %e{tag}"), head) == expected


def test_structs_without_names():
    head = "%P = type { [3 x double], double }\n"
    literal = "  %l = getelementptr <{ { double, [2 x float] }, i32 }>, ptr %p, i64 %i"
    assert mixes_numbers(model(literal, head).module)
    assert not mixes_numbers(model(literal.replace("double", "float"), head).module)
