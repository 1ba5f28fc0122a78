"""Counts and recurrences against running the loops, exhaustively in 8 bits."""

from __future__ import annotations

import itertools
import random

import pytest

from enzyme_build.analysis import counts
from enzyme_build.analysis.cfg import control_flow, returning
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.evolution import Evolution
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.analysis.progress import Progress
from enzyme_build.ir.layout import DataLayout
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.values import ConstantInt, const_int

from .interpret import POISON, Run, Undefined, signed, width

LAYOUT = DataLayout("e-m:e-i64:64-f80:128-n8:16:32:64-S128")


def analysed(text):
    module = parse_module(text)
    function = module.function("f")
    cfg = control_flow(function)
    tree = dominators(cfg)
    forest = loop_forest(cfg, tree)
    return function, forest, Evolution(tree, forest, LAYOUT, Progress(module, function))


def number(count, run):
    def value_of(value):
        return value.value if isinstance(value, ConstantInt) else run.values[value]

    return counts.evaluate(count, value_of)


PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
STEPS = [1, -1, 2, -2, 3, -3, 4, 7, -100, 100]
FLAGS = ["", "nsw", "nuw", "nuw nsw"]


def loop_text(predicate, step, flags, tested, stays, call, bound="%b", promise=""):
    """A loop in i8; `tested`: phi or next; `stays`: on true or false; header- and latch-tested alike."""
    then, otherwise = ("again", "out") if stays else ("out", "again")
    return f"""
declare void @unknown()
define void @f(i8 %s, i8 %b) {promise} {{
entry:
  br label %loop
loop:
  %phi = phi i8 [ %s, %entry ], [ %next, %again ]
  {"call void @unknown()" if call else ""}
  %next = add {flags} i8 %phi, {step}
  %c = icmp {predicate} i8 %{tested}, {bound}
  br i1 %c, label %{then}, label %{otherwise}
again:
  br label %loop
out:
  ret void
}}
"""


def check(text, arguments, limit=600):
    """Compare count and bound with executions from all `arguments`; returns whether there was a count."""
    function, forest, evolution = analysed(text)
    loop = forest.loops[0]
    count = evolution.backedge_count(loop)
    entered = evolution.entered_count(loop)
    assert (entered is None) == (count is None)
    if count is None or entered is None:
        return False
    assert count.bits == entered.bits == 64
    for values in arguments:
        run = Run(function, values, limit)
        try:
            finished = run.run() is not None
        except Undefined:
            finished = None
        taken = sum(target is loop.header and block in loop for block, target in run.edges)
        if finished:
            assert number(count, run) == taken, (values, text)
            assert number(entered, run) == taken, (values, text)
        elif finished is None:
            if "unknown" in text.partition("define")[2]:
                # The call might have ended the program before: the iterations so far must be counted for.
                assert number(count, run) >= taken, (values, text)
        elif "mustprogress" not in text or "unknown" in text.partition("define")[2]:
            # Endless
            assert number(count, run) >= taken, (values, text)
            assert "unknown" in text.partition("define")[2] or number(count, run) >= limit // 4, (values, text)
    return True


SOME = [0, 1, 3, 100, 127, 128, 130, 255]


@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("step", STEPS)
def test_counts_of_single_loops(predicate, step):
    source = random.Random(f"{predicate} {step}")
    every = list(itertools.product(FLAGS, ["phi", "next"], [True, False], [True, False]))
    for flags, tested, stays, call in source.sample(every, 12):
        for promise in ("", "mustprogress"):
            text = loop_text(predicate, step, flags, tested, stays, call, promise=promise)
            check(text, itertools.product(SOME, SOME))


@pytest.mark.parametrize("predicate", PREDICATES)
def test_counts_with_constant_bounds(predicate):
    for step, bound, flags in itertools.product([1, -1, -3, 5], [0, 1, 100, 127, -128, -3], FLAGS):
        text = loop_text(predicate, step, flags, "next", True, False, bound=str(bound))
        check(text, [(start, 0) for start in range(0, 256, 17)])


