"""The bytes that a function accesses behind its parameters."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.extents import extents
from enzyme_build.ir.parser import parse_module

LOOP = """
define void @f(ptr %x, ptr %y, double %w, i64 %n) {
entry:
  %own = alloca [4 x double], align 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %q = getelementptr inbounds i8, ptr %p, i64 16
  %v = load double, ptr %q, align 8
  %s = call double @sin(double %v)
  %o = getelementptr inbounds double, ptr %own, i64 %i
  store double %s, ptr %o, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 3
  br i1 %done, label %exit, label %loop
exit:
  %r = getelementptr inbounds i8, ptr %y, i64 -8
  store double %w, ptr %r, align 8
  ret void
}
declare double @sin(double)
declare double @mine(double)
"""


def found(text):
    module = parse_module(text)
    all_ = extents(module.function("f"), module.layout)
    return all_ and {number: (e.low, e.high, e.reads, e.writes) for number, e in all_.items()}


def test_bytes_of_counted_accesses():
    assert found(LOOP) == {0: (16, 40, True, False), 1: (-8, 0, False, True)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%next, 3", "%next, %n"),  # any number of iterations, places, and time
        ("@sin(double %v)", "@mine(double %v)"),
        ("load double, ptr %q", "load volatile double, ptr %q"),
        ("store double %w, ptr %r", "store ptr %x, ptr %r"),
        ("i8, ptr %y, i64 -8", "i8, ptr %y, i64 %n"),
    ],
)
def test_what_is_not_known(old, new):
    assert old in LOOP
    assert found(LOOP.replace(old, new)) is None
