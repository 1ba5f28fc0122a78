"""What is inlined before differentiation: what moves bytes, and what works in its caller's arrays."""

from __future__ import annotations

import pytest

from enzyme_build.llvm import context, optimise
from enzyme_build.llvm.inlining import inlined_first

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
SORT = """
define internal void @swap(ptr %p, ptr %q, i64 %size) #0 {
  tail call void @qsort(ptr %q, i64 10, i64 %size, ptr @compare)
  ret void
}
declare void @qsort(ptr, i64, i64, ptr)
declare i32 @compare(ptr, ptr)
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
    marked = inlined_first(function + calls(2) + REST)
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
    assert inlined_first(function + calls(times) + REST) is None


def test_what_sorts_for_several_callers_is_inlined():
    marked = inlined_first(SORT + calls(2) + REST)
    assert marked is not None
    module = context.parse_text(marked, "the test")
    optimise.baseline_before_differentiation(module, optimise.Target())
    text = str(module)
    module.close()
    assert text.partition("@use(")[2].count("call void @qsort") == 2


WORK = """
declare noalias ptr @malloc(i64)
declare double @__enzyme_autodiff(ptr, ...)
define internal void @rate(ptr %s, ptr %out, i64 %n) GROUP {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %p = getelementptr double, ptr %s, i64 %i
  %x = load double, ptr %p, align 8
  %y = fmul double %x, %x
  %q = getelementptr double, ptr TARGET, i64 %i
  store double %y, ptr %q, align 8
  %i1 = add i64 %i, 1
  %more = icmp slt i64 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define internal double @middle(ptr %x, i64 %n) {
  %a = call noalias ptr @malloc(i64 80)
  %b = ANOTHER
  %c = getelementptr i8, ptr %b, i64 8
  call void @rate(ptr %a, ptr %c, i64 %n)
  call void @rate(ptr %c, ptr %a, i64 %n)
  %r = load double, ptr %a, align 8
  ret double %r
}
define double @f(ptr %x, i64 %n) {
  %r = call double @middle(ptr %x, i64 %n)
  ret double %r
}
define double @grad(ptr %x, ptr %b, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @REQUESTED, ptr %x, ptr %b, i64 %n)
  ret double %r
}
attributes #0 = { nounwind }
attributes #1 = { noinline nounwind }
"""
USUAL = {
    "GROUP": "#0", "TARGET": "%out", "ANOTHER": "call noalias ptr @malloc(i64 80)", "REQUESTED": "f",
}  # fmt: skip


def work(**parts):
    text = WORK
    for word, replacement in (USUAL | parts).items():
        text = text.replace(word, replacement)
    return inlined_first(text)


def test_what_works_in_arrays_of_its_caller_is_inlined():
    for another in (USUAL["ANOTHER"], "alloca [10 x double], align 8"):
        marked = work(ANOTHER=another)
        assert marked is not None
        assert [line.split("@")[1].split("(")[0] for line in marked.splitlines() if line.endswith("#2 {")] == ["rate"]
        assert "attributes #2 = { alwaysinline nounwind }" in marked


@pytest.mark.parametrize(
    "parts",
    [
        {"GROUP": "#1"},
        {"TARGET": "%s"},
        {"ANOTHER": "getelementptr i8, ptr %a, i64 40"},
        {"REQUESTED": "rate"},
    ],
    ids=["noinline", "in place", "in one array", "not differentiated"],
)
def test_other_work_is_left(parts):
    assert work(**parts) is None


LANES = """
define internal double @turned(double %a) #0 {
  %v = bitcast double %a to <2 x float>
  %turned = shufflevector <2 x float> %v, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %bits = bitcast <2 x float> %turned to double
  ret double %bits
}
define double @caller(double %x) {
  %y = call double @turned(double %x)
  ret double %y
}
attributes #0 = { noinline }
"""


def test_vectors_that_are_passed_as_doubles_are_inlined():
    edited = inlined_first(LANES)
    assert edited is not None
    assert "alwaysinline" in edited
    assert inlined_first(LANES.replace("<2 x float>", "i64").replace("<i32 1", "<i32 0")) is None


IN_POINTER = """
define internal ptr @boxed(float %x) #0 {
  %bits = bitcast float %x to i32
  %word = zext i32 %bits to i64
  %p = inttoptr i64 %word to ptr
  ret ptr %p
}
define internal float @unboxed(ptr %p) #0 {
  %word = ptrtoint ptr %p to i64
  %bits = trunc i64 %word to i32
  %x = bitcast i32 %bits to float
  ret float %x
}
define float @caller(float %x) {
  %p = call ptr @boxed(float %x)
  %y = call float @unboxed(ptr %p)
  ret float %y
}
attributes #0 = { noinline }
"""


def test_floats_that_are_passed_as_pointers_are_inlined():
    edited = inlined_first(IN_POINTER)
    assert edited is not None
    assert edited.count(") #1 {") == 2
    assert inlined_first(IN_POINTER.replace("float", "i32").replace("bitcast i32 %x to", "add i32 %x, 1 ;")) is None


ROUNDED = """
define internal i64 @nearest(double %x) #0 {
  %n = fptosi double %x to i64
  ret i64 %n
}
define internal void @kept(double %x, ptr %p) #0 {
  %n = fptosi double %x to i64
  store i64 %n, ptr %p
  ret void
}
define internal double @number(i64 %n) #0 {
  %x = bitcast i64 %n to double
  ret double %x
}
define internal i64 @other(i64 %n) #0 {
  %m = add i64 %n, 1
  ret i64 %m
}
define double @caller(double %x, ptr %p) {
  %n = call i64 @nearest(double %x)
  call void @kept(double %x, ptr %p)
  %m = call i64 @other(i64 %n)
  %y = call double @number(i64 %m)
  ret double %y
}
attributes #0 = { noinline }
"""


def test_what_rounds_is_inlined_where_integers_are_taken_for_numbers():
    edited = inlined_first(ROUNDED)
    assert edited is not None
    assert edited.count(") #1 {") == 3
    assert inlined_first(ROUNDED.replace("bitcast i64 %n to double", "sitofp i64 %n to double")) is None


TAKEN_AS_COUNTS = """
define internal i64 @bits(double %x) #0 {
  %n = bitcast double %x to i64
  ret i64 %n
}
define internal double @count(i64 %n) #0 {
  %y = uitofp nneg i64 %n to double
  ret double %y
}
define double @f(double %x) {
  %n = call i64 @bits(double %x)
  %y = call double @count(i64 %n)
  ret double %y
}
attributes #0 = { noinline }
"""


def test_what_takes_bits_is_inlined_where_integers_are_taken_for_counts():
    edited = inlined_first(TAKEN_AS_COUNTS)
    assert edited is not None
    assert edited.count(") #1 {") == 2
    assert inlined_first(TAKEN_AS_COUNTS.replace("bitcast double %x", "fptosi double %x")) is None
