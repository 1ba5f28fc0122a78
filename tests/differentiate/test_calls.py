"""Which rule a call falls under, and the request for its callee."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.differentiate.callee_requests import callee_request
from enzyme_build.differentiate.calls import classify
from enzyme_build.errors import MissingRuleError, UnsupportedError
from enzyme_build.ir.instructions import CallBase

from .plans import Decisions

HEADER = """
declare double @sin(double)
declare double @mystery(double)
declare void @touch(ptr)
declare i32 @puts(ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare double @frexp(double, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
define internal double @body(double %a, ptr %q) {
  %v = load double, ptr %q
  %r = fmul double %a, %v
  ret double %r
}
define internal ptr @made(ptr %q) {
  %m = call ptr @malloc(i64 8)
  %v = load double, ptr %q
  store double %v, ptr %m
  ret ptr %m
}
define internal void @idle(i64 %n) {
  ret void
}
"""


def facts(*lines: str, activities: str = "out dup const", result: str = "%r"):
    body = "\n  ".join(lines)
    text = f"{HEADER}define double @f(double %x, ptr %p, i64 %n) {{\n  {body}\n  ret double {result}\n}}"
    d = Decisions(text, activities)
    return d.context, [i for i in d.function.instructions() if isinstance(i, CallBase)]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (["%r = call double @sin(double %x)"], "math"),
        (["%r = call double @frexp(double %x, ptr %p)"], "multiple"),
        (["call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 false)", "%r = load double, ptr %p"], "transfer"),
        (["%m = call ptr @malloc(i64 8)", "%r = fadd double %x, 1.0"], "allocation"),
        (["call void @free(ptr %p)", "%r = fadd double %x, 1.0"], "deallocation"),
        (["%m = call i32 @puts(ptr %p)", "%r = fadd double %x, 1.0"], "plain"),
        (["call void @llvm.lifetime.start.p0(ptr %p)", "%r = fadd double %x, 1.0"], "dropped"),
        (["%r = call double @body(double %x, ptr %p)"], "derive"),
        (["call void @idle(i64 %n)", "%r = fadd double %x, 1.0"], "plain"),
    ],
)
def test_kinds(lines, kind):
    context, calls = facts(*lines)
    assert classify(context, calls[0])[0].value == kind


def test_unknown_functions_of_constants_are_just_called():
    context, calls = facts("%c = call double @mystery(double 1.0)", "%r = fmul double %x, %c")
    assert classify(context, calls[0])[0].value == "plain"


def test_unknown_functions_of_active_data_are_refused():
    d = Decisions(
        f"{HEADER}define double @f(double %x) {{\n  %r = call double @mystery(double %x)\n  ret double %r\n}}", "out"
    )
    call = next(i for i in d.function.instructions() if isinstance(i, CallBase))
    with pytest.raises(MissingRuleError, match="no derivative rule and no body for 'mystery'"):
        classify(d.context, call)
    assert [error.code for error in d.engine.findings] == ["E0100"]


def test_request_for_a_callee():
    context, calls = facts("%r = call double @body(double %x, ptr %p)")
    request = callee_request(context, calls[0], Mode.SPLIT)
    assert request.function == "body"
    assert request.arguments == (Activity.ACTIVE, Activity.DUPLICATED)
    assert request.result is Activity.ACTIVE
    assert request.overwritten == (False, False, False)


def test_constant_arguments_of_a_callee():
    context, calls = facts("%r = call double @body(double %x, ptr %p)", activities="out const const")
    assert callee_request(context, calls[0], Mode.SPLIT).arguments == (Activity.ACTIVE, Activity.CONSTANT)
    context, calls = facts("%r = call double @body(double 2.0, ptr %p)")
    assert callee_request(context, calls[0], Mode.SPLIT).arguments == (Activity.CONSTANT, Activity.DUPLICATED)


def test_a_null_pointer_has_a_null_shadow():
    """So that what the callee does with memory that is there at other calls is not taken for lost at this one."""
    context, calls = facts("%r = call double @body(double %x, ptr null)")
    assert callee_request(context, calls[0], Mode.SPLIT).arguments == (Activity.ACTIVE, Activity.DUPLICATED)


def test_memory_written_after_the_call():
    context, calls = facts("%r = call double @body(double %x, ptr %p)", "store double 0.0, ptr %p")
    assert callee_request(context, calls[0], Mode.SPLIT).overwritten == (False, True, False)


@pytest.mark.parametrize(("line", "written"), [("store double 0.0, ptr %m", True), ("store double 0.0, ptr %p", False)])
def test_returned_memory_written_after_the_call(line, written):
    context, calls = facts("%m = call ptr @made(ptr %p)", line, "%r = load double, ptr %m")
    assert callee_request(context, calls[0], Mode.SPLIT).overwritten == (not written, written)


def test_variadic_callees_are_refused():
    text = """
define internal double @many(double %x, ...) {
  ret double %x
}
define double @f(double %x) {
  %r = call double (double, ...) @many(double %x, double %x)
  ret double %r
}"""
    d = Decisions(text, "out")
    assert [error.code for error in d.engine.findings] == ["E0142"]
    call = next(i for i in d.function.instructions() if isinstance(i, CallBase))
    with pytest.raises(UnsupportedError, match="variadic"):
        callee_request(d.context, call, Mode.SPLIT)
