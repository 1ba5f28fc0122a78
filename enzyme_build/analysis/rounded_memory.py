"""Memory in which numbers are rounded to integers, and read as numbers again.

The fraction of such a number grows with the one that was rounded (see `mantissas`), and nothing of its derivative is
left. Memory to which numbers are also written as such is a union that is used one way or the other: what is read there
as a number was written as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64
from enzyme_build.ir.values import Constant, Value

from .mantissas import fraction_grows
from .strings import TRANSFERS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .memory import Memory
    from .regions import Region

_NUMBERS = {I32: FLOAT, I64: DOUBLE}


def read_as_numbers(
    memory: Memory,
    instructions: Sequence[ir.Instruction],
    varied: Collection[Value],
    useful: Collection[Value],
) -> frozenset[Value]:
    """The numbers on which a result depends, read from where integers were written which others were rounded to."""
    rounded = {i for i in instructions if is_rounding(i) and i.operands[0] in varied}
    written = _written(memory, instructions, rounded) if rounded else frozenset()
    if not written:
        return frozenset()
    loads = (i for i in instructions if isinstance(i, ir.Load) and i.type.is_float_like and i not in varied)
    return frozenset(i for i in loads if i in useful and _region(memory, i.pointer) in written)


def is_rounding(value: Value) -> TypeGuard[ir.Cast]:
    """Is an integer made of a number here?"""
    return isinstance(value, ir.Cast) and value.op in {"fptosi", "fptoui"}


def _written(
    memory: Memory, instructions: Sequence[ir.Instruction], rounded: Collection[Value]
) -> frozenset[Region | None]:
    """The memory where such integers are stored, and no number as such."""
    stores = [i for i in instructions if isinstance(i, ir.Store) and not isinstance(i.value, Constant)]
    numbers = {_region(memory, i.pointer) for i in stores if i.value.type.is_float_like}
    written = {
        _region(memory, i.pointer)
        for i in stores
        if i.value.type in _NUMBERS and fraction_grows(i.value, _NUMBERS[i.value.type], rounded.__contains__)
    }
    copies = [
        [_region(memory, pointer) for pointer in i.arguments[:2]]
        for i in instructions
        if written
        and isinstance(i, ir.CallBase)
        and isinstance(i.callee, Function)
        and i.callee.name.startswith(TRANSFERS)
    ]
    while more := {target for target, source in copies if source in written} - written:
        written |= more
    return frozenset(written) - {None, *numbers}


def _region(memory: Memory, pointer: Value) -> Region | None:
    place = memory.place(pointer)
    return place.region.root if place is not None else None
