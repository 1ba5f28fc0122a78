"""Snapshots: which arrays may be copied before which loop."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.aliasing import Aliasing
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.evolution import Evolution
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.analysis.progress import Progress
from enzyme_build.analysis.readings import Readings
from enzyme_build.analysis.snapshots import Snapshots

from .models import Model

PROGRAM = """
declare noalias ptr @malloc(i64)
declare noalias ptr @realloc(ptr, i64)
declare void @free(ptr)
define void @f(ptr %out, i64 %n, i64 %m) {{
entry:
  %bytes = mul nuw nsw i64 %n, 8
  {taken}
  br label %step
step:
  %s = phi i64 [ 0, %entry ], [ %s1, %stepped ]
  {before}
  br label %outer
outer:
  %i = phi i64 [ 0, %step ], [ %i1, %outer.next ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j1, %inner ]
  %p = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %p
  {inside}
  %j1 = add nuw nsw i64 %j, 1
  %jc = icmp slt i64 %j1, %n
  br i1 %jc, label %inner, label %outer.next
outer.next:
  {between}
  %i1 = add nuw nsw i64 %i, 1
  %ic = icmp slt i64 %i1, %n
  br i1 %ic, label %outer, label %stepped
stepped:
  {after}
  %s1 = add nuw nsw i64 %s, 1
  %sc = icmp slt i64 %s1, %m
  br i1 %sc, label %step, label %end
end:
  ret void
}}
"""
MALLOC = "%a = call noalias ptr @malloc(i64 %bytes)"
WRITE = "store double 1.0, ptr %a"


def snapshots_of(text):
    model = Model(text)
    tree = dominators(model.cfg)
    forest = loop_forest(model.cfg, tree)
    evolution = Evolution(tree, forest, model.module.layout, Progress(model.module, model.function))
    readings = Readings(evolution, forest, model.cfg, tree, model.module.layout)
    aliasing = Aliasing(model.memory, model.cfg, split=False)
    return model, Snapshots(model.memory, aliasing, forest, readings, tree)


def snapshot(**parts):
    texts = {"taken": MALLOC, "before": "", "inside": "", "between": "", "after": WRITE} | parts
    model, snapshots = snapshots_of(PROGRAM.format(**texts))
    found = snapshots.of(model["v"])
    return None if found is None else (found.name, snapshots.weight(found, 10))


def test_before_the_outermost_loop_that_does_not_write():
    assert snapshot() == ("a before outer", 8 * 10)
    assert snapshot(between=WRITE) == ("a before inner", 8 * 10)
    assert snapshot(inside=WRITE) is None


def test_other_memory_of_known_size():
    assert snapshot(taken="%a = alloca [7 x double]") == ("a before outer", 7 * 8)
    assert snapshot(taken="", before=MALLOC) == ("a before outer", 8 * 10)


@pytest.mark.parametrize(
    "taken",
    [
        "%a = getelementptr inbounds double, ptr %out, i64 1",
        "%b = call ptr @malloc(i64 %bytes)\n  %a = call ptr @realloc(ptr %b, i64 %bytes)",
    ],
)
def test_memory_whose_extent_nobody_knows(taken):
    assert snapshot(taken=taken) is None


def test_memory_that_is_given_back():
    free = "call void @free(ptr %a)"
    # Freed at the end of a step, when the next one begins: the loop reads nothing then.
    assert snapshot(after=f"{WRITE}\n  {free}") is None
    # Fresh memory in each step.
    assert snapshot(taken="", before=MALLOC, after=free) == ("a before outer", 8 * 10)


TWO_LOOPS = """
declare noalias ptr @malloc(i64)
declare void @free(ptr)
define void @f(ptr %out, i64 %n, i64 %m, i1 %c) {{
entry:
  %bytes = mul nuw nsw i64 %n, 8
  %b = call noalias ptr @malloc(i64 %bytes)
  {taken}
  br label %step
step:
  %s = phi i64 [ 0, %entry ], [ %s1, %behind ]
  {before}
  br {way}
early:
  br label %one
one:
  %i = phi i64 [ 0, %early ], [ %i1, %one ]
  %p = getelementptr inbounds double, ptr {first}, i64 %i
  %u = load double, ptr %p
  {inside}
  %i1 = add nuw nsw i64 %i, 1
  %ic = icmp slt i64 %i1, %n
  br i1 %ic, label %one, label %between
between:
  {between}
  br label %two
two:
  %j = phi i64 [ 0, %between ], [ %j1, %two ]
  %q = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %q
  %j1 = add nuw nsw i64 %j, 1
  %jc = icmp slt i64 %j1, %n
  br i1 %jc, label %two, label %behind
behind:
  {after}
  %s1 = add nuw nsw i64 %s, 1
  %sc = icmp slt i64 %s1, %m
  br i1 %sc, label %step, label %end
end:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("parts", "loop"),
    [
        ({}, "one"),
        ({"before": WRITE, "after": ""}, "one"),
        ({"before": MALLOC, "taken": "", "after": f"{WRITE}\n  call void @free(ptr %a)"}, "one"),
        ({"between": "store double 1.0, ptr %b"}, "one"),
        ({"between": WRITE}, "two"),
        ({"inside": WRITE}, "two"),
        ({"first": "%b"}, "two"),  # what is read in front of it is another array
        ({"way": "i1 %c, label %early, label %between"}, "two"),  # it is not always there
        ({"between": MALLOC, "taken": "", "first": "%b"}, "two"),
    ],
)
def test_a_copy_for_several_loops(parts, loop):
    texts = {"taken": MALLOC, "before": "", "inside": "", "between": "", "after": WRITE, "first": "%a"} | parts
    texts.setdefault("way", "label %early")
    model, snapshots = snapshots_of(TWO_LOOPS.format(**texts))
    assert snapshots.of(model["v"]).name == f"a before {loop}"
    if texts["first"] == "%a":
        assert getattr(snapshots.of(model["u"]), "name", "a before one") == "a before one"
