"""Which loops of the reverse sweep become one."""

from __future__ import annotations

import pytest

from enzyme_build.ir.instructions import Jump

from .plans import Decisions

# One loop fills an array, the next one reads it.
LOOPS = """
define double @f(ptr noalias %x, ptr noalias %y, ptr noalias %z, i64 %n, i64 %m, double %c) {{
entry:
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %c
  %q = getelementptr inbounds double, ptr %y, i64 %i
  store double %w, ptr %q
  {more}
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %fill, label %between
between:
  {between}
  br label %read
read:
  %j = phi i64 [ {start}, %between ], [ %j.next, %read ]
  %s = phi double [ {zero}, %between ], [ %t, %read ]
  %r = getelementptr inbounds double, ptr {array}, i64 %j
  %a = load double, ptr %r
  %aa = fmul double {factor}, %a
  %t = fadd double %s, %aa
  {last}
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, {count}
  br i1 %j.more, label %read, label %exit
exit:
  %result = phi double [ %t, %read ]
  ret double %result
}}"""
USUAL = {
    "more": "", "between": "", "start": "0", "zero": "0.0", "array": "%y", "factor": "2.0", "last": "",
    "count": "%n",
}  # fmt: skip


def is_joined(activities: str = "dup dup dup const const const", **parts: str) -> bool:
    d = Decisions(LOOPS.format(**USUAL | parts), activities)
    blocks = {block.name: block for block in d.engine.combined(d.request).function.blocks}
    assert not d.engine.findings
    return isinstance(blocks["read.reverse"].terminator, Jump)


@pytest.mark.parametrize(
    ("parts", "joined"),
    [
        ({}, True),
        ({"between": "%k = getelementptr double, ptr %y, i64 1", "array": "%k"}, False),  # what is stored later
        ({"start": "1"}, False),  # other elements, another number of them
        ({"count": "%m"}, False),
        ({"array": "%z"}, False),  # no memory in common
        ({"array": "%x"}, True),  # both add to the same adjoints
        ({"array": "%x", "last": "store double 1.0, ptr %r"}, True),
        ({"factor": "%a"}, True),
        ({"between": "%k = load double, ptr %z", "factor": "%k"}, False),  # work between the loops
        ({"between": "%k = fmul double %c, 2.0", "factor": "%k"}, True),  # no work there
        ({"between": "%k = phi double [ %w, %fill ]", "zero": "%k"}, False),  # what the first loop computed last
        ({"between": "%k = phi double [ %w, %fill ]", "factor": "%k"}, False),
        ({"more": "%u = getelementptr inbounds double, ptr %z, i64 %i\n  store double %v, ptr %u"}, True),
        ({"more": "store double 1.0, ptr %z"}, False),
    ],
)
def test_conditions(parts: dict[str, str], joined: bool) -> None:  # noqa: FBT001
    assert is_joined(**parts) == joined