@pytest.mark.parametrize(
    ("predicate", "step", "flags", "stays"),
    [
        ("slt", 1, "nsw", True),
        ("slt", 1, "", True),
        ("slt", 2, "nsw", True),
        ("sle", 1, "nsw", True),
        ("sgt", -1, "", True),
        ("sge", -1, "nsw", True),
        ("ult", 1, "", True),
        ("ult", 3, "nuw", True),
        ("eq", 1, "nuw nsw", False),
        ("eq", 1, "", False),
        ("eq", 3, "", False),
        ("ne", 4, "nsw", True),
        ("ne", -1, "", True),
        ("sgt", 4, "nsw", False),
    ],
)
def test_ordinary_loops_have_a_count(predicate, step, flags, stays):
    text = loop_text(predicate, step, flags, "next", stays, call=False)
    assert check(text, itertools.product(range(0, 256, 11), range(0, 256, 23)))


@pytest.mark.parametrize(
    ("predicate", "step", "flags", "call"),
    [
        # May wrap around past the bound
        ("slt", 2, "", False),
        ("ult", 2, "nsw", False),
        # Endless where the bound is the last number of the type
        ("sle", 1, "", False),
        # May never meet the bound
        ("ne", 2, "", False),
        # Undefined without the call's way out, which may come first
        ("ne", 2, "nsw", True),
        # Runs away from the bound
        ("sgt", 1, "nsw", False),
    ],
)
def test_doubtful_loops_have_none(predicate, step, flags, call):
    _, forest, evolution = analysed(loop_text(predicate, step, flags, "next", True, call))
    assert evolution.backedge_count(forest.loops[0]) is None


@pytest.mark.parametrize(("predicate", "step"), [("sle", 1), ("ne", 2), ("uge", -1), ("ne", 6)])
def test_a_loop_that_must_end_has_a_count(predicate, step):
    text = loop_text(predicate, step, "", "next", True, call=False, promise="mustprogress")
    assert check(text, itertools.product(SOME, SOME))
    text = loop_text(predicate, step, "", "next", True, call=True, promise="mustprogress")
    assert not check(text, [])


TWO_MOVING = """
declare void @unknown()
define void @f(i8 %s, i8 %b) {{
entry:
  br label %loop
loop:
  %i = phi i8 [ %s, %entry ], [ %i.next, %loop ]
  %j = phi i8 [ %b, %entry ], [ %j.next, %loop ]
  {call}
  %i.next = add {flags} i8 %i, {up}
  %j.next = add {flags} i8 %j, {down}
  %c = icmp {predicate} i8 %{left}, %{right}
  br i1 %c, label %loop, label %out
out:
  ret void
}}
"""


@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("flags", ["", "nsw", "nuw nsw"])
@pytest.mark.parametrize(("up", "down"), [(1, -1), (1, -2), (3, 1), (1, 3), (-1, 1), (2, 2)])
def test_two_moving_values(predicate, flags, up, down):
    for left, right, call in [
        ("i", "j", ""),
        ("i.next", "j.next", ""),
        ("j", "i.next", ""),
        ("i", "j", "call void @unknown()"),
    ]:
        text = TWO_MOVING.format(predicate=predicate, flags=flags, up=up, down=down, left=left, right=right, call=call)
        check(text, itertools.product(SOME, SOME))


def test_two_indices_that_meet_have_a_count():
    text = TWO_MOVING.format(predicate="slt", flags="nsw", up=1, down=-1, left="i", right="j", call="")
    assert check(text, itertools.product(SOME, SOME))


