"""Which sums only the derivative depends on."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.analysis.unseen_sums import UnseenSums

from .models import SHORT, Model

DECLARATIONS = """
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.floor.f64(double)
declare double @outside(double)
"""
SUM = """
define double @f(ptr %x, ptr %out, i64 %n, double %y) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %so.far = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %term = load double, ptr %at
  {step}
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  {then}
}}
"""
PLAIN = "%sum = fadd double %so.far, %term"


def steps(text, out="dup", *, seen=False):
    model = Model(text + DECLARATIONS)
    activities = {**SHORT, "dupnoneed": Activity.DUPLICATED_NO_PRIMAL}
    asked = (Activity.DUPLICATED, activities[out], Activity.CONSTANT, Activity.CONSTANT)
    request = Request("f", Mode.COMBINED, asked, Activity.ACTIVE)
    sums = UnseenSums(Flow(model.module, model.function), model.memory, request, seen=seen)
    return sorted(i.name for i in sums.steps())


def of(step=PLAIN, then="ret double %sum", **more):
    return steps(SUM.format(step=step, then=then), **more)


@pytest.mark.parametrize(
    "step",
    [
        PLAIN,
        "%sum = fadd double %term, %so.far",
        "%sum = fsub double %so.far, %term",
        "%sum = call double @llvm.fmuladd.f64(double %term, double %term, double %so.far)",
    ],
)
def test_sums_of_the_derivative(step):
    assert of(step) == ["sum"]
    assert of(step, seen=True) == []


def test_several_terms_at_once():
    assert of("%first = fadd double %so.far, %term\n  %sum = fadd double %first, %y") == ["first", "sum"]


@pytest.mark.parametrize(
    "step",
    [
        "%sum = fsub double %term, %so.far",  # turns its sign
        "%sum = fadd double %so.far, %so.far",
        "%sum = fmul double %so.far, %term",
        "%sum = call double @llvm.fmuladd.f64(double %so.far, double %term, double %y)",
        # Compensated: what was lost in the last addition is computed from the sum.
        "%new = fadd double %so.far, %term\n  %gone = fsub double %new, %so.far\n  %sum = fsub double %new, %gone",
        # What was added up so far is a result.
        "%sum = fadd double %so.far, %term\n  store double %sum, ptr %out",
    ],
)
def test_no_sums_or_such_that_the_loop_looks_at(step):
    assert of(step) == []


@pytest.mark.parametrize(
    ("then", "found"),
    [
        ("%r = call double @llvm.sqrt.f64(double %sum)\n  %q = fdiv double %y, %r\n  ret double %q", ["sum"]),
        ("%r = call double @llvm.floor.f64(double %sum)\n  ret double %r", []),
        ("%r = call double @outside(double %sum)\n  ret double %r", []),
        ("%c = fcmp ogt double %sum, %y\n  %r = select i1 %c, double %y, double 1.0\n  ret double %r", []),
        ("%c = fcmp ogt double %y, 1.0\n  %r = select i1 %c, double %y, double %sum\n  ret double %r", ["sum"]),
        ("%h = fmul double %sum, 0.5\n  %b = bitcast double %h to i64\n  store i64 %b, ptr %out\n  ret double %h", []),
        ("%h = fmul double %sum, 0.5\n  store double %h, ptr %out\n  ret double %h", []),
    ],
)
def test_what_becomes_of_them(then, found):
    assert of(then=then) == found


def test_results_that_nobody_wants():
    store = "store double %sum, ptr %out\n  "
    assert of(then=store + "ret double %sum", out="dup") == []
    assert of(then=store + "ret double %sum", out="dupnoneed") == ["sum"]
    # Unless what is read of them again decides something.
    again = store + "%again = load double, ptr %out\n  "
    assert of(then=again + "ret double %again", out="dupnoneed") == ["sum"]
    assert of(then=again + "ret double %again", out="dupnoneed", seen=True) == []
    decides = again + "%c = fcmp ogt double %again, %y\n  %r = select i1 %c, double %y, double 1.0\n  ret double %r"
    assert of(then=decides, out="dupnoneed") == []
    assert of(then=store + "%bits = load i64, ptr %out\n  ret double %sum", out="dupnoneed") == []


def test_sums_of_sums():
    text = """
define double @f(ptr %x, ptr %out, i64 %n, double %y) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %above = phi double [ 0.0, %entry ], [ %sum, %row.end ]
  br label %row
row:
  %j = phi i64 [ 0, %rows ], [ %j.next, %row ]
  %so.far = phi double [ %above, %rows ], [ %sum, %row ]
  %at = getelementptr inbounds double, ptr %x, i64 %j
  %term = load double, ptr %at
  %sum = fadd double %so.far, %term
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %row, label %row.end
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %rows, label %exit
exit:
  ret double %sum
}
"""
    assert steps(text) == ["sum"]
    assert steps(text.replace("%i.next = add", "store double %sum, ptr %out\n  %i.next = add")) == []


def test_memory_that_functions_of_a_cycle_hand_to_each_other():
    other = """
define internal void @other(ptr %x, ptr %theirs, i64 %n, double %y) {
  %unused = call double @f(ptr %x, ptr %theirs, i64 %n, double %y)
  ret void
}
"""
    again = "call void @other(ptr %x, ptr %out, i64 %n, double %y)\n  store double %sum, ptr %out\n  ret double %sum"
    assert steps(SUM.format(step=PLAIN, then=again) + other, out="dupnoneed") == []
