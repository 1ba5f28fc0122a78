"""What callers tell their callees."""

from __future__ import annotations

from enzyme_build.analysis.accessed import may_keep_address
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.spans import Span
from enzyme_build.ir.types import DOUBLE

from .models import Model

MOVE = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @g(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 8, i1 false)
  %bits = load i64, ptr %to
  store i64 %bits, ptr %from
  ret void
}
"""


def inside(text: str, name: str = "from") -> tuple[Kind, object]:
    """What the memory behind an argument of `g` holds, as seen in `g`."""
    m = Model(text)
    g = m.module.function("g")
    memory = m.memories[g]
    place = memory.place(next(a for a in g.arguments if a.name == name)).resolved()
    content = place.region.content(place.offset, place.stride)
    return content.kind, content.float_type


def test_one_caller_knows():
    assert inside(MOVE + """
define void @f(ptr %p, ptr %q) {
  %v = load double, ptr %p
  call void @g(ptr %q, ptr %p)
  ret void
}""") == (Kind.FLOAT, DOUBLE)  # fmt: skip


def test_the_callee_knows_itself():
    text = MOVE.replace("%bits = load i64, ptr %to", "%v = load double, ptr %to\n  %bits = load i64, ptr %to")
    assert inside(f"{text}\ndefine void @f(ptr %p, ptr %q) {{\n  call void @g(ptr %q, ptr %p)\n  ret void\n}}") == (
        Kind.FLOAT,
        DOUBLE,
    )


def test_callers_disagree():
    assert inside(MOVE + """
define void @f(ptr %p, ptr %q, ptr %r, ptr %s) {
  %v = load double, ptr %p
  call void @g(ptr %q, ptr %p)
  %w = load ptr, ptr %r
  call void @g(ptr %s, ptr %r)
  ret void
}""")[0] is Kind.MIXED  # fmt: skip


def test_through_two_calls():
    assert inside(MOVE + """
define internal void @middle(ptr %to, ptr %from) {
  call void @g(ptr %to, ptr %from)
  ret void
}
define void @f(ptr %p, ptr %q) {
  %v = load double, ptr %p
  call void @middle(ptr %q, ptr %p)
  ret void
}""") == (Kind.FLOAT, DOUBLE)  # fmt: skip


def test_private_memory_that_nobody_uses_otherwise_holds_integers():
    assert inside(MOVE + """
define void @f() {
  %p = alloca i64
  %q = alloca i64
  call void @g(ptr %q, ptr %p)
  ret void
}""")[0] is Kind.INTEGER  # fmt: skip


COPY = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @g(ptr %from) {
  %to = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %x = load double, ptr %to
  ret void
}
"""


def is_visible(text: str) -> bool:
    """May code that is not seen use the memory that `g` is given?"""
    m = Model(text)
    g = m.module.function("g")
    return m.memories[g].place(g.arguments[0]).region.is_visible


OWN = """
define void @f(double %x) {
  %p = alloca { double, [8 x i8] }
  store double %x, ptr %p
  call void @g(ptr %p)
  ret void
}"""


def test_memory_of_the_only_caller():
    assert not is_visible(COPY + OWN)


def test_memory_that_the_user_gives():
    assert is_visible(COPY + "define void @f(ptr %p) {\n  call void @g(ptr %p)\n  ret void\n}")


def test_memory_of_one_caller_that_another_shows():
    other = "declare void @elsewhere(ptr)\ndefine void @h() {\n  %p = alloca double\n  call void @elsewhere(ptr %p)\n"
    text = OWN.replace("  ret void", "  call void @h()\n  ret void")
    assert is_visible(f"{COPY}{other}  call void @g(ptr %p)\n  ret void\n}}{text}")


def test_memory_behind_what_is_shown():
    text = """
declare void @elsewhere(ptr)
define void @f() {
  %p = alloca double
  %q = alloca ptr
  store ptr %p, ptr %q
  call void @elsewhere(ptr %q)
  call void @g(ptr %p)
  ret void
}"""
    assert is_visible(COPY + text)


def test_functions_that_others_may_call():
    text = """
declare void @elsewhere(ptr)
define void @f() {
  call void @elsewhere(ptr @g)
  ret void
}"""
    assert is_visible(COPY + text)


def disputed(text: str) -> bool:
    m = Model(text)
    g = m.module.function("g")
    place = m.memories[g].place(next(a for a in g.arguments if a.name == "from")).resolved()
    return place.region.content(place.offset, place.stride).is_disputed


def test_callers_that_say_nothing_dispute_what_others_say():
    one = """
define internal void @one(ptr %p, ptr %q) {
  %v = load double, ptr %p
  call void @g(ptr %q, ptr %p)
  ret void
}"""
    silent = one.replace("  %v = load double, ptr %p\n", "")
    both = """
define void @f(ptr %p, ptr %q, ptr %r, ptr %s) {
  call void @one(ptr %p, ptr %q)
  call void @other(ptr %r, ptr %s)
  ret void
}"""
    assert not disputed(MOVE + one + one.replace("@one", "@other") + both)
    assert disputed(MOVE + one + silent.replace("@one", "@other") + both)


def test_callers_know_that_integers_are_addresses():
    m = Model("""
define internal void @g(ptr %to, i64 %word) {
  store i64 %word, ptr %to, !tbaa !0
  ret void
}
define internal double @h(ptr %from) {
  %p = load ptr, ptr %from, !tbaa !0
  %v = load double, ptr %p
  ret double %v
}
define double @f(ptr %p, i64 %word) {
  call void @g(ptr %p, i64 %word)
  %v = call double @h(ptr %p)
  ret double %v
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}""")
    g = m.module.function("g")
    place = m.memories[g].place(g.arguments[0]).resolved()
    assert may_keep_address(place)
    assert not may_keep_address(place.moved(8))
    assert may_keep_address(place.moved(4, 4))


HEADED = """
define internal void @g(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q, i64 %k, i64 %n) {
  %i = and i64 %k, 255
  %items = getelementptr i8, ptr %p, i64 16
  %item = getelementptr double, ptr %items, i64 %i
  store double 0.0, ptr %item
  call void @g(ptr %q, ptr %p, i64 %n)
  ret void
}
"""


def spans_inside(text: str) -> dict[tuple[int, int], Span]:
    m = Model(text)
    g = m.module.function("g")
    return m.memories[g].place(g.arguments[1]).resolved().region.spans


def test_callers_tell_where_elements_lie():
    assert spans_inside(HEADED) == {(0, 8): Span(16, counted=True)}


def test_where_any_of_two_callers_has_them_elements_lie():
    other = HEADED[HEADED.index("define void @f") :].replace("@f", "@h").replace("i64 16", "i64 8")
    both = HEADED.replace("  ret void\n}\n", "  ret void\n}\n", 1) + other
    both = both.replace("call void @g(ptr %q, ptr %p, i64 %n)\n", "call void @g(ptr %q, ptr %p, i64 %n)\n  CALL", 1)
    both = both.replace("CALL", "call void @h(ptr %q, ptr %p, i64 %k, i64 %n)\n")
    assert spans_inside(both) == {(0, 8): Span(8, counted=True)}
