"""What is kept, and what is had again."""

from __future__ import annotations

from enzyme_build.analysis.request import Mode

from .plans import Decisions

LOOP = """
declare double @sin(double)
declare double @exp(double)
define double @f(double %x, ptr {noalias} %a, ptr %b, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ {start}, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %a, i64 %i
  {body}
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %t, %loop ]
  ret double %r
}}"""


def loop(*body: str, activities: str = "out dup const const", start: str = "0.0", noalias: str = "noalias", **more):
    return Decisions(LOOP.format(body="\n  ".join(body), start=start, noalias=noalias), activities, **more)


def test_linear_code_keeps_nothing():
    d = loop("%t = fadd double %s, %x")
    assert d.kept == set()


def test_square_of_a_value_that_goes_round():
    """s = s²: only the old s is needed, one number an iteration."""
    d = loop("%t = fmul double %s, %s", start="%x")
    assert d.kept_in_loops == {"s"}
    assert d.kept == {"s"}


def test_loads_are_repeated_where_nothing_overwrites():
    d = loop("%v = load double, ptr %p", "%w = fmul double %v, %v", "%t = fadd double %s, %w")
    assert d.kept == set()
    assert d.decided("v") == "recomputed"
    assert d.decided("p", of_shadow=True) == "recomputed"
    assert d.decided("i") == "recomputed"


def test_overwritten_loads_are_kept():
    d = loop("%v = load double, ptr %p", "%t = fmul double %v, %v", "store double %t, ptr %p")
    assert d.kept == {"v"}


def test_writes_through_another_pointer_count_unless_noalias():
    body = ("%v = load double, ptr %p", "%t = fmul double %v, %v", "%q = getelementptr double, ptr %b, i64 %i",
            "store double 1.0, ptr %q")  # fmt: skip
    assert loop(*body).kept == set()
    assert loop(*body, noalias="").kept == {"v"}


def test_the_result_of_a_call_is_kept_instead_of_being_called_again():
    d = loop("%e = call double @exp(double %s)", "%t = fadd double %e, %x")
    assert d.kept == {"e"}


def test_the_operand_is_kept_where_the_rule_reads_it():
    d = loop("%e = call double @sin(double %s)", "%t = fadd double %e, %x")
    assert d.kept == {"s"}


def test_cheap_arithmetic_is_done_again_from_one_kept_value():
    """Three factors that all follow from s: s is kept, the others computed."""
    d = loop(
        "%a1 = fadd double %s, 1.0", "%a2 = fadd double %s, 2.0", "%m = fmul double %a1, %a2",
        "%t = fmul double %m, %s", start="%x",
    )  # fmt: skip
    assert d.kept == {"s"}
    assert d.decided("m") == "recomputed"


def test_one_sum_is_kept_instead_of_its_two_sources():
    body = (
        "%u = load double, ptr %p", "%v = load double, ptr %q", "%m = fadd double %u, %v", "%t = fmul double %m, %m",
        "store double %t, ptr %p", "store double %t, ptr %q",
    )  # fmt: skip
    d = loop("%q = getelementptr double, ptr %b, i64 %i", *body, activities="const dup dup const")
    assert d.kept == {"m"}


def test_a_division_is_not_repeated():
    d = loop("%d = fdiv double 1.0, %s", "%t = fmul double %d, %x", start="%x")
    assert "d" in d.kept
    assert len(d.kept) <= 2


def test_constants_of_the_loop_are_kept_once():
    text = """
declare double @sin(double)
define double @f(double %x, i64 %n) {
entry:
  %k = call double @sin(double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %t = fmul double %s, %k
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %t, %loop ]
  ret double %r
}"""
    d = Decisions(text, "out const")
    assert d.kept == {"k", "s"}
    assert d.kept_in_loops == {"s"}


def test_count_of_a_loop_is_kept_where_it_is_not_known_before():
    text = """
define double @f(double %x) {
entry:
  br label %loop
loop:
  %v = phi double [ %x, %entry ], [ %w, %loop ]
  %w = fmul double %v, 2.0
  %more = fcmp olt double %w, 100.0
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %w, %loop ]
  ret double %r
}"""
    assert Decisions(text, "out").kept == {"count loop"}
    assert loop("%t = fadd double %s, %x").kept == set()


DIAMOND = """
define double @f(double %x, i1 %c) {
entry:
  CONDITION
  br i1 %d, label %a, label %b
a:
  br label %join
b:
  br label %join
join:
  %m = phi double [ %x, %a ], [ 1.0, %b ]
  ret double %m
}"""


def test_conditions_are_computed_again():
    assert Decisions(DIAMOND.replace("CONDITION", "%d = fcmp ogt double %x, 0.0"), "out const").kept == set()


def test_conditions_from_calls_are_kept_as_the_edge_or_themselves():
    text = "declare i1 @ask() memory(inaccessiblemem: read)\n"
    d = Decisions(text + DIAMOND.replace("CONDITION", "%d = call i1 @ask()"), "out const")
    assert d.kept <= {"d", "edge join"}
    assert len(d.kept) == 1


def test_split_functions_keep_what_the_caller_overwrites():
    text = """
define double @f(ptr %p) {
  %v = load double, ptr %p
  %r = fmul double %v, %v
  ret double %r
}"""
    assert Decisions(text, "dup", mode=Mode.SPLIT, overwritten=(True,)).kept == {"v"}
    assert Decisions(text, "dup", mode=Mode.SPLIT, overwritten=(False,)).kept == set()


def test_nothing_is_kept_for_an_inactive_function():
    d = loop("%t = fmul double %s, %s", activities="const const const const")
    assert d.kept == set()


def test_nested_loops_recompute_both_induction_variables():
    text = """
define double @f(ptr %a, i64 %n, i64 %m) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %after ]
  %s = phi double [ 0.0, %entry ], [ %o, %after ]
  %row = mul i64 %i, %m
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %q = phi double [ %s, %outer ], [ %t, %inner ]
  %at = add i64 %row, %j
  %p = getelementptr double, ptr %a, i64 %at
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %t = fadd double %q, %w
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %m
  br i1 %j.more, label %inner, label %after
after:
  %o = phi double [ %t, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %outer, label %exit
exit:
  %r = phi double [ %o, %after ]
  ret double %r
}"""
    assert Decisions(text, "dup const const").kept == set()
