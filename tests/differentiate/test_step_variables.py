"""Which variables of a loop's body are one iteration's own."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.flow import Flow
from enzyme_build.differentiate.step_variables import take_variables
from enzyme_build.ir.parser import parse_module

LOOP = """
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @use(ptr)
declare void @use_part(ptr)
define void @f(i64 %n, i1 %c) {{
entry:
  %v = alloca {{ ptr, i64 }}
  %part = getelementptr inbounds i8, ptr %v, i64 8
  {before}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  {first}
  br i1 %c, label %one, label %latch
one:
  {one}
  br label %latch
latch:
  {last}
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  {behind}
  ret void
}}"""
START = "call void @llvm.lifetime.start.p0(ptr %v)"
END = "call void @llvm.lifetime.end.p0(ptr %v)"
USE = "call void @use(ptr %v)"
PART = "call void @use_part(ptr %part)"
USUAL = {"before": "", "first": START, "one": USE, "last": "", "behind": ""}


def taken(**parts: str) -> tuple[list[str | None], set[str | None]]:
    """The variables, and the blocks where they are used."""
    module = parse_module(LOOP.format(**USUAL | parts))
    function = module.function("f")
    flow = Flow(module, function)
    (loop,) = flow.loops.loops
    found = take_variables(flow, loop)
    return [v.name for v in found], {
        i.block.name for i in function.instructions() if not set(i.operands).isdisjoint(found)
    }


@pytest.mark.parametrize(
    ("parts", "own"),
    [
        ({}, True),
        ({"last": END}, True),
        ({"one": PART}, True),
        ({"first": "", "one": USE}, False),  # what the iteration before left may be read
        ({"first": "", "one": f"{START}\n  {USE}"}, True),
        ({"first": f"{PART}\n  {START}"}, False),
        ({"first": "", "last": f"{USE}\n  {START}"}, False),
        ({"first": "", "one": START, "last": USE}, False),  # it begins to live at times
        ({"before": START, "first": USE}, False),
        ({"behind": USE}, False),  # what the last iteration left is read
        ({"behind": PART}, False),
        ({"last": END, "behind": f"{START}\n  {PART}"}, True),  # used again for something else
        ({"last": END, "before": USE}, True),
        ({"one": f"{USE}\n  {END}", "behind": USE}, False),  # it ends at times
    ],
)
def test_own_variables(parts: dict[str, str], own: bool) -> None:  # noqa: FBT001
    found, where = taken(**parts)
    assert found == (["v"] if own else [])
    assert where <= {"loop", "one", "latch"}


def test_another_use_keeps_its_own_memory() -> None:
    found, where = taken(last=END, one=PART, behind=f"{START}\n  {PART}")
    assert found == ["v"]
    assert where == {"loop", "latch"}  # the address of the part is computed in the loop