COMBINED = """
define void @f(i8 %s, i8 %b) {{
entry:
  br label %loop
loop:
  %i = phi i8 [ %s, %entry ], [ %i.next, %latch ]
  %j = phi i8 [ 0, %entry ], [ %j.next, %latch ]
  %c = icmp {first} i8 %i, %b
  %d = icmp {second} i8 %j, 20
  %both = {condition}
  br i1 %both, label %{then}, label %{otherwise}
latch:
  %i.next = add {flags} i8 %i, 1
  %j.next = add nuw nsw i8 %j, 3
  br label %loop
out:
  ret void
}}
"""


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize("flags", ["", "nsw"])
@pytest.mark.parametrize("first", ["slt", "ne", "sge", "ule"])
@pytest.mark.parametrize(
    "condition", ["select i1 %c, i1 %d, i1 false", "select i1 %c, i1 true, i1 %d", "and i1 %c, %d"]
)
def test_combined_conditions(condition, first, flags, stays):
    for second in ("ult", "sgt"):
        then, otherwise = ("latch", "out") if stays else ("out", "latch")
        text = COMBINED.format(
            first=first, second=second, condition=condition, flags=flags, then=then, otherwise=otherwise
        )
        counted = check(text, itertools.product(SOME, SOME))
        if stays and second == "ult" and first == "slt" and "true" not in condition:
            assert counted


TWO_VALUES = """
define void @f(i8 %s, i8 %b) {{
entry:
  br label %loop
loop:
  %phi = phi i8 [ {start}, %entry ], [ {other}, %loop ]
  %flag = phi i1 [ true, %entry ], [ false, %loop ]
  %c = icmp {predicate} i8 %phi, 7
  br i1 %{condition}, label %loop, label %out
out:
  ret void
}}
"""


@pytest.mark.parametrize(("start", "other"), [("3", "7"), ("7", "3"), ("%s", "7"), ("%s", "200"), ("200", "1")])
@pytest.mark.parametrize("predicate", PREDICATES)
def test_loops_of_two_values(start, other, predicate):
    text = TWO_VALUES.format(start=start, other=other, predicate=predicate, condition="c")
    counted = check(text, [(s, 0) for s in (0, 3, 7, 200)])
    assert counted or (start, other, predicate) != ("%s", "7", "ne")


def test_loop_of_a_flag():
    assert check(TWO_VALUES.format(start="0", other="0", predicate="eq", condition="flag"), [(0, 0)])


def test_joined_increments():
    text = """
define void @f(i8 %s, i8 %b) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %i.next, %latch ]
  %odd = trunc i8 %i to i1
  br i1 %odd, label %left, label %right
left:
  %i.left = add nuw nsw i8 %i, 1
  br label %latch
right:
  %i.right = add nuw nsw i8 %i, 1
  br label %latch
latch:
  %i.next = phi i8 [ %i.left, %left ], [ %i.right, %right ]
  %c = icmp slt i8 %i.next, %b
  br i1 %c, label %loop, label %out
out:
  ret void
}
"""
    assert check(text, [(0, b) for b in (0, 1, 2, 17, 127, 128, 250)])


def test_exits_to_where_nobody_returns_from_do_not_count():
    text = """
declare void @fail()
define void @f(i64 %s, i64 %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %bad = icmp ugt i64 %i, %s
  br i1 %bad, label %failed, label %latch
failed:
  call void @fail()
  unreachable
latch:
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp ult i64 %i.next, %b
  br i1 %c, label %loop, label %out
out:
  ret void
}
"""
    module = parse_module(text)
    function = module.function("f")
    cfg = control_flow(function)
    tree = dominators(cfg)
    forest = loop_forest(cfg, tree)
    loop = forest.loops[0]
    assert Evolution(tree, forest, LAYOUT).backedge_count(loop) is None
    count = Evolution(tree, forest, LAYOUT, live=returning(cfg)).backedge_count(loop)
    run = Run(function, [100, 12])
    run.run()
    assert number(count, run) == 11


CAST_LOOPS = """
define void @f(i8 %s, i16 %b) {{
entry:
  br label %loop
loop:
  %phi = phi i8 [ %s, %entry ], [ %next, %loop ]
  %next = add {flags} i8 %phi, {step}
  %wide = {cast} i8 %{tested} to i16
  %scaled = {scale} i16 %wide, {factor}
  %c = icmp {predicate} i16 %scaled, %b
  br i1 %c, label %loop, label %out
out:
  ret void
}}
"""


