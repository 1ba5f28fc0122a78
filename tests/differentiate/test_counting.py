"""Integers that functions count with, and those that may be addresses to them."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.counting import only_counts_with
from tests.analysis.models import Model

CALLED = """
declare void @unknown(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @h(i64 %w) {
  %c = icmp eq i64 %w, 3
  ret void
}

define void @keep(ptr %p, i64 %w) {
  store i64 %w, ptr %p
  %q = load ptr, ptr %p
  %v = load double, ptr %q
  store double %v, ptr %q
  ret void
}

define void @g(i64 %n, ptr %p, ptr %q) {
  USES
  ret void
}

define void @f(i64 %n, ptr %p, ptr %q) {
  call void @g(i64 %n, ptr %p, ptr %q)
  ret void
}
"""
HALVES = "%high = lshr i64 %n, 32\n  store i64 %high, ptr %p"


@pytest.mark.parametrize(
    ("uses", "counts"),
    [
        ("%c = icmp ult i64 %n, 8", True),
        ("%m = add i64 %n, 8\n  store i64 %m, ptr %p", True),
        ("%m = and i64 %n, 7\n  store i64 %m, ptr %p", True),
        ("%m = lshr i64 %n, 57\n  store i64 %m, ptr %p", True),
        ("%e = getelementptr i8, ptr %p, i64 %n\n  store i8 0, ptr %e", True),
        ("call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)", True),
        ("call void @h(i64 %n)", True),
        (HALVES, False),
        ("%low = trunc i64 %n to i32\n  store i32 %low, ptr %p", False),
        ("%a = inttoptr i64 %n to ptr\n  store i8 0, ptr %a", False),
        ("%a = ptrtoint ptr %q to i64\n  %d = sub i64 %n, %a\n  %e = getelementptr i8, ptr %q, i64 %d", False),
        ("call void @unknown(i64 %n)", False),
        ("call void @keep(ptr %p, i64 %n)", False),
    ],
)
def test_what_a_function_does_with_an_integer(uses: str, *, counts: bool) -> None:
    m = Model(CALLED.replace("USES", uses))
    assert only_counts_with(m.memory, m.module.function("g"), 0) == counts
