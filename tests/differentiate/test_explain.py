"""The plan in words: it says what the plan decided, and the reason that decided it."""

from __future__ import annotations

import json

import pytest

from enzyme_build.analysis.request import Mode
from enzyme_build.differentiate.explain import explained
from enzyme_build.differentiate.named_numbers import combined, sum_text
from enzyme_build.differentiate.report import How, Storage, What, Why, plan_from_json, to_json

from .plans import Decisions
from .test_tape import LOOP, loop


def plan(decisions: Decisions):
    return explained(decisions.engine, decisions.prepared)


def only(items):
    (item,) = items
    return item


def test_what_is_overwritten_names_the_array():
    d = loop("%v = load double, ptr %p", "%t = fmul double %v, %v", "store double %t, ptr %p")
    kept = only(plan(d).kept)
    assert (kept.what, kept.name, kept.bytes, kept.loop, kept.why) == (What.VALUE, "a[…]", 8, 0, Why.OVERWRITTEN)
    assert kept.reason == "a is written later, before the reverse sweep reads it"
    assert [need.text for need in kept.needs] == ["the slope of the product"]


def test_what_may_be_the_same_memory_names_both():
    body = ("%v = load double, ptr %p", "%t = fmul double %v, %v", "%q = getelementptr double, ptr %b, i64 %i",
            "store double 1.0, ptr %q")  # fmt: skip
    assert only(plan(loop(*body, noalias="")).kept).reason == "b that is written may be the same as a"


def test_what_is_read_again_says_why():
    d = loop("%v = load double, ptr %p", "%w = fmul double %v, %v", "%t = fadd double %s, %w")
    found = plan(d)
    assert found.kept == ()
    assert [(one.how, one.name, one.reason) for one in found.again] == [(How.READ, "a[…]", "nothing overwrites it")]


def test_what_other_iterations_write_does_no_harm():
    d = loop(
        "%here = getelementptr inbounds double, ptr %a, i64 %i", "%v = load double, ptr %here",
        "%after = add nuw nsw i64 %i, 1", "%there = getelementptr inbounds double, ptr %a, i64 %after",
        "store double 1.0, ptr %there", "%w = fmul double %v, %v", "%t = fadd double %s, %w",
    )  # fmt: skip
    assert [one.reason for one in plan(d).again] == ["what is written later is elsewhere"]


@pytest.mark.parametrize(
    ("body", "start", "name", "reason"),
    [
        (["%t = fmul double %s, %s"], "%x", "a value of the iteration before", "each iteration makes it"),
        (["%e = call double @exp(double %s)", "%t = fadd double %e, %x"], "0.0", "the result of exp", "exp costs more"),
        (["%d = fdiv double %s, %x", "%t = fmul double %d, %d"], "%x", "the quotient", "the quotient costs more"),
    ],
)
def test_dear_and_stepwise_values(body, start, name, reason):
    kept = next(one for one in plan(loop(*body, start=start)).kept if one.name == name)
    assert kept.reason.startswith(reason)


def test_a_result_may_be_its_own_slope():
    d = loop("%e = call double @exp(double %s)", "%t = fadd double %e, %x")
    assert [need.text for need in only(plan(d).kept).needs] == ["the slope of exp (from its result)"]


def test_one_number_is_kept_instead_of_two():
    d = loop(
        "%v = load double, ptr %p", "%q = getelementptr double, ptr %b, i64 %i", "%u = load double, ptr %q",
        "%m = fsub double %v, %u", "%t = fmul double %m, %m", "store double 1.0, ptr %p", "store double 1.0, ptr %q",
    )  # fmt: skip
    kept = only(plan(d).kept)
    assert (kept.name, kept.why) == ("the difference", Why.LESS)
    assert kept.reason == "otherwise a[…], b[…] would have to be kept"


def test_bytes_are_those_of_the_slots():
    d = loop(
        "%v = load double, ptr %p", "%t = fmul double %v, %v", "store double %t, ptr %p", "%c = fcmp ogt double %t, 1.0"
    )
    found = plan(d)
    slots = d.plan.slots.values()
    assert sum(kept.bytes for kept in found.kept) == sum(d.context.layout.alloc_size(slot.type) for slot in slots) == 8
    assert only(found.loops).bytes == 8


def test_one_array_of_exactly_that_size():
    found = only(plan(loop("%t = fmul double %s, %s", start="%x")).loops)
    assert (found.iterations, found.until, found.storage, found.why) == ("max(n, 1)", None, Storage.EXACT, "")


def test_a_few_iterations_lie_on_the_stack():
    text = LOOP.format(body="%t = fmul double %s, %s", start="%x", noalias="").replace("%next, %n", "%next, 16")
    assert only(plan(Decisions(text, "out dup const const")).loops).storage is Storage.STACK