@pytest.mark.parametrize("seed", range(300))
def test_counts_through_casts_and_products(seed):
    source = random.Random(seed)
    text = CAST_LOOPS.format(
        flags=source.choice(FLAGS),
        step=source.choice([1, -1, 2, 3, -5]),
        cast=source.choice(["sext", "zext", "zext nneg"]),
        tested=source.choice(["phi", "next"]),
        scale=source.choice(
            ["add", "add nsw", "sub nuw nsw", "mul nsw", "mul nuw nsw", "shl nsw", "shl nuw", "or disjoint"]
        ),
        factor=source.choice([0, 1, 2, 3, 6]),
        predicate=source.choice(PREDICATES[1:]),
    )
    check(
        text,
        [
            (source.randrange(256), source.choice([0, 1, 5, 300, 65000, 32767, 32768, source.randrange(65536)]))
            for _ in range(60)
        ],
    )


POINTER_LOOP = """
define void @f(ptr %p, i64 %n) {{
entry:
  %end = getelementptr {end_flags} {type}, ptr %p, i64 %n
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = getelementptr {flags} {type}, ptr %at, i64 1
  %c = icmp eq ptr %next, %end
  br i1 %c, label %out, label %loop
out:
  ret void
}}
"""


@pytest.mark.parametrize("type_", ["i8", "double", "[3 x double]"])
@pytest.mark.parametrize("flags", ["inbounds", ""])
def test_pointer_loops(type_, flags):
    text = POINTER_LOOP.format(end_flags="inbounds", flags=flags, type=type_)
    assert check(text, [(start, n) for start in (64, 4096) for n in (1, 2, 3, 17)])


def test_pointer_loop_with_foreign_end_needs_inbounds():
    text = """
define void @f(ptr %p, ptr %end) {{
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = getelementptr {} i64, ptr %at, i64 1
  %c = icmp eq ptr %next, %end
  br i1 %c, label %out, label %loop
out:
  ret void
}}
"""
    assert check(text.format("inbounds"), [(64, 72), (64, 128), (8, 16)])
    assert not check(text.format(""), [])


NEST = """
define void @f(i64 %n, i32 %m) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %wide = zext nneg i32 %m to i64
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %ij = add i64 %i, %j
  %bytes = shl i64 %ij, 3
  %j.next = add nuw nsw i64 %j, 1
  %done = icmp eq i64 %j.next, %wide
  br i1 %done, label %outer.latch, label %inner
outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %i.next, %n
  br i1 %over, label %out, label %outer
out:
  ret void
}
"""


def test_nest():
    function, forest, evolution = analysed(NEST)
    outer, inner = forest.loops
    named = {instruction.name: instruction for instruction in function.instructions()}
    run = Run(function, [3, 4])
    run.run()
    assert number(evolution.backedge_count(outer), run) == 2
    count = evolution.backedge_count(inner)
    assert number(count, run) == 3
    # The bound is computed inside the outer loop, from an argument.
    hoisted = evolution.hoisted(count, outer)
    assert hoisted is not None
    assert set(counts.leaves(hoisted)) <= set(function.arguments)
    assert number(hoisted, run) == 3
    found = evolution.affine(named["bytes"], inner)
    assert found.step_int == 8
    assert evolution.affine(named["bytes"], outer) is None
    assert evolution.affine(named["i"], inner).step_int == 0
    assert evolution.affine(named["j"], inner).start == counts.const(0, 64)


