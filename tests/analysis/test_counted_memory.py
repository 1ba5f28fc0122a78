"""Numbers in memory that are read as integers, and counted."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.counted_memory import gives_bits

from .models import Model

TEXT = """
define double @f(double %x, i64 %n, ptr %given) {{
  %p = alloca [4 x i64]
  %q = getelementptr i8, ptr %p, i64 16
  store double %x, ptr %p
  {operations}
  %c = load i64, ptr %p
  %r = sitofp i64 %c to double
  ret double %r
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @scanf(ptr, ...)
"""


@pytest.mark.parametrize(
    ("operations", "taken"),
    [
        ("", True),
        ("store i64 0, ptr %p", True),  # cleared before use, as far as order counts here
        ("store i64 %n, ptr %p", False),  # a union in use
        ("store i64 %n, ptr %q", True),  # beside it
        ("store i8 7, ptr %p", False),
        # Integers that are moved there, or what nobody knows.
        ("store i64 %n, ptr %q\\n  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)", False),
        ("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %given, i64 8, i1 false)", False),
        ("store double %x, ptr %q\\n  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)", True),
        # A number that is scaled and rounded is no count.
        ("%s = fmul double %x, 0x4357154000000000\\n  %i = fptosi double %s to i64\\n  store i64 %i, ptr %p", True),
        ("%i = fptosi double %x to i64\\n  store i64 %i, ptr %p", False),
    ],
)
def test_bits_in_memory_of_a_functions_own(operations, taken):
    m = Model(TEXT.format(operations=operations.replace("\\n", "\n")))
    assert (m["r"] in m.activity("out const const", "out").taken_as_counts) is taken


def test_memory_of_callers_may_hold_integers():
    m = Model(TEXT.format(operations="").replace("ptr %p\n", "ptr %given\n"))
    assert not m.activity("out const dup", "out").taken_as_counts


FUNCTIONS = """
define internal void @put(ptr %p, double %v) noinline {
  store double %v, ptr %p
  ret void
}
define internal i64 @raw(ptr %p) noinline {
  %b = load i64, ptr %p
  ret i64 %b
}
define internal double @count(i64 %b) noinline {
  %r = sitofp i64 %b to double
  ret double %r
}
define internal void @set(ptr %p, i64 %n) noinline {
  store i64 %n, ptr %p
  ret void
}
define double @f(double %x, i64 %n) {
  %p = alloca i64
  call void @put(ptr %p, double %x)
  %b = call i64 @raw(ptr %p)
  %r = call double @count(i64 %b)
  ret double %r
}
"""


@pytest.mark.parametrize("union", [False, True])
def test_through_functions(union):
    stored = "call void @set(ptr %p, i64 %n)\n  " if union else ""
    m = Model(FUNCTIONS.replace("%b = call i64 @raw", f"{stored}%b = call i64 @raw"))
    assert (m["r"] in m.activity("out const", "out").taken_as_counts) is not union


KEPT = """
define internal void @keep(ptr %to, ptr %from) noinline {
  %b = load i64, ptr %from
  store i64 %b, ptr %to, !tbaa !1
  ret void
}
define internal void @keep_given(ptr %to, i64 %b) noinline {
  store i64 %b, ptr %to, !tbaa !1
  ret void
}
define internal double @kept(ptr %p) noinline {
  %b = load i64, ptr %p, !tbaa !1
  %r = sitofp i64 %b to double
  ret double %r
}
define double @f(ptr %x, i64 %n) {
  %p = alloca [2 x i64]
  %q = getelementptr i8, ptr %p, i64 8
  %at = getelementptr double, ptr %x, i64 %n
  %v = load double, ptr %at, !tbaa !4
  %b = bitcast double %v to i64
  OPERATION
  %r = call double @kept(ptr %p)
  %s = fadd double %r, %v
  ret double %s
}
!1 = !{!2, !2, i64 0}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !6, i64 0}
!4 = !{!5, !5, i64 0}
!5 = !{!"double", !3, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
"""


@pytest.mark.parametrize(
    ("operation", "taken"),
    [
        ("call void @keep(ptr %p, ptr %at)", True),
        ("call void @keep_given(ptr %p, i64 %b)", True),
        ("call void @keep_given(ptr %p, i64 %n)", False),
        ("call void @keep(ptr %q, ptr %at)", False),  # beside what is counted
    ],
)
def test_bits_that_functions_keep_as_integers(operation, taken):
    m = Model(KEPT.replace("OPERATION", operation))
    assert (m["r"] in m.activity("dup const", "out").taken_as_counts) is taken


GLOBAL = """
@scratch = internal global i64 INITIAL
define internal i64 @raw() noinline {
  %b = load i64, ptr @scratch
  ret i64 %b
}
define double @f(double %x) {
  store double %x, ptr @scratch
  %b = call i64 @raw()
  %r = sitofp i64 %b to double
  ret double %r
}
define void @other(i64 %n, double %x) {
  OTHER
  ret void
}
"""


@pytest.mark.parametrize(
    ("initial", "other", "taken"),
    [
        ("0", "", True),
        ("0", "store double %x, ptr @scratch", True),
        ("0", "store i64 %n, ptr @scratch", False),  # a union in use
        ("7", "", False),
    ],
)
def test_bits_in_a_variable(initial, other, taken):
    m = Model(GLOBAL.replace("INITIAL", initial).replace("OTHER", other))
    assert (m["r"] in m.activity("out", "out").taken_as_counts) is taken


GIVEN = """
define internal i64 @whole(double %v) noinline {
  %b = bitcast double %v to i64
  ret i64 %b
}
define internal i64 @count(double %v) noinline {
  %b = fptosi double %v to i64
  ret i64 %b
}
define internal i64 @hash(double %v) noinline {
  %b = bitcast double %v to i64
  %h = mul i64 %b, -7046029254386353131
  ret i64 %h
}
define internal { i64, i64 } @both(double %v, i64 %n) noinline {
  %b = call i64 @whole(double %v)
  %s = insertvalue { i64, i64 } poison, i64 %n, 0
  %t = insertvalue { i64, i64 } %s, i64 %b, 1
  ret { i64, i64 } %t
}
define internal i64 @same(i64 %b) noinline {
  ret i64 %b
}
define internal i64 @even(double %v) noinline {
  %c = fcmp olt double %v, 0.0
  br i1 %c, label %less, label %more
less:
  %m = fneg double %v
  %o = call i64 @odd(double %m)
  br label %more
more:
  %b = bitcast double %v to i64
  %r = phi i64 [ %o, %less ], [ %b, %0 ]
  ret i64 %r
}
define internal i64 @odd(double %v) noinline {
  %e = call i64 @even(double %v)
  %r = sub i64 0, %e
  ret i64 %r
}
define internal i64 @read(ptr %p) noinline {
  %b = load i64, ptr %p
  ret i64 %b
}
define internal double @counted(i64 %b) noinline {
  %r = sitofp i64 %b to double
  ret double %r
}
define double @f(ptr %x, i64 %n, i1 %c) {
  %at = getelementptr double, ptr %x, i64 %n
  %v = load double, ptr %at
  OPERATION
  ret double %r
}
"""


@pytest.mark.parametrize(
    ("operation", "given"),
    [
        ("%k = call i64 @whole(double %v)", True),
        ("%k = call i64 @whole(double 3.0)", False),
        ("%k = call i64 @count(double %v)", False),
        ("%k = call i64 @hash(double %v)", False),
        ("%s = call { i64, i64 } @both(double %v, i64 %n)\n  %k = extractvalue { i64, i64 } %s, 1", True),
        ("%s = call { i64, i64 } @both(double %v, i64 %n)\n  %k = extractvalue { i64, i64 } %s, 0", False),
        ("%b = bitcast double %v to i64\n  %k = call i64 @same(i64 %b)", True),
        ("%k = call i64 @same(i64 %n)", False),
        ("%k = call i64 @even(double %v)", True),
        ("%k = call i64 @odd(double %v)", True),
        ("%k = call i64 @read(ptr %at)", True),
        ("%k = call i64 @whole(double %v)\n  %l = call i64 @whole(double 3.0)", True),
    ],
)
def test_bits_that_functions_return(operation, given):
    m = Model(GIVEN.replace("OPERATION", f"{operation}\n  %r = sitofp i64 %k to double"))
    activity = m.activity("dup const const", "out")
    assert gives_bits(m.memory, m["k"], activity.all_varied) is given


@pytest.mark.parametrize(
    ("operation", "taken"),
    [
        ("%b = bitcast double %v to i64\n  %r = call double @counted(i64 %b)", True),
        ("%b = call i64 @whole(double %v)\n  %r = call double @counted(i64 %b)", True),
        ("%b = call i64 @hash(double %v)\n  %r = call double @counted(i64 %b)", False),
        ("%r = call double @counted(i64 %n)", False),
    ],
)
def test_bits_that_functions_count(operation, taken):
    m = Model(GIVEN.replace("OPERATION", operation))
    assert (m["r"] in m.activity("dup const const", "out").taken_as_counts) is taken
