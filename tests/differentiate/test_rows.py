"""Rows of a Jacobian, asked for one by one in a loop, are answered together."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.ir.instructions import Call, Compare
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text

ROWS = """
@enzyme_dup = external global i32
@enzyme_out = external global i32
@enzyme_dupnoneed = external global i32
define void @f(ptr %x, double %w, ptr %y) {
  %a = load double, ptr %x, align 8
  %p = getelementptr inbounds i8, ptr %x, i64 8
  %b = load double, ptr %p, align 8
  %aa = fmul double %a, %w
  store double %aa, ptr %y, align 8
  %ab = fmul double %a, %b
  %q = getelementptr inbounds i8, ptr %y, i64 8
  store double %ab, ptr %q, align 8
  ret void
}
declare double @__enzyme_autodiff(...)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @seen(ptr)
define double @caller(ptr %x, double %w, ptr %jac, ptr %out) {
entry:
  %y = alloca [2 x double], align 8
  %bar = alloca [2 x double], align 8
  br label %loop
loop:
  %row = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.lifetime.start.p0(ptr %y)
  call void @llvm.lifetime.start.p0(ptr %bar)
  call void @llvm.memset.p0.i64(ptr %bar, i8 0, i64 16, i1 false)
  %seed = getelementptr inbounds double, ptr %bar, i64 %row
  store double 1.0, ptr %seed, align 8
  %at = getelementptr inbounds [2 x double], ptr %jac, i64 %row
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_dup, ptr %x, ptr %at, ptr @enzyme_out, double %w, \
ptr @enzyme_dupnoneed, ptr %y, ptr %bar)
  %o = getelementptr inbounds double, ptr %out, i64 %row
  store double %r, ptr %o, align 8
  call void @llvm.lifetime.end.p0(ptr %bar)
  call void @llvm.lifetime.end.p0(ptr %y)
  %next = add nuw nsw i64 %row, 1
  %done = icmp eq i64 %next, 2
  br i1 %done, label %exit, label %loop
exit:
  %last = phi double [ %r, %loop ]
  ret double %last
}
"""


def caller_of(text):
    module = parse_module(text)
    differentiate(module)
    parse_text(print_module(module), "the module")
    return module.function("caller")


def derivative_calls(caller):
    """The numbers of arguments of the calls of derivatives."""
    calls = (i for i in caller.instructions() if isinstance(i, Call))
    return sorted(len(i.arguments) for i in calls if i.callee.name.startswith("enzyme_build.reverse"))


def test_all_rows_beside_the_loop():
    caller = caller_of(ROWS)
    # x, w and y, and for each row a shadow of x and one of y
    assert derivative_calls(caller) == [5, 7]


def test_what_is_not_known_apart_is_compared():
    # Each number that is stored with x and with both rows of jac; rows of one array need no comparison.
    tests = [i for i in caller_of(ROWS).instructions() if isinstance(i, Compare) and i.predicate == "ule"]
    assert len(tests) == 2 * 2 * 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%next, 2", "%next, 9"),
        ("[2 x double], ptr %jac, i64 %row", "[2 x double], ptr %jac, i64 0"),  # one gradient for all rows
        ("  call void @llvm.lifetime.start.p0(ptr %bar)\n", ""),  # a seed that is left from the row before
        ("  call void @llvm.lifetime.start.p0(ptr %y)\n", ""),
        ("double 1.0, ptr %seed", "double 1.0, ptr %out"),
        ("  %seed =", "  call void @seen(ptr %x)\n  %seed ="),
        ("  %o =", "  call void @seen(ptr %x)\n  %o ="),
        ("  %o =", "  %used = load double, ptr %y, align 8\n  %o ="),
        ("  %o =", "  %used = load double, ptr %bar, align 8\n  %o ="),
        ("ptr @enzyme_dup, ptr %x", "ptr @enzyme_dup, ptr %at"),  # each row of another input
        ("fmul double %a, %b", "call double @unknown(double %a)"),
        ("store double %aa, ptr %y", "store double %aa, ptr %x"),
    ],
)
def test_other_loops_stay(old, new):
    assert old in ROWS
    text = ROWS.replace(old, new) + "declare double @unknown(double) memory(none)\n"
    try:
        calls = derivative_calls(caller_of(text))
    except Exception as error:  # noqa: BLE001 - what no derivative is known of
        assert "unknown" in str(error)  # noqa: PT017
        return
    assert calls == [5]
