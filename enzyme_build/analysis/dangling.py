"""Pointers that are one object or point nowhere: what `Vec` holds, whose empty ones have no memory but an address.

Where such a pointer is accessed it is the object: an access through one of the constants would be undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import ConstantExpression, ConstantInt, NullPointer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.values import Value

_FIRST_PAGE: Final = 4096
"""Bytes in which no object lies. Rust's dangling pointers are numbers as small as the alignment of what they are of."""


def points_nowhere(value: Value) -> bool:
    """Is this a constant address where no object is?"""
    if isinstance(value, NullPointer):
        return True
    if not isinstance(value, ConstantExpression) or value.op != "inttoptr":
        return False
    number = value.operands[0]
    return isinstance(number, ConstantInt) and 0 <= number.value < _FIRST_PAGE


def object_of(pointer: Value) -> Value:
    """What an address was computed from, where it may be accessed: the object itself, if that can be only one."""
    found: set[Value] = set()
    phis: list[ir.Phi] = []
    pending, seen = [pointer], {pointer}
    while pending:
        value = pending.pop()
        match value:
            case ir.GetElementPtr():
                ways: Sequence[Value] = value.operands[:1]
            case ir.Phi():
                phis.append(value)
                ways = value.operands
            case ir.Select():
                ways = value.operands[1:]
            case _:
                if not points_nowhere(value):
                    found.add(value)
                continue
        fresh = [way for way in dict.fromkeys(ways) if way not in seen]
        seen.update(fresh)
        pending += fresh
    if len(found) == 1:
        (made,) = found
        if not isinstance(made, ir.Instruction) or all(_comes_first(made, phi) for phi in phis):
            return made
    while isinstance(pointer, ir.GetElementPtr):
        pointer = pointer.operands[0]
    return pointer


def _comes_first(made: ir.Instruction, phi: ir.Phi) -> bool:
    """Is the object one of the same iteration, and not that of the iteration before? Then there is a way to it that
    does not pass the phi."""
    assert made.block is not None
    assert made.block.function is not None
    if made.block is phi.block:
        return False
    pending = [made.block.function.entry]
    seen = {phi.block, *pending}
    while pending:
        block = pending.pop()
        if block is made.block:
            return True
        fresh = [after for after in dict.fromkeys(block.successors) if after not in seen]
        seen.update(fresh)
        pending += fresh
    return False
