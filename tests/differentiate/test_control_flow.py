"""Where the reverse sweep goes after each block."""

from __future__ import annotations

from enzyme_build.differentiate.control_flow import Choice, Finish, Header, Single

from .plans import Decisions


def names(blocks):
    return [block.name for block in blocks]


DIAMOND = """
define double @f(double %x, double %k, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %u = fmul double %x, %k
  br label %join
b:
  %v = fmul double %k, 3.0
  br label %join
join:
  %m = phi double [ PHI, %a ], [ %v, %b ]
  %r = fmul double %x, %m
  ret double %r
}"""


def test_diamond():
    d = Decisions(DIAMOND.replace("PHI", "%u"), "out const const")
    assert isinstance(d.step("entry"), Finish)
    assert d.step("a") == Single(d.block("entry"))
    assert d.step("b") == Single(d.block("entry"))
    assert names(d.step("join").predecessors) == ["a", "b"]
    assert isinstance(d.step("join"), Choice)


def test_one_condition_decides():
    d = Decisions(DIAMOND.replace("PHI", "%u"), "out const const")
    condition, then, otherwise = d.prepared.reversal.deciding_condition(d.block("join"))
    assert condition is d.value("c")
    assert (then, otherwise) == (0, 1)


def test_branches_without_reverse_work_are_passed_by():
    """Neither side has an active value, only the phi's constants differ."""
    text = DIAMOND.replace("PHI", "1.0").replace("%u = fmul double %x, %k", "%u = fmul double %k, %k")
    d = Decisions(text, "out const const")
    assert d.step("join") == Single(d.block("entry"), skips=True)
    assert d.block("a") not in d.prepared.reversal.steps


def test_triangle():
    d = Decisions("""
define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %a, label %join
a:
  %u = fmul double %x, %x
  br label %join
join:
  %m = phi double [ %u, %a ], [ %x, %entry ]
  ret double %m
}""", "out const")  # fmt: skip
    _, then, otherwise = d.prepared.reversal.deciding_condition(d.block("join"))
    predecessors = names(d.step("join").predecessors)
    assert predecessors[then] == "a"
    assert predecessors[otherwise] == "entry"


LOOPS = """
define double @f(double %x, double %k, i64 %n) {
entry:
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %s = phi double [ 1.0, %entry ], [ %t, %first ]
  %t = fmul double %s, FACTOR
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %first, label %between
between:
  %r = phi double [ %t, %first ]
  br label %second
second:
  %j = phi i64 [ 0, %between ], [ %j.next, %second ]
  %u = phi double [ %x, %between ], [ %v, %second ]
  %v = fmul double %u, %r
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %second, label %exit
exit:
  %w = phi double [ %v, %second ]
  ret double %w
}"""


def test_loops_go_back_to_their_latch_or_preheader():
    d = Decisions(LOOPS.replace("FACTOR", "%x"), "out const const")
    step = d.step("second")
    assert isinstance(step, Header)
    assert step.preheader is d.block("between")
    assert step.latches == (d.block("second"),)
    assert d.step("exit") == Single(d.block("second"))
    assert isinstance(d.step("first"), Header)


def test_a_loop_without_reverse_work_is_skipped():
    d = Decisions(LOOPS.replace("FACTOR", "%k"), "out const const")
    assert d.step("between") == Single(d.block("entry"), skips=True)
    assert d.block("first") not in d.prepared.reversal.steps


def test_entering_a_loop_backward_starts_all_loops_around_it():
    text = """
define double @f(double %x, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %o, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %q = phi double [ %s, %outer ], [ %t, %inner ]
  %t = fmul double %q, %q
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %inner, label %latch
latch:
  %o = phi double [ %t, %inner ]
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %outer, label %exit
exit:
  %r = phi double [ %o, %latch ]
  ret double %r
}"""
    d = Decisions(text, "out const")
    reversal = d.prepared.reversal
    headers = [loop.header.name for loop in reversal.entered_loops(d.block("exit"), d.block("latch"))]
    assert headers == ["outer"]
    assert [loop.header.name for loop in reversal.entered_loops(d.block("latch"), d.block("inner"))] == ["inner"]
    both = [loop.header.name for loop in reversal.entered_loops(d.block("exit"), d.block("inner"))]
    assert both == ["outer", "inner"]
    assert reversal.entered_loops(d.block("inner"), d.block("outer")) == []


def test_blocks_that_end_the_program_have_no_reverse():
    d = Decisions("""
declare void @abort() noreturn
define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %bad, label %good
bad:
  call void @abort()
  unreachable
good:
  %r = fmul double %x, %x
  ret double %r
}""", "out const")  # fmt: skip
    assert d.step("good") == Single(d.block("entry"))
    assert d.block("bad") not in d.prepared.reversal.steps


def test_a_cycle_with_two_ways_in_is_a_loop_with_one_header():
    d = Decisions("""
define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %u = phi double [ %x, %entry ], [ %w, %b ]
  %v = fmul double %u, %u
  br label %b
b:
  %w = phi double [ %x, %entry ], [ %v, %a ]
  %more = fcmp olt double %w, 9.0
  br i1 %more, label %a, label %exit
exit:
  ret double %w
}""", "out const")  # fmt: skip
    headers = [step for step in d.prepared.reversal.steps.values() if isinstance(step, Header)]
    assert len(headers) == 1
    assert not d.prepared.reversal.loops.irreducible
