"""Of which loops LLVM is told that their iterations touch different adjoints."""

from __future__ import annotations

import pytest

from enzyme_build.ir.instructions import Load, Store

from .plans import Decisions

# Two rows of an array, side by side, of which each element is read and one also written.
LOOP = """
define double @f(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n, i32 %m, i32 %r) {{
entry:
  %width = sext i32 %n to i64
  %row = sext i32 %r to i64
  %start = mul nsw i64 %row, %width
  %low = getelementptr inbounds double, ptr %x, i64 %start
  %high = getelementptr inbounds double, ptr %low, i64 {distance}
  %some = icmp sgt i32 {count}, 0
  br i1 %some, label %before, label %exit
before:
  %end = zext nneg i32 {count} to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %low, i64 %i
  %q = getelementptr inbounds double, ptr %high, i64 {index}
  %a = load double, ptr %p
  %b = load double, ptr {second}
  %ab = fmul double %a, %b
  {more}
  store double %ab, ptr {target}
  %next = add nuw nsw i64 %i, 1
  %on = icmp slt i64 %next, {end}
  br i1 %on, label %loop, label %done
done:
  br label %exit
exit:
  %result = load double, ptr %y
  ret double %result
}}"""
USUAL = {
    "distance": "%width", "count": "%n", "end": "%end", "index": "%i", "second": "%q", "target": "%q", "more": "",
}  # fmt: skip
ACTIVITIES = "dup dup dup const const const"
FIRST = "%first = getelementptr inbounds double, ptr %z, i64 %i\n  store double %ab, ptr %first\n  "
NEXT = "%second = getelementptr inbounds i8, ptr %first, i64 8\n  store double %a, ptr %second\n  "


PAIRS = LOOP.replace("inbounds double, ptr %low", "inbounds {{ double, double }}, ptr %low").replace(
    "inbounds double, ptr %high", "inbounds {{ double, double }}, ptr %high"
)
"""The same of the first of each two elements."""


def groups(activities: str = ACTIVITIES, width: int = 1, loop: str = LOOP, **parts: str) -> list[bool]:
    """Of the accesses in the loop's reverse: are they in a group that LLVM is told of?"""
    d = Decisions(loop.format(**USUAL | parts), activities, width=width)
    function = d.engine.combined(d.request).function
    assert not d.engine.findings
    blocks = [block for block in function.blocks if (block.name or "").startswith(("loop.reverse", "loop.again"))]
    accesses = [i for b in blocks for i in b.instructions if isinstance(i, Load | Store) and "!alias" in i.metadata]
    found = ["!llvm.access.group" in i.metadata for i in accesses]
    assert any(found) is any("!llvm.loop" in block.terminator.metadata for block in blocks)
    return found


def marked(activities: str = ACTIVITIES, width: int = 1, loop: str = LOOP, **parts: str) -> bool:
    return any(groups(activities, width, loop, **parts))


@pytest.mark.parametrize("parts", [{}, {"distance": "0"}, {"more": FIRST}])
def test_rows_of_a_width_that_is_computed(parts: dict[str, str]) -> None:
    assert marked(**parts)


def test_elements_with_gaps_are_apart_in_each_iteration_too() -> None:
    other = {"more": "%first = getelementptr inbounds double, ptr %z, i64 %i\n", "target": "%first"}
    assert marked(loop=PAIRS, **other)
    assert not marked(loop=PAIRS, distance="0", **other)  # LLVM would take their order for free
    assert not marked(loop=PAIRS)  # one element is read and then written


def test_promises_say_nothing_of_what_is_only_read() -> None:
    arrays = LOOP.replace("inbounds double, ptr %high", "inbounds double, ptr %y")
    assert not marked(loop=arrays, target="%first", more=FIRST.split("  store", maxsplit=1)[0])
    assert marked(loop=arrays)  # one is written


def test_what_goes_to_one_place_is_not_marked() -> None:
    found = groups(second="%z")
    assert found.count(False) == 2  # it is read, and added to
    assert all(groups())


@pytest.mark.parametrize(("rounds", "kept"), [("8", True), ("16", True), ("3", False), ("100", False), ("%end", False)])
def test_loops_over_lanes_are_vectors_before_they_are_unrolled(rounds: str, kept: bool) -> None:  # noqa: FBT001
    d = Decisions(
        LOOP.format(**USUAL | {"distance": "%width" if rounds == "%end" else rounds, "end": rounds}), ACTIVITIES
    )
    function = d.engine.combined(d.request).function
    loops = [i.metadata for i in function.instructions() if "!llvm.loop" in i.metadata]
    assert len(loops) == 1
    node = d.module.metadata_node(loops[0].split()[-1])
    told = {d.module.metadata_node(operand).operands[0] for operand in node.operands[1:]}
    assert '!"llvm.loop.parallel_accesses"' in told
    assert ('!"llvm.loop.unroll.count"' in told) is kept


def test_lanes_are_told_of_nothing() -> None:
    assert not marked(width=2)


@pytest.mark.parametrize(
    "parts",
    [
        {"distance": "1"},  # neighbours
        {"count": "%m"},  # rows may be longer than they are apart
        {"index": "0"},  # one element takes all
        {"second": "%p", "target": "%p"},  # one array: LLVM sees that itself
        {"second": "%y", "target": "%y"},  # a sum in one place beside one array
        {"more": FIRST + NEXT},
    ],
)
def test_adjoints_that_may_meet(parts: dict[str, str]) -> None:
    assert not marked(**parts)


def test_memory_without_derivative_is_only_read() -> None:
    other = "%other = getelementptr inbounds double, ptr %z, i64 %i\n  %c = load double, ptr %other"
    constant = ACTIVITIES.replace("dup dup dup", "dup dup const")
    assert marked(constant, more=other)
