"""What addresses are computed from.

A pointer may be one object or point nowhere: what `Vec` holds, whose empty ones have no memory but an address. Where it
is accessed it is the object: an access through one of the constants would be undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import ConstantExpression, ConstantInt, NullPointer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from enzyme_build.ir.values import Value

    from .dominators import DominatorTree

ADDRESS_ARITHMETIC: Final = frozenset(("add", "sub", "and", "or", "xor"))
"""What moves an address that is kept in an integer, aligns it, or puts a tag on it."""
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


def base_of(pointer: Value) -> Value:
    """The pointer that an address in the same object was computed from."""
    while isinstance(pointer, ir.GetElementPtr):
        pointer = pointer.operands[0]
    return pointer


def _no_further(value: Value) -> Sequence[Value] | None:
    del value
    return None


def bases_among(pointer: Value, further: Callable[[Value], Sequence[Value] | None] = _no_further) -> list[Value]:
    """The bases of all that a pointer may be, by choice. `further` has what else a value may come from: none, where it
    is to be left as it is."""
    found: dict[Value, None] = {}
    seen: set[Value] = set()
    pending = [pointer]
    while pending:
        value = base_of(pending.pop())
        if value in seen:
            continue
        seen.add(value)
        sources = further(value)
        among = ir.merged(value) if sources is None else sources
        pending += among
        if not among and not points_nowhere(value):
            found[value] = None
    return list(found)


def object_of(dominators: DominatorTree, pointer: Value) -> Value:
    """The same, where the address may be accessed: the object itself, if that can be only one, and not that of the
    iteration before."""
    found: set[Value] = set()
    phis: list[ir.Phi] = []
    pending = [pointer]
    seen: set[Value] = set()
    while pending:
        value = base_of(pending.pop())
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, ir.Phi | ir.Select):
            phis += [value] if isinstance(value, ir.Phi) else []
            pending += ir.merged(value)
        elif not points_nowhere(value):
            found.add(value)
    if len(found) != 1:
        return base_of(pointer)
    (made,) = found
    if isinstance(made, ir.Instruction) and any(_is_before(dominators, phi, made) for phi in phis):
        return base_of(pointer)
    return made


def _is_before(dominators: DominatorTree, phi: ir.Phi, made: ir.Instruction) -> bool:
    """Does each way to the object pass the phi, which then has that of the last time? Dead code is not asked about."""
    blocks = (phi.block, made.block)
    return not all(block in dominators.idom for block in blocks) or dominators.dominates(*blocks)
