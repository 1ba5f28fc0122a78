"""Words of Fortran's descriptors that nothing computes with."""

from __future__ import annotations

from enzyme_build.analysis.kinds import Kind

from .models import Model

TAGS = """
!0 = !{!1, !1, i64 0}
!1 = !{!"descriptor member", !2, i64 0}
!2 = !{!"any access", !3, i64 0}
!3 = !{!"Flang function root _QPf"}"""


def test_a_moved_member_is_an_integer():
    m = Model(f"""
define void @f(ptr %p, ptr %q) {{
  %size = load i64, ptr %p, !tbaa !0
  store i64 %size, ptr %q, !tbaa !0
  %at = getelementptr i8, ptr %q, i64 8
  store i64 0, ptr %at, !tbaa !0
  %other = getelementptr i8, ptr %q, i64 16
  store i64 0, ptr %other
  ret void
}}{TAGS}""")
    assert m.holds("p") == (Kind.INTEGER, None)
    assert m.holds("at") == (Kind.INTEGER, None)
    assert m.holds("other") == (Kind.UNKNOWN, None)
    assert m.memory.integer_kind(m["size"]) == (Kind.INTEGER, None)


def test_an_address_that_only_callers_know_stays_one():
    m = Model(f"""
define internal void @move(ptr %p, ptr %q) {{
  %word = load i64, ptr %p, !tbaa !0
  store i64 %word, ptr %q, !tbaa !0
  ret void
}}

define double @f(ptr %x) {{
  %a = alloca ptr
  %b = alloca ptr
  store ptr %x, ptr %a, !tbaa !0
  call void @move(ptr %a, ptr %b)
  %y = load ptr, ptr %b, !tbaa !0
  %v = load double, ptr %y
  ret double %v
}}{TAGS}""")
    assert m.holds("a") == (Kind.POINTER, None)
    move = m.memories[m.module.function("move")]
    word = next(iter(move.function.instructions()))
    assert move.integer_kind(word) == (Kind.POINTER, None)
