"""Calls of what an object itself says: which objects get to a method.

In the model, a call through a pointer is a choice among direct calls (see `differentiate.known_targets`). Where the
pointer was read from an object, or from a table that the object leads to, such a direct call is made only on objects
that hold that function, or a table with it, where the pointer was read: a method of one class is not called on objects
of another. Where the object lies in the memory of several, each is asked for itself (see `pointees`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.records import dataclass

from .offsets import fixed_base

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.values import Value

_DEEPEST: Final = 2
"""Loads from the object to the function: of the object, and of its table."""


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A call that is made only if `function` was read from `base`: from `offsets[0]` bytes behind it; or from
    `offsets[1]` bytes behind what is there, and so on."""

    base: Value
    offsets: tuple[int, ...]
    function: Function


def dispatched_calls(layout: DataLayout, function: Function) -> Mapping[ir.Instruction, tuple[Dispatch, ...]]:
    """The calls that are made only if the called function was read from memory; by each base that it may be counted
    from."""
    sources: dict[Block, Block | None] = {}
    for block in function.blocks:
        for successor in block.successors:
            sources[successor] = None if successor in sources else block
    found: dict[ir.Instruction, tuple[Dispatch, ...]] = {}
    for block, source in sources.items():
        tested = _tested(source, block) if source is not None else None
        if tested is None:
            continue
        ways = tuple(_ways(layout, *tested))
        found |= dict.fromkeys(
            (i for i in block.instructions if isinstance(i, ir.CallBase) and i.callee is tested[1]), ways
        )
    return found


def _tested(source: Block, block: Block) -> tuple[ir.Load, Function] | None:
    """The value that is a certain function whenever `block` is reached from `source`."""
    end = source.terminator
    if not isinstance(end, ir.Branch) or end.then is not block:
        return None
    test = end.operands[0]
    if not isinstance(test, ir.Compare) or test.predicate != "eq":
        return None
    a, b = test.operands
    if isinstance(a, Function):
        a, b = b, a
    return (a, b) if isinstance(b, Function) and isinstance(a, ir.Load) else None


def _ways(layout: DataLayout, pointer: Value, function: Function) -> list[Dispatch]:
    found: list[Dispatch] = []
    offsets: tuple[int, ...] = ()
    while isinstance(pointer, ir.Load) and len(offsets) < _DEEPEST:
        pointer, offset = fixed_base(layout, pointer.pointer)
        offsets = (offset, *offsets)
        found.append(Dispatch(pointer, offsets, function))
    return found
