"""Which reads of neighbours have adjoints that are carried from iteration to iteration."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.sliding import Windows

from .plans import Decisions

STENCIL = """
define double @f(ptr noalias %a, ptr noalias %b, ptr %e, i32 %m, i64 %d, i1 %g) {{
entry:
  %n = sext i32 %m to i64
  %long = icmp sgt i64 %n, 4
  %both = {guard}
  br i1 %both, label %before, label %none
before:
  br label %loop
loop:
  %i = phi i64 [ 2, %before ], [ %next, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  %low = getelementptr i8, ptr %p, i64 {low}
  %high = getelementptr i8, ptr %p, i64 {high}
  %x = load double, ptr %low
  %y = load double, ptr %high
  %other = getelementptr double, ptr {base}, i64 {index}
  %z = load double, ptr %other
  %xy = fmul double %x, %y
  %v = fmul double %xy, %z
  %q = getelementptr inbounds double, ptr {target}, i64 %i
  store double %v, ptr %q
  {more}
  %next = add nuw nsw i64 %i, 1
  %on = icmp slt i64 %next, %n
  br i1 %on, label %loop, label %exit
exit:
  %r = load double, ptr %b
  ret double %r
none:
  ret double 0.0
}}"""
USUAL = {
    "guard": "and i1 %long, %g", "low": "-8", "high": "8", "base": "%a", "index": "%i", "target": "%b", "more": "",
}  # fmt: skip


def windows(activities: str = "dup dup dup const const const", **parts: str) -> list[tuple[int, list[int]]]:
    d = Decisions(STENCIL.format(**USUAL | parts), activities)
    found = Windows(d.context, d.prepared, noted=False)
    return [(w.step, [*w.reads.values()]) for loop in d.context.facts.loops.loops for w in found.of_loop(loop)]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({}, [(8, [0, 2, 1])]),
        ({"high": "-8"}, [(8, [0, 0, 1])]),
        ({"low": "-16", "high": "16"}, [(8, [0, 4, 2])]),
        ({"low": "-16", "high": "24"}, []),  # too many to carry
        ({"low": "-4"}, []),
        ({"target": "%a"}, []),  # what is read is written
    ],
)
def test_neighbours(parts: dict[str, str], expected: list[tuple[int, list[int]]]) -> None:
    assert windows(**parts) == expected


@pytest.mark.parametrize(
    ("index", "guard", "apart"),
    [
        ("add i64 %i, %n", "and i1 %long, %g", True),  # by more than four
        ("add i64 %i, %n", "select i1 %g, i1 %long, i1 false", True),
        ("add i64 %i, %n", "or i1 %long, %g", False),  # not if it is the other that holds
        ("add i64 %i, %d", "and i1 %long, %g", False),
        ("mul nuw nsw i64 %i, 2", "and i1 %long, %g", True),  # as i is 2 or more
        ("sub i64 9, %i", "and i1 %long, %g", False),
    ],
)
def test_rows_at_a_distance(index: str, guard: str, apart: bool) -> None:  # noqa: FBT001
    text = STENCIL.replace("  %other =", f"  %row = {index}\n  %other =")
    d = Decisions(text.format(**USUAL | {"index": "%row", "guard": guard}), "dup dup dup const const const")
    (loop,) = d.context.facts.loops.loops
    found = Windows(d.context, d.prepared, noted=False).of_loop(loop)
    assert [(w.step, [*w.reads.values()]) for w in found] == ([(8, [0, 2])] if apart else [])


def test_memory_that_may_be_the_same() -> None:
    assert not windows(base="%e")
    assert not windows("dup dup dup const const const", base="%e", index="0")


def test_what_has_no_derivative_is_no_obstacle() -> None:
    assert windows("dup dup const const const const", base="%e") == [(8, [0, 2])]
