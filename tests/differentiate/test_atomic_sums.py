"""Comparing exchanges that add: which are taken for additions, and what is left of them."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.atomic_sums import sums_for_exchanges
from enzyme_build.ir.instructions import AtomicRMW, CallBase, CompareExchange, Load
from enzyme_build.ir.parser import parse_module

AGAIN = """
declare double @llvm.fmuladd.f64(double, double, double)
declare void @g()
define double @f(ptr %p, ptr %q, double %v, double %w) {{
entry:
  {read}
  br label %try
try:
  %old = phi double [ %first, %entry ], [ %next, %try ]
  {total}
  %expected = bitcast double %old to i64
  %wanted = bitcast double %new to i64
  {between}
  %pair = cmpxchg weak ptr %p, i64 %expected, i64 %wanted acq_rel monotonic, align 8
  %now = extractvalue {{ i64, i1 }} %pair, 0
  %done = extractvalue {{ i64, i1 }} %pair, 1
  %next = bitcast i64 %now to double
  {behind}
  br i1 %done, label %exit, label %try
exit:
  ret double {result}
}}"""
READ = "%first = load atomic double, ptr %p monotonic, align 8"


def changed(source):
    function = parse_module(source).function("f")
    found = sums_for_exchanges(function)
    instructions = list(function.instructions())
    assert found == (not any(isinstance(i, CompareExchange) for i in instructions))
    return instructions if found else None


def again(read=READ, total="%new = fadd double %old, %v", between="", behind="", result="%v"):
    return AGAIN.format(read=read, total=total, between=between, behind=behind, result=result)


@pytest.mark.parametrize(
    ("total", "op"),
    [
        ("%new = fadd double %old, %v", "fadd"),
        ("%new = fadd double %v, %old", "fadd"),
        ("%new = fsub double %old, %v", "fsub"),
        ("%new = call double @llvm.fmuladd.f64(double %v, double %w, double %old)", "fadd"),
    ],
)
def test_an_addition_that_is_tried_again(total, op):
    instructions = changed(again(total=total))
    (only,) = (i for i in instructions if isinstance(i, AtomicRMW))
    assert (only.op, only.ordering, only.align) == (op, "acq_rel", 8)
    assert not any(isinstance(i, Load | CallBase) for i in instructions)
    assert len({i.block for i in instructions}) == 3  # no block but those that are reached, once each


@pytest.mark.parametrize(
    "change",
    [
        {"total": "%new = fsub double %v, %old"},
        {"total": "%new = fmul double %old, %v"},
        {"total": "%new = fadd double %old, %old"},
        {"total": "%new = call double @llvm.fmuladd.f64(double %old, double %w, double %v)"},
        {"total": "%new = call double @llvm.fmuladd.f64(double %old, double %w, double %old)"},
        {"result": "%old"},
        {"result": "%new"},
        {"read": "%first = load atomic double, ptr %q monotonic, align 8"},
        {"read": "%first = load volatile double, ptr %p, align 8"},
        {"read": "%first = fadd double %v, %w"},
        {"read": f"{READ}\n  store double %w, ptr %q"},
        {"read": f"{READ}\n  call void @g()"},
        {"between": "call void @g()"},
        {"between": "store double %w, ptr %p"},
        {"behind": "store double %w, ptr %p"},
        {"behind": "fence seq_cst"},
    ],
)
def test_what_is_no_addition_or_may_see_another_number(change):
    assert changed(again(**change)) is None


ONCE = """
define i1 @f(ptr %p, double %v, i1 %c) {{
entry:
  %early = load atomic i64, ptr %p monotonic, align 8
  {between}
  br i1 %c, label %left, label %right
left:
  br label %both
right:
  {right}
  br label %both
both:
  %old = phi i64 [ %early, %left ], [ {other}, %right ]
  %number = bitcast i64 %old to double
  %new = fadd double %number, %v
  %wanted = bitcast double %new to i64
  %pair = cmpxchg ptr %p, i64 %old, i64 %wanted seq_cst seq_cst, align 8
  %done = extractvalue {{ i64, i1 }} %pair, 1
  ret i1 %done
}}"""


def test_readings_on_two_ways():
    assert changed(ONCE.format(between="", right="", other="%early"))
    late = "%late = load atomic i64, ptr %p monotonic, align 8"
    assert changed(ONCE.format(between="", right=late, other="%late"))


@pytest.mark.parametrize(
    ("between", "right", "other"),
    [
        ("store double %v, ptr %p", "", "%early"),
        ("", "store double %v, ptr %p", "%early"),
        ("", "%late = load atomic i64, ptr %p monotonic, align 8\n  store double %v, ptr %p", "%late"),
        ("", "", "7"),
    ],
)
def test_a_reading_that_may_be_old(between, right, other):
    assert changed(ONCE.format(between=between, right=right, other=other)) is None
