"""Memory used as numbers of two types."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.punning import punned

from .models import Model

HEAD = "%cell = type { i32, double, [3 x double], [2 x float] }\n%union.either = type { double }\n"


def puns(body: str, name: str) -> bool:
    m = Model(f"{HEAD}define void @f(ptr %p, i64 %i, i64 %k) {{\n{body}\n  ret void\n}}")
    access = m[name]
    place = m.memory.place(access.pointer)
    return punned(m.module.layout, place, access.type)


UNION_ELEMENT = """
  %cell = getelementptr inbounds %cell, ptr %p, i64 %i
  %u = getelementptr inbounds i8, ptr %cell, i64 8
  %d = load double, ptr %u
  %h = getelementptr inbounds float, ptr %u, i64 %k
  %s = load float, ptr %h
"""
UNION_HALF = """
  %cell = getelementptr inbounds %cell, ptr %p, i64 %i
  %u = getelementptr inbounds i8, ptr %cell, i64 8
  %d = load double, ptr %u
  %h = getelementptr inbounds i8, ptr %cell, i64 12
  %s = load float, ptr %h
"""
BARE = """
  %e = getelementptr inbounds double, ptr %p, i64 %i
  %d = load double, ptr %e
  %h = getelementptr inbounds float, ptr %p, i64 %k
  %s = load float, ptr %h
"""
MEMBERS = """
  %cell = getelementptr inbounds %cell, ptr %p, i64 %i
  %u = getelementptr inbounds i8, ptr %cell, i64 16
  %e = getelementptr inbounds double, ptr %u, i64 %k
  %d = load double, ptr %e
  %w = getelementptr inbounds i8, ptr %cell, i64 40
  %h = getelementptr inbounds float, ptr %w, i64 %k
  %s = load float, ptr %h
"""


@pytest.mark.parametrize("body", [UNION_ELEMENT, UNION_HALF, BARE])
@pytest.mark.parametrize("name", ["d", "s"])
def test_halves_of_a_double(body, name):
    assert puns(body, name)


@pytest.mark.parametrize("name", ["d", "s"])
def test_members_of_their_own(name):
    assert not puns(MEMBERS, name)


HALVES = """
  store i32 1, ptr %m
  %a = getelementptr inbounds i8, ptr %m, i64 16
  %e = getelementptr inbounds double, ptr %a, i64 %i
  %d = load double, ptr %e
  %h = getelementptr inbounds i8, ptr %m, i64 36
  %s = load float, ptr %h
"""


@pytest.mark.parametrize("name", ["d", "s"])
def test_integers_beside_numbers_tell_nothing(name):
    assert puns(HALVES.replace("%m", "%p"), name)


@pytest.mark.parametrize("name", ["d", "s"])
def test_a_variable_says_what_its_members_are(name):
    assert not puns(f"  %m = alloca {{ i32, double, [2 x double], i32, float }}\n{HALVES}", name)


@pytest.mark.parametrize("name", ["d", "s"])
def test_a_variable_with_a_union_does_not(name):
    m = "  %m = alloca { i32, %union.either, [2 x double], i32, float }\n"
    assert puns(m + HALVES, name)


FORTRAN = """
!0 = !{!1, !1, i64 0}
!1 = !{!"any data access", !2, i64 0}
!2 = !{!"Flang function root _QMmPf"}
!3 = !{!4, !4, i64 0}
!4 = !{!"integer", !5, i64 0}
!5 = !{!"components of Fortran's objects"}
"""
AS_SOURCE_SAYS = """
  %d = load double, ptr %o, !tbaa !0
  %s = load float, ptr %o, !tbaa !0
"""
COPIED_BY_CLASS = "  %w = getelementptr i8, ptr %o, i64 8\n  %n = load i32, ptr %w, !tbaa !3"


@pytest.mark.parametrize(
    ("memory", "copied", "expected"),
    [("ptr %p", COPIED_BY_CLASS, False), ("ptr %p", "", True), ("ptr %a", COPIED_BY_CLASS, True)],
)
@pytest.mark.parametrize("name", ["d", "s"])
def test_objects_of_several_classes(memory: str, copied: str, name: str, *, expected: bool) -> None:
    """What Fortran source says of types counts where classes tell objects apart, and not in COMMON and the like."""
    body = f"  %a = alloca [16 x i8]\n  %o = getelementptr i8, {memory}, i64 0\n{copied}\n{AS_SOURCE_SAYS}"
    m = Model(f"define void @f(ptr %p) {{\n{body}\n  ret void\n}}\n{FORTRAN}")
    access = m[name]
    assert punned(m.module.layout, m.memory.place(access.pointer), access.type) == expected