def test_a_loop_without_a_count():
    text = LOOP.format(body="%t = fmul double %s, %s", start="%x", noalias="").replace(
        "icmp ult i64 %next, %n", "fcmp olt double %t, 1.0"
    )
    found = plan(Decisions(text, "out dup const const"))
    assert (only(found.loops).storage, only(found.loops).iterations) == (Storage.GROWING, None)
    assert Why.COUNT in {kept.why for kept in found.kept}


NEST = """
define double @f(double %x, i64 %n, i64 %m, ptr %b) {
entry:
  %some = icmp ugt i64 %n, 0
  br label %outer
outer:
  %t = phi i64 [ 0, %entry ], [ %t.next, %end ]
  %u = phi double [ %x, %entry ], [ %w, %end ]
  CONDITION
  br i1 %enter, label %before, label %end
before:
  br label %inner
inner:
  %i = phi i64 [ 0, %before ], [ %i.next, %inner ]
  %s = phi double [ %u, %before ], [ %v, %inner ]
  %v = fmul double %s, %s
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %inner, label %end
end:
  %w = phi double [ %u, %outer ], [ %v, %inner ]
  %t.next = add nuw nsw i64 %t, 1
  %again = icmp ult i64 %t.next, %m
  br i1 %again, label %outer, label %exit
exit:
  ret double %w
}"""


def nest(condition):
    text = NEST.replace("CONDITION", condition)
    text = text if condition else text.replace("%enter", "%some")
    return plan(Decisions(text, "out const const const")).loops[1]


def test_loops_that_are_entered_always_or_never():
    found = nest("%enter = load i1, ptr %b")
    assert (found.storage, found.why) == (Storage.ENTRY, "some iterations of the loop around it may not enter it")
    assert nest("").storage is Storage.EXACT


def test_the_caller_may_change_memory_between_the_passes():
    body = ("%v = load double, ptr %p", "%w = fmul double %v, %v", "%t = fadd double %s, %w")
    d = loop(*body, mode=Mode.SPLIT, overwritten=(False, True, True, False))
    assert {kept.reason for kept in plan(d).kept if kept.why is Why.OVERWRITTEN} == {
        "a may be changed between the two passes"
    }


def test_lanes_share_what_is_kept():
    body = ("%v = load double, ptr %p", "%t = fmul double %v, %v", "store double %t, ptr %p")
    one, four = plan(loop(*body)), plan(loop(*body, width=4))
    assert four.mode == "reverse mode, 4 directions"
    assert [kept.bytes for kept in four.kept] == [kept.bytes for kept in one.kept]


def test_activity_counts_operations():
    found = plan(loop("%c = fmul double 2.0, 3.0", "%d = fadd double %c, %c", "%t = fmul double %s, %x"))
    (work,) = found.work
    assert (work.place, work.active, work.constant) == ((), 1, 2)


def test_plans_survive_json():
    body = ("%v = load double, ptr %p", "%t = fmul double %v, %v", "store double %t, ptr %p")
    found = plan(loop(*body))
    assert plan_from_json(json.loads(json.dumps(to_json(found)))) == found


# Numbers ------------------------------------------------------------------------------------------------------------

N, ONE = {"n": 1}, {"": 1}


@pytest.mark.parametrize(
    ("operator", "a", "b", "text"),
    [
        ("add", N, ONE, "n + 1"),
        ("sub", N, ONE, "n - 1"),
        ("sub", ONE, N, "1 - n"),
        ("sub", N, N, "0"),
        ("mul", {"n": 2, "": 1}, {"": 3}, "6*n + 3"),
        ("mul", {"n": 1, "": -1}, {"m": 1}, "(n - 1)*m"),
        ("udiv", {"n": 8, "": -16}, {"": 8}, "n - 2"),
        ("udiv", {"n": 1, "": 7}, {"": 8}, "(n + 7)//8"),
        ("smax", {"&1": 1, "n": 8}, {"&1": 1, "": 8}, None),
        ("smax", {"n": 8}, {"": 16}, "8*max(n, 2)"),
        ("smin", {"": 3}, {"": 5}, "3"),
        ("umax", {"max(n, 1)": 1}, ONE, "max(n, 1)"),
    ],
)
def test_sums(operator, a, b, text):
    assert sum_text(combined(operator, a, b)) == text


def test_addresses_fall_out_of_differences():
    end = combined("smax", {"&1": 1, "n": 8}, {"&1": 1, "": 8})
    assert sum_text(combined("udiv", combined("sub", end, {"&1": 1}), {"": 8})) == "max(n, 1)"
