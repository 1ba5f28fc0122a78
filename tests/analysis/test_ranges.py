"""Integers that are one of a few numbers."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.ranges import few_values

from .models import Model


def values(*lines: str, head: str = "i64 %i, i64 %j, i32 %s") -> range | None:
    """What `%v` may be where `%use` reads it, in the last block."""
    body = "\n".join(line if line.endswith(":") else f"  {line.strip()}" for line in lines)
    m = Model(f"""
define void @f({head}) {{
entry:
{body}
  %use = add i64 %v, 0
  ret void
}}""")
    return few_values(m.memory, m["v"], m["use"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%v = urem i64 %i, 3", range(3)),
        ("%v = and i64 %i, 7", range(8)),
        ("%v = srem i64 %i, 3", range(-2, 3)),
        ("%v = add i64 %i, 3", None),
        ("%v = urem i64 %i, 3000", None),
    ],
)
def test_remainders(line, expected):
    assert values(line) == expected


def test_arithmetic_on_remainders():
    assert values("%r = urem i64 %i, 3", "%v = add i64 %r, 1") == range(1, 4)
    assert values("%r = urem i64 %i, 3", "%v = sub i64 3, %r") == range(1, 4)
    assert values("%r = urem i32 %s, 3", "%v = zext i32 %r to i64") == range(3)
    assert values("%r = and i64 %i, 1", "%c = icmp eq i64 %j, 0", "%v = select i1 %c, i64 %r, i64 5") == range(6)


def test_what_may_wrap_is_not_known():
    assert values("%r = and i32 %s, 3", "%b = add i32 %r, 2147483646", "%v = sext i32 %b to i64") is None


def test_what_callers_pass():
    assert values("%v = add i64 %i, 1", head="i64 range(i64 0, 3) %i") == range(1, 4)
    assert values("%v = add i64 %i, 1", head="i64 range(i64 3, 0) %i") is None


def test_compared_with_a_length():
    guarded = ("%inside = icmp ult i64 %i, 3", "br i1 %inside, label %yes, label %no", "no:", "ret void", "yes:")
    assert values(*guarded, "%v = add nuw nsw i64 %i, 1") == range(4)
    assert values(*guarded, "%v = add nuw nsw i64 %j, 1") is None


def test_counters():
    loop = ("br label %loop", "loop:", "%v = phi i64 [ 0, %entry ], [ %next, %loop ]", "  %next = add i64 %v, 1")
    ends = ("%last = icmp eq i64 %next, 3", "br i1 %last, label %end, label %loop", "end:")
    assert values(*loop, *ends) == range(3)


def test_a_counter_that_begins_again():
    """`axis = axis + 1 == 3 ? 0 : axis + 1` around a loop."""
    assert values(
        "br label %loop",
        "loop:",
        "%v = phi i64 [ 0, %entry ], [ %next, %loop ]",
        "%more = add i64 %v, 1",
        "%is = icmp eq i64 %more, 3",
        "%next = select i1 %is, i64 0, i64 %more",
        "%go = icmp eq i64 %i, %j",
        "br i1 %go, label %loop, label %end",
        "end:",
    ) == range(3)


def test_a_counter_without_end():
    assert (
        values(
            "br label %loop",
            "loop:",
            "%v = phi i64 [ 0, %entry ], [ %next, %loop ]",
            "%next = add i64 %v, 1",
            "%go = icmp eq i64 %i, %j",
            "br i1 %go, label %loop, label %end",
            "end:",
        )
        is None
    )
