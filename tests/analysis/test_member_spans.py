"""Indices that begin at a member of a struct stay in it; nothing is said where they may choose other structs."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.spans import ANYWHERE, Span
from enzyme_build.ir.types import DOUBLE

from .models import Model

TYPES = """
%struct.node = type { i8, double, ptr }
%struct.parser = type { ptr, [16 x %struct.node], i32, ptr }
%class.state = type { [3 x double], [2 x double], ptr }
%state.of.others = type { ptr, [3 x double], ptr }
"""
TAGS = """
!0 = !{!1, !5, i64 392}
!1 = !{!"parser", !2, i64 0, !4, i64 8, !5, i64 392, !2, i64 400}
!2 = !{!"p1 omnipotent char", !3, i64 0}
!3 = !{!"any pointer", !4, i64 0}
!4 = !{!"omnipotent char", !6, i64 0}
!5 = !{!"int", !4, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
"""


def span(code: str, name: str = "at", tags: str = TAGS) -> Span:
    arguments = "ptr %p, i64 %i, i64 %j"
    m = Model(f"{TYPES}define void @f({arguments}) {{\n{code}\n  store i8 0, ptr %{name}\n  ret void\n}}{tags}")
    return m.place(name).span


def test_a_variable_says_where_its_members_end():
    code = """
  %s = alloca %struct.parser
  %pool = getelementptr i8, ptr %s, i64 8
  %at = getelementptr %struct.node, ptr %pool, i64 %i"""
    assert span(code) == Span(8, 392)


def test_a_tag_of_another_member_says_it():
    code = """
  %used = getelementptr i8, ptr %p, i64 392
  %n = load i32, ptr %used, !tbaa !0
  %pool = getelementptr i8, ptr %p, i64 8
  %at = getelementptr %struct.node, ptr %pool, i64 %i"""
    assert span(code) == Span(8, 392)


MARKS = """
!0 = !{!1, !2, i64 392}
!1 = !{!"%struct.parser", !2, i64 0, !3, i64 8, !4, i64 392, !2, i64 400}
!2 = !{!"ptr"}
!3 = !{!"%struct.node"}
!4 = !{!"i32"}
!5 = !{!6, !2, i64 0}
!6 = !{!"%struct.first", !3, i64 0, !4, i64 96}
"""


def test_marks_of_unoptimised_code_say_it():
    code = """
  %used = getelementptr i8, ptr %p, i64 392
  %n = load i32, ptr %used, !enzyme.struct !0
  %pool = getelementptr i8, ptr %p, i64 8
  %at = getelementptr %struct.node, ptr %pool, i64 %i"""
    assert span(code, tags=MARKS) == Span(8, 392)


def test_an_element_of_what_begins_with_its_struct_must_be_called_one():
    code = """
  %used = getelementptr i8, ptr %p, i64 96
  %n = load i32, ptr %used, !enzyme.struct !7
  %at = getelementptr i8, ptr %p, i64 MANY"""
    tags = MARKS + "!7 = !{!6, !2, i64 96}"
    many = code.replace("i8, ptr %p, i64 MANY", "{ ptr, ptr, ptr }, ptr %p, i64 %i")
    assert span(many, tags=tags) is ANYWHERE
    assert span(many + "\n  %v = load ptr, ptr %at, !enzyme.element_of !5", tags=tags) == Span(0, 96)
    elsewhere = "\n  br label %next\nnext:\n  %v = load ptr, ptr %at, !enzyme.element_of !5"
    assert span(many + elsewhere, tags=tags) is ANYWHERE


def test_an_address_with_the_type_says_it():
    code = """
  %pool = getelementptr %struct.parser, ptr %p, i64 0, i32 1
  %at = getelementptr %struct.node, ptr %pool, i64 %i"""
    assert span(code) == Span(8, 392)


def test_members_of_one_type_side_by_side_count_as_one():
    code = """
  %s = alloca %class.state
  %second = getelementptr i8, ptr %s, i64 24
  %at = getelementptr double, ptr %second, i64 %i"""
    assert span(code) == ANYWHERE  # the numbers may be counted from the begin of the struct
    of_rows = code.replace("%class.state", "%struct.rows").replace("double, ptr %second", "%struct.node, ptr %second")
    m = Model(f"""{TYPES}%struct.rows = type {{ [3 x %struct.node], [2 x %struct.node], ptr }}
define void @f(i64 %i) {{{of_rows}
  store i8 0, ptr %at
  ret void
}}""")
    assert m.place("at").span == Span(0, 120)


@pytest.mark.parametrize(
    "code",
    [
        # elements of an array of such structs
        "%q = getelementptr %struct.parser, ptr %p, i64 0, i32 1\n  %at = getelementptr %struct.parser, ptr %q, i64 %i",
        "%q = getelementptr %struct.parser, ptr %p, i64 0, i32 1\n  %at = getelementptr i8, ptr %p, i64 %i",
        # of the last member nothing tells the end, nor, where elements are as large as structs, the begin
        "%q = getelementptr %struct.node, ptr %p, i64 0, i32 2\n  %at = getelementptr %struct.node, ptr %q, i64 %i",
        # a single number
        "%q = getelementptr %struct.node, ptr %p, i64 0, i32 1\n  %at = getelementptr double, ptr %q, i64 %i",
        # types that are not of C
        "%q = getelementptr %state.of.others, ptr %p, i64 0, i32 1\n  %at = getelementptr double, ptr %q, i64 %i",
        # which of several structs, and which of its elements
        """%q = getelementptr %struct.parser, ptr %p, i64 0, i32 1
  %k = mul i64 %i, 408
  %o = getelementptr i8, ptr %q, i64 %k
  %at = getelementptr %struct.node, ptr %o, i64 %j""",
    ],
)
def test_nothing_bounds_other_indices(code: str):
    assert span("  " + code) == ANYWHERE


def test_members_before_and_behind_keep_what_they_hold():
    m = Model(f"""{TYPES}
define ptr @f(ptr %text, i64 %i, double %v) {{
  %s = alloca %struct.parser
  store ptr %text, ptr %s
  %pool = getelementptr i8, ptr %s, i64 8
  %node = getelementptr %struct.node, ptr %pool, i64 %i
  %next = getelementptr i8, ptr %node, i64 16
  store ptr %node, ptr %next
  %number = getelementptr i8, ptr %node, i64 8
  store double %v, ptr %number
  %c = load ptr, ptr %s
  %w = load i8, ptr %c
  ret ptr %c
}}""")
    assert not m.same_region("c", "node")
    assert m.holds("number") == (Kind.FLOAT, DOUBLE)


BOUNDED = """
  %pool = getelementptr i8, ptr %p, i64 24
  %index = zext i32 INDEX to i64
  %at = getelementptr double, ptr %pool, i64 %index"""


def bounded(index: str) -> Span:
    arguments = "ptr %p, i32 %k, ptr %q, i1 %c"
    code = BOUNDED.replace("INDEX", index).replace("zext", "sext")
    before = "  %small = and i32 %k, 255\n  %next = add nsw i32 %small, 1\n  %rest = srem i32 %next, %k\n"
    before += "  %back = sub nsw i32 0, %small"
    m = Model(f"define void @f({arguments}) {{\n{before}\n{code}\n  store double 0.0, ptr %at\n  ret void\n}}")
    return m.place("at").span


@pytest.mark.parametrize(("index", "low"), [("%small", 24), ("%next", 32), ("%rest", 24)])
def test_an_index_that_is_never_negative_goes_ahead(index, low):
    assert bounded(index) == Span(low, counted=True)


@pytest.mark.parametrize("index", ["%k", "%back"])
def test_any_other_may_go_back(index):
    assert bounded(index) is ANYWHERE


def test_constants_in_the_index_count():
    code = """
  %pool = getelementptr i8, ptr %p, i64 24
  %small = and i64 %i, 255
  %before = add nsw i64 %small, -2
  %at = getelementptr double, ptr %pool, i64 %before"""
    assert span(code) == Span(8, counted=True)


BACK = """
  %pool = getelementptr i8, ptr %p, i64 24
  %small = and i64 %i, 255
  %item = getelementptr double, ptr %pool, i64 %small
  %at = getelementptr double, ptr %item, i64 BY"""


def test_counting_back_from_there_leads_before_it():
    assert span(BACK.replace("BY", "-2")) == Span(8, counted=True)
    assert span(BACK.replace("BY", "2")) == Span(24, counted=True)
    assert span(BACK.replace("BY", "%small")) == Span(24, counted=True)
    assert span(BACK.replace("BY", "%j")) is ANYWHERE
