"""Loops that the reverse sweep may run upward."""

from __future__ import annotations

import pytest

from .plans import Decisions

# A sum over the array, and a factor that is not differentiated and goes from one iteration to the next.
LOOP = """
declare double @sin(double)
define double @f(ptr noalias %a, ptr noalias %b, i64 %n, double %c) {{
entry:
  %half = sdiv i64 %n, 2
  %some = icmp sgt i64 %n, 1
  br i1 %some, label %before, label %none
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %latch ]
  %s = phi double [ 0.0, %before ], [ %t, %latch ]
  %w = phi double [ 1.0, %before ], [ %v, %latch ]
  %z = phi double [ 1.0, %before ], [ %c, %latch ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p
  %wx = fmul double %w, %x
  %first = icmp eq i64 %i, 0
  {body}
latch:
  {joined}
  %v = fmul double %w, %c
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %half
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ {result}, %latch ]
  ret double %r
none:
  ret double 0.0
ended:
  {ended}
}}"""


def loop(
    *body: str, joined: str = "", result: str = "%t", ended: str = "unreachable", way: str = "br label %latch"
) -> Decisions:
    text = LOOP.format(body="\n  ".join([*body, way]), joined=joined, result=result, ended=ended)
    return Decisions(text, "dup dup const const")


def test_what_goes_round_is_computed_along() -> None:
    d = loop("%y = fmul double %wx, %x", "%t = fadd double %s, %y")
    assert d.prepared.reversal.upward
    assert d.kept_in_loops == set()
    assert d.decided("w") == "recomputed"


@pytest.mark.parametrize(
    ("body", "upward"),
    [
        (("%t = fadd double %s, %wx",), True),
        (("%t = fadd double %wx, %s",), True),
        (("%t = fsub double %s, %wx",), True),
        (("%t = fsub double %wx, %s",), False),
        (("%t = fadd double %s, %s",), False),
        (("%t = fmul double %s, %wx",), False),
        (("%u = fadd double %s, %wx", "%t = fadd double %u, %x"), True),
        (("%u = fadd double %s, %wx", "%t = select i1 %first, double %u, double %s"), True),
        (("%u = fadd double %s, %wx", "%t = select i1 %first, double %u, double %wx"), False),
        (("%t = fadd double %s, %wx", "%q = getelementptr double, ptr %b, i64 %i", "store double %t, ptr %q"), False),
        (("%t = fadd double %s, %wx", "%q = getelementptr double, ptr %b, i64 %i", "store double %s, ptr %q"), False),
        (("%t = fadd double %s, %wx", "%q = getelementptr inbounds double, ptr %b, i64 %i", "store double %x, ptr %q"),
         True),
        (("%t = fadd double %s, %wx", "store double %wx, ptr %p"), True),
        (("%t = fadd double %s, %wx", "store double %wx, ptr %b"), False),
        (
            (
                "%t = fadd double %s, %wx",
                "%q = getelementptr inbounds i8, ptr %p, i64 8",
                "store double %wx, ptr %q",
            ),
            False,
        ),
        (
            (
                "%t = fadd double %s, %wx",
                "%far = add nsw i64 %i, %half",
                "%q = getelementptr inbounds double, ptr %a, i64 %far",
                "store double %wx, ptr %q",
            ),
            True,
        ),
        (
            (
                "%t = fadd double %s, %wx",
                "%far = add nsw i64 %i, %n",
                "%q = getelementptr inbounds double, ptr %a, i64 %far",
                "store double %wx, ptr %q",
            ),
            True,
        ),
        (("%t = fadd double %s, %wx", "store volatile double %wx, ptr %p"), False),
        (("%y = call double @sin(double %wx)", "%t = fadd double %s, %y"), True),
    ],
)  # fmt: skip
def test_conditions(body: tuple[str, ...], upward: bool) -> None:  # noqa: FBT001
    assert bool(loop(*body).prepared.reversal.upward) == upward


def test_a_sum_that_is_not_added_to_each_time() -> None:
    conditional = ("br i1 %first, label %then, label %latch\nthen:", "%u = fadd double %s, %wx")
    d = loop(*conditional, joined="%t = phi double [ %u, %then ], [ %s, %loop ]")
    assert d.prepared.reversal.upward


def test_the_last_value_is_no_sum() -> None:
    d = loop("%t = fadd double %s, %wx", result="%wx")
    assert not d.prepared.reversal.upward


def test_the_sum_before_the_last_addition() -> None:
    d = loop("%t = fadd double %s, %wx", result="%s")
    assert not d.prepared.reversal.upward


def test_what_is_the_same_from_the_second_iteration_on_is_not_kept() -> None:
    d = loop("%y = fmul double %z, %x", "%t = fmul double %s, %y")
    assert not d.prepared.reversal.upward
    assert d.decided("z") == "recomputed"
    assert d.kept_in_loops == {"s"}


def test_a_check_that_ends_the_program_is_no_way_out() -> None:
    way = "%bad = icmp ugt i64 %i, %n\n  br i1 %bad, label %ended, label %latch"
    assert loop("%t = fadd double %s, %wx", way=way).prepared.reversal.upward
    assert not loop("%t = fadd double %s, %wx", way=way, ended="ret double 1.0").prepared.reversal.upward


RESTRICT = """
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f(ptr %a, ptr %b, i64 %n) {{
entry:
  {outside}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  {inside}
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p, align 8, !alias.scope !1, !noalias !2
  %y = fmul double %x, %x
  %q = getelementptr inbounds double, ptr %b, i64 %i
  store double %y, ptr %q, align 8, !alias.scope !2, !noalias !1
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
!0 = distinct !{{!0}}
!1 = !{{!3}}
!2 = !{{!4}}
!3 = distinct !{{!3, !0}}
!4 = distinct !{{!4, !0}}
"""
DECLARED = """call void @llvm.experimental.noalias.scope.decl(metadata !1)
  call void @llvm.experimental.noalias.scope.decl(metadata !2)"""


@pytest.mark.parametrize(
    ("outside", "inside", "upward"), [(DECLARED, "", True), ("", DECLARED, False), ("", "", False)]
)
def test_parameters_that_were_restrict(outside: str, inside: str, upward: bool) -> None:  # noqa: FBT001
    """What inlining leaves of the promise tells all iterations apart where it was made before the loop."""
    d = Decisions(RESTRICT.format(outside=outside, inside=inside), "dup dup const")
    assert bool(d.prepared.reversal.upward) == upward
