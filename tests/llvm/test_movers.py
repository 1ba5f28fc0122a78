"""Functions that move bytes by address and size are inlined, so that each call is told apart."""

from __future__ import annotations

import pytest

from enzyme_build.llvm import context, optimise
from enzyme_build.llvm.movers import inlined_movers

SWAP = """
define internal void @swap(ptr %p, ptr %q, i64 %size) #0 {
  %kept = alloca [64 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %kept, ptr %p, i64 %size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %kept, i64 %size, i1 false)
  ret void
}
"""
DERIVED = """
define internal void @swap(ptr %p, ptr %q, i64 %size) {
  %at = getelementptr inbounds i8, ptr %p, i64 %size
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr @room, i64 %size, i1 false)
  ret void
}
"""
TYPED = """
define internal void @swap(ptr %p, ptr %q, i64 %size) #0 {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false), !tbaa.struct !0
  ret void
}
"""
APART = """
define internal void @swap(ptr %p, ptr %q, i64 %size) #0 {
  call void @llvm.memcpy.p0.p0.i64(ptr @room, ptr @other, i64 16, i1 false)
  ret void
}
"""
RECURSIVE = """
define internal void @swap(ptr %p, ptr %q, i64 %size) #0 {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  call void @again(ptr %p)
  ret void
}
define internal void @again(ptr %p) {
  call void @swap(ptr %p, ptr %p, i64 8)
  ret void
}
"""
VISIBLE = SWAP.replace("internal ", "")
REST = """
@room = global [64 x i8] zeroinitializer
@other = global [64 x i8] zeroinitializer
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
attributes #0 = { noinline nounwind "frame-pointer"="all" }
!0 = !{i64 0, i64 16, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
"""


def calls(times: int) -> str:
    each = "\n".join("  call void @swap(ptr %p, ptr %q, i64 8)" for _ in range(times))
    return f"define void @use(ptr %p, ptr %q) {{\n{each}\n  ret void\n}}\n"


@pytest.mark.parametrize("function", [SWAP, DERIVED], ids=["swap", "derived"])
def test_calls_are_gone(function):
    marked = inlined_movers(function + calls(2) + REST)
    assert marked is not None
    module = context.parse_text(marked, "the test")
    optimise.baseline_before_differentiation(module, optimise.Target())
    text = str(module)
    module.close()
    assert "call void @swap(" not in text
    assert text.partition("@use(")[2].count("call void @llvm.memcpy") == 2 * function.count("call")


@pytest.mark.parametrize(
    ("function", "times"),
    [(SWAP, 1), (SWAP, 25), (TYPED, 2), (APART, 2), (RECURSIVE, 2), (VISIBLE, 2)],
    ids=["called once", "called often", "typed", "of its own", "recursive", "seen by others"],
)
def test_others_are_left(function, times):
    assert inlined_movers(function + calls(times) + REST) is None
