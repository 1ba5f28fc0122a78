"""Loops whose steps are checkpointed: what becomes of them, what a snapshot holds, and what is said about it."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.explain import explained
from enzyme_build.ir import instructions as ir

from .plans import Decisions

# A loop over i < n between arrays of 64 bytes, with a number that goes from step to step.
LOOP = """
declare void @__enzyme_checkpoint(i64)
declare void @__enzyme_checkpoint_memory(ptr, i64)
declare i32 @rand()
define double @f(double %x, i64 %n, ptr %given) {{
entry:
  %u = alloca [8 x double]
  %v = alloca [8 x double]
  %w = alloca [8 x double]
  store double %x, ptr %u
  br label %head

head:
  %i = phi i64 [ 0, %entry ], [ %next, %head ]
  %s = phi double [ 1.0, %entry ], [ %t, %head ]
  call void @__enzyme_checkpoint(i64 3)
  {body}
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %head, label %done

done:
  %t.last = phi double [ %t, %head ]
  %u.last = load double, ptr %u
  %v.last = load double, ptr %v
  %a = fmul double %t.last, %u.last
  %r = fmul double %a, %v.last
  ret double %r
}}
"""
STEP = (
    "%old = load double, ptr %u",
    "%q = fmul double %old, %s",
    "store double %q, ptr %u",
    "%to = getelementptr inbounds double, ptr %v, i64 %i",
    "store double %q, ptr %to",
    "%t = fadd double %q, %s",
)


def loop(*body: str) -> Decisions:
    return Decisions(LOOP.format(body="\n  ".join(body)), "out const dup")


def made(decisions: Decisions):
    (found,) = set(decisions.engine.program.checkpoints.values())
    return found


def names(found, extents):
    """What the host calls the memory."""
    (call,) = (i for i in found.host.instructions() if isinstance(i, ir.Call) and i.callee is found.loop)
    return [call.arguments[base.index].name for base, _ in extents]


def refused(decisions: Decisions) -> str:
    (finding,) = decisions.engine.findings
    return f"{finding.code}: {finding.message}".removesuffix(" (in function 'f')")


def test_snapshots_hold_what_steps_read_and_write():
    found = made(loop(*STEP))
    assert names(found, found.state.changing) == ["u", "carried.1"]
    assert names(found, found.state.constant) == []


def test_what_steps_only_write_is_no_part_of_them():
    found = made(loop(*STEP))
    assert names(found, found.state.results) == ["v", "carried.0"]


def test_the_host_keeps_where_they_are():
    d = loop(*STEP)
    (kept,) = (k for k in explained(d.engine, d.prepared).kept if "snapshots" in k.name)
    assert kept.name == "where the snapshots of the checkpointed loop are"
    assert kept.reason == "each snapshot holds u, 1 of the numbers that steps hand on; steps are run again from there"


def test_a_counter_stays_in_a_register():
    found = made(loop(*STEP))
    assert [phi.name for phi in found.phis] == ["i"]
    assert found.condition is not None


def test_the_end_may_depend_on_what_steps_compute():
    text = LOOP.replace("%more = icmp slt i64 %next, %n", "%more = fcmp olt double %t, 9.0")
    found = made(Decisions(text.format(body="\n  ".join(STEP)), "out const dup"))
    assert found.condition is None
    assert found.code is not None


def test_memory_of_unknown_size_is_refused():
    told = refused(
        loop(*STEP[:3], "%g = load double, ptr %given", "store double %q, ptr %given", "%t = fadd double %g, %s")
    )
    assert told.startswith("E0360: cannot checkpoint this loop: the memory behind 'given' is changed by its steps")


def test_memory_may_be_told():
    body = ("call void @__enzyme_checkpoint_memory(ptr %given, i64 8)", *STEP[:3], "%g = load double, ptr %given",
            "store double %q, ptr %given", "%t = fadd double %g, %s")  # fmt: skip
    found = made(loop(*body))
    assert names(found, found.state.changing) == ["given", "u", "carried.1"]


def test_memory_that_is_only_read_needs_no_size():
    found = made(loop(*STEP[:3], "%g = load double, ptr %given", "%t = fadd double %g, %s"))
    assert names(found, found.state.changing) == ["u", "carried.1"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("%k = call i32 @rand()", "calls 'rand', which may do something else the second time"),
        ("store volatile i64 %i, ptr %w", "accesses volatile or atomic memory"),
        ("store ptr %u, ptr %w", "leaves pointers in memory"),
        ("call void %given()", "runs inline assembly, or a function that is only known at run time"),
    ],
)
def test_what_must_not_happen_twice_is_refused(more, said):
    assert refused(loop(more, *STEP)) == f"E0361: a step of a checkpointed loop is run several times, and {said}"


def test_one_loop_for_all_derivatives_of_a_round():
    """Derivatives that are differentiated again keep every step."""
    d = Decisions(LOOP.format(body="\n  ".join(STEP)), "out const dup", reusable=True)
    assert made(d).state is None
