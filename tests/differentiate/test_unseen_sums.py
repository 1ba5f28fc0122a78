"""Sums that the forward sweep computes for the derivative alone, also where another function computes them."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.ir.parser import parse_module

NORM = """
@enzyme_primal_return = external global i32
@enzyme_dup = external global i32
@enzyme_const = external global i32
declare RESULT @__enzyme_autodiff(...)
declare double @llvm.sqrt.f64(double)
define double @norm(ptr %x, i64 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %so.far = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %term = load double, ptr %at
  %square = fmul double %term, %term
  %sum = fadd double %so.far, %square
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %norm = call double @llvm.sqrt.f64(double %sum)
  ret double %norm
}
define double @f(ptr %x, i64 %n) {
entry:
  %first = load double, ptr %x
  %norm = call double @norm(ptr %x, i64 %n)
  WHAT
  %q = fdiv double %first, %norm
  ret double %q
}
define void @gradient(ptr %x, ptr %dx, i64 %n) {
entry:
  call RESULT (...) @__enzyme_autodiff(ptr @f, MOREptr @enzyme_dup, ptr %x, ptr %dx, ptr @enzyme_const, i64 %n)
  ret void
}
"""


def forward_sums(what="", *, primal=False):
    """The flags of the additions in the forward pass of `norm`."""
    asked = ("double", "ptr @enzyme_primal_return, ") if primal else ("void", "")
    module = parse_module(NORM.replace("WHAT", what).replace("RESULT", asked[0]).replace("MORE", asked[1]))
    differentiate(module)
    (found,) = [f for f in module.functions if "augmented.norm" in (f.name or "")]
    return [i.flags for i in found.instructions() if getattr(i, "op", "") == "fadd"]


def test_the_norm_that_the_derivative_divides_by():
    assert forward_sums() == ["reassoc"]


@pytest.mark.parametrize("what", ["store double %norm, ptr @enzyme_const", "%c = fcmp ogt double %norm, 1.0"])
def test_one_that_the_program_looks_at(what):
    assert forward_sums(what) == [""]


def test_one_of_which_the_result_is_computed():
    assert forward_sums(primal=True) == [""]