def test_several_exits_have_a_bound_only():
    text = """
define void @f(i32 %n, i32 %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %stop = icmp eq i32 %i, %k
  br i1 %stop, label %out, label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
"""
    function, forest, evolution = analysed(text)
    loop = forest.loops[0]
    assert evolution.backedge_count(loop) is None
    bound = evolution.backedge_bound(loop)
    for n, k in [(5, 100), (5, 2), (100, 0), (-3, 7)]:
        run = Run(function, [n & 0xFFFFFFFF, k])
        run.run()
        taken = sum(target is loop.header and block in loop for block, target in run.edges)
        assert taken <= number(bound, run) <= max(n, 0)


AFFINE = """
define void @f(i8 %s, i8 %t) {{
entry:
  br label %loop
loop:
  %phi = phi i8 [ %s, %entry ], [ %next, %loop ]
  %count = phi i8 [ 0, %entry ], [ %count.next, %loop ]
  %a = {op} i8 %phi, {operand}
  %b = sext i8 %a to i16
  %w = zext i8 %phi to i16
  %d = mul i16 %b, %w
  %e = sub i16 %b, %w
  %next = add {flags} i8 %phi, {step}
  %count.next = add i8 %count, 1
  %c = icmp ne i8 %count.next, 40
  br i1 %c, label %loop, label %out
out:
  ret void
}}
"""


@pytest.mark.parametrize("seed", range(200))
def test_affine_values_are_what_the_loop_computes(seed):
    source = random.Random(seed)
    text = AFFINE.format(
        op=source.choice(
            ["add", "add nsw", "sub nuw", "mul", "mul nsw", "shl", "shl nsw", "or disjoint", "sub", "xor"]
        ),
        operand=source.choice(["1", "3", "7", "%t", "-1"]),
        flags=source.choice(FLAGS),
        step=source.choice(["1", "-1", "2", "%t", "5", "-7"]),
    )
    function, forest, evolution = analysed(text)
    loop = forest.loops[0]
    values = [i for i in loop.header.instructions if i.name in {"phi", "a", "b", "w", "d", "e", "next", "count"}]
    found = {value: evolution.affine(value, loop) for value in values}
    assert found[values[1]].step_int == 1
    turned = next(i for i in values if i.name == "a")
    if turned.op == "xor" and turned.operands[1] == const_int(turned.type, -1):
        assert found[turned] is not None
    for arguments in [(source.randrange(256), source.randrange(256)) for _ in range(20)]:
        run = Run(function, arguments, traced=True)
        run.run()
        visits = [snapshot for block, snapshot in run.trace if block is loop.header]
        for value, affine in found.items():
            if affine is None:
                continue
            bits = width(value.type)
            start, step = number(affine.start, run), number(affine.step, run)
            for k, snapshot in enumerate(visits):
                if snapshot[value] == POISON:
                    break
                assert snapshot[value] == (start + k * step) % (1 << bits), (value.name, text)
                if affine.exact_signed:
                    assert signed(snapshot[value], bits) == signed(start, bits) + k * signed(step, bits)
                if affine.exact_unsigned:
                    assert snapshot[value] == start + k * signed(step, bits)


@pytest.mark.parametrize(("before", "more", "is_affine"), [(5, 0, True), (6, 1, True), (4, 0, False), (8, 0, False)])
def test_what_a_value_was_in_the_iteration_before(before, more, is_affine):
    """It is affine where it begins with what the other one would have been one iteration earlier."""
    _, forest, evolution = analysed(f"""
define void @f(i8 %b) {{
entry:
  br label %loop
loop:
  %at = phi i8 [ {before}, %entry ], [ %kept, %loop ]
  %ahead = phi i8 [ 8, %entry ], [ %next, %loop ]
  %kept = add i8 %ahead, {more}
  %next = add i8 %ahead, 3
  %c = icmp ult i8 %ahead, %b
  br i1 %c, label %loop, label %out
out:
  ret void
}}""")
    (loop,) = forest.loops
    phi = next(iter(loop.header.phis))
    affine = evolution.affine(phi, loop)
    assert (affine is not None) == is_affine
    if affine is not None:
        assert (affine.start, affine.step) == (counts.const(before, 8), counts.const(3, 8))
