"""What lets a count assume that a loop ends and a call returns."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.analysis.progress import Progress
from enzyme_build.ir.parser import parse_module

TEXT = """
declare void @unknown()
declare void @harmless() #1
declare double @exp(double)
declare ptr @_Znwm(i64)
declare ptr @malloc(i64)
define void @defined() {{
  ret void
}}
define void @f(ptr %p, i1 %c) {function} {{
entry:
  br label %loop
loop:
  {body}
  br i1 %c, label %loop, label %out{latch}
out:
  ret void
}}
attributes #0 = {{ mustprogress nounwind }}
attributes #1 = {{ nounwind willreturn }}
!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.loop.mustprogress"}}
!2 = distinct !{{!2}}
"""


def facts(body="", function="", latch=""):
    module = parse_module(TEXT.format(body=body, function=function, latch=latch))
    defined = module.function("f")
    cfg = control_flow(defined)
    loop = loop_forest(cfg, dominators(cfg)).loops[0]
    progress = Progress(module, defined)
    return progress.must_end(loop), progress.returns(loop.header)


@pytest.mark.parametrize(
    ("function", "latch", "must_end"),
    [
        ("", "", False),
        ("#0", "", True),
        ("mustprogress", "", True),
        ("", ", !llvm.loop !0", True),
        ("", ", !llvm.loop !2", False),
    ],
)
def test_promises(function, latch, must_end):
    assert facts(function=function, latch=latch) == (must_end, True)


@pytest.mark.parametrize(
    ("body", "must_end", "returns"),
    [
        ("store i32 0, ptr %p", True, True),
        ("store volatile i32 0, ptr %p", False, True),
        ("%v = load atomic i32, ptr %p monotonic, align 4", False, True),
        ("fence seq_cst", False, True),
        ("call void @unknown()", False, False),
        ("call void @unknown() #1", True, True),
        ("call void @harmless()", True, True),
        ("call void @defined()", False, False),
        ("%v = call double @exp(double 1.0)", True, True),
        ("%v = call ptr @malloc(i64 8)", True, True),
        # May throw
        ("%v = call ptr @_Znwm(i64 8)", False, False),
        ("call void %p()", False, False),
    ],
)
def test_bodies(body, must_end, returns):
    assert facts(body, function="#0") == (must_end, returns)
