"""Which operations must keep a zero adjoint zero, because their results are thrown away at times."""

from __future__ import annotations

from enzyme_build.analysis.cfg import control_flow, restricted, returning
from enzyme_build.analysis.discarded import guarded
from enzyme_build.analysis.dominators import post_dominators
from enzyme_build.ir.function import users

from .models import Model


def names(body: str) -> set[str]:
    text = f"""
declare double @llvm.sqrt.f64(double)
declare double @exp(double)
define double @f(double %x, double %y, ptr %p, i1 %c) {{
{body}
}}"""
    model = Model(text)
    cfg = control_flow(model.function)
    live = restricted(cfg, returning(cfg) | {cfg.entry})
    activity = model.activity("out out dup const", "out")
    found = guarded(model.module, activity, live, post_dominators(live), users(model.function))
    return {value.name for value in found}


def test_both_sides_of_a_select():
    assert names("""
  %root = call double @llvm.sqrt.f64(double %x)
  %more = fmul double %root, %y
  %r = select i1 %c, double %more, double 0.0
  ret double %r""") == {"root", "more"}


def test_finite_slopes_need_nothing():
    assert (
        names("""
  %a = fmul double %x, %y
  %b = fadd double %a, %x
  %r = select i1 %c, double %b, double 0.0
  ret double %r""")
        == set()
    )


def test_a_factor_that_is_read_may_be_infinite():
    """Of missing data, say."""
    assert names("""
  %d = load double, ptr %p
  %e = fsub double %d, 1.0
  %a = fmul double %x, %e
  %b = fadd double %a, %x
  %u = fcmp uno double %d, 0.0
  %r = select i1 %u, double 0.0, double %b
  ret double %r""") == {"a", "b"}


def test_unless_the_program_says_that_nothing_is():
    assert (
        names("""
  %d = load double, ptr %p
  %a = fmul nnan ninf double %x, %d
  %r = select i1 %c, double 0.0, double %a
  ret double %r""")
        == set()
    )


def test_a_use_that_counts():
    assert (
        names("""
  %root = call double @llvm.sqrt.f64(double %x)
  store double %root, ptr %p
  %r = select i1 %c, double %root, double 0.0
  ret double %r""")
        == set()
    )


def test_computed_before_a_branch():
    assert names("""
  %e = call double @exp(double %x)
  br i1 %c, label %then, label %end
then:
  %m = fmul double %e, %y
  br label %end
end:
  %r = phi double [ %m, %then ], [ %y, %0 ]
  ret double %r""") == {"e"}


def test_the_code_of_a_branch_itself():
    assert (
        names("""
  br i1 %c, label %then, label %end
then:
  %e = call double @exp(double %x)
  br label %end
end:
  %r = phi double [ %e, %then ], [ %y, %0 ]
  ret double %r""")
        == set()
    )


def test_round_a_loop_counts():
    assert (
        names("""
  br label %loop
loop:
  %v = phi double [ %x, %0 ], [ %next, %loop ]
  %next = fdiv double %y, %v
  %stop = fcmp ogt double %next, 1.0
  br i1 %stop, label %end, label %loop
end:
  ret double %next""")
        == set()
    )
