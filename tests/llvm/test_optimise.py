"""The pipelines: what must have happened before differentiation, and what only afterwards."""

from __future__ import annotations

import pytest

from enzyme_build.llvm import emit
from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.optimise import (
    Target,
    after_differentiation,
    baseline_before_differentiation,
    before_differentiation,
)

HEADER = 'target triple = "x86_64-pc-linux-gnu"\n'
AXPY = (
    HEADER
    + """
define void @axpy(ptr noalias %y, ptr noalias %x, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr double, ptr %x, i64 %i
  %py = getelementptr double, ptr %y, i64 %i
  %vx = load double, ptr %px, align 8
  %vy = load double, ptr %py, align 8
  %sum = fadd double %vx, %vy
  store double %sum, ptr %py, align 8
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
"""
)
TWO_RETURNS = (
    HEADER
    + """
define double @f(double %x, i1 %c) {
  %p = alloca double, align 8
  store double %x, ptr %p, align 8
  br i1 %c, label %a, label %b
a:
  %1 = call double @g(double %x)
  ret double %1
b:
  %2 = load double, ptr %p, align 8
  ret double %2
}
declare double @g(double)
"""
)
HELPER = (
    HEADER
    + """
define internal double @helper(double %x) {
  %r = fmul double %x, %x
  ret double %r
}
define double @f(double %x) {
  %r = call double @helper(double %x)
  ret double %r
}
"""
)


def before(text: str) -> str:
    module = parse_text(text, "a test")
    before_differentiation(module, Target("x86-64"))
    return str(module)


def test_loops_stay_scalar_before_and_are_vectorised_after() -> None:
    text = before(AXPY)
    assert "x double>" not in text
    assert text.count("fadd double") == 1
    module = parse_text(text, "a test")
    after_differentiation(module, Target("x86-64"))
    assert "fadd <2 x double>" in str(module)


def test_functions_have_one_exit() -> None:
    assert before(TWO_RETURNS).count("ret double") == 1


def test_helpers_are_inlined() -> None:
    assert "call" not in before(HELPER)


def test_loops_have_a_preheader_and_own_exits() -> None:
    text = before(AXPY)
    assert ".preheader" in text or "loop.preheader:" in text
    assert ".loopexit" in text


def test_the_baseline_inlines_nothing_and_leaves_no_variables_in_memory() -> None:
    module = parse_text(HELPER, "a test")
    baseline_before_differentiation(module, Target())
    assert "call double @helper" in str(module)
    module = parse_text(TWO_RETURNS, "a test")
    baseline_before_differentiation(module, Target())
    assert "alloca" not in str(module)


def test_the_function_of_a_request_survives() -> None:
    request = (
        HELPER
        + """
declare double @__enzyme_autodiff(ptr, ...)
define double @grad(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @helper, double %x)
  ret double %r
}
"""
    )
    assert "define internal double @helper(double" in before(request)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_emission_gives_an_object_at_each_level(level: int) -> None:
    module = parse_text(AXPY, "a test")
    target = Target("x86-64", level=level)
    after_differentiation(module, target)
    assert emit.emit_object(module, target)[:4] == b"\x7fELF"


def test_bitcode_comes_out_as_it_went_in() -> None:
    assert emit.emit_bitcode(parse_text(AXPY, "a test"))[:4] == b"BC\xc0\xde"


def test_a_loop_that_copies_stays_a_loop_behind_differentiation():
    copying = AXPY.replace("store double %sum", "store double %vx")
    module = parse_text(copying, "a test")
    after_differentiation(module, Target(level=3))
    text = str(module)
    assert "memcpy" not in text
    assert "<2 x double>" in text
