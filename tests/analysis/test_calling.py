"""What callers tell their callees."""

from __future__ import annotations

from enzyme_build.analysis.regions import Kind
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
