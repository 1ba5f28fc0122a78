"""Numbers that are copied as bytes, or as vectors of integers.

A byte that is read from memory that may be part of a number, and written to such memory, carries a part of that number:
in a copying loop of one's own, which LLVM made no `memcpy` of, as both memories might overlap. So do the lanes of a
vector of integers, by which code for the processor's vector instructions copies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I1, I8, IntType, VectorType

from .punning import touches_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .memory import Memory

_MOVES = (
    ir.Phi, ir.Select, ir.Freeze, ir.Cast, ir.Binary, ir.ExtractElement, ir.InsertElement, ir.ShuffleVector,
)  # fmt: skip


def is_moved_as_bytes(type_: Type) -> bool:
    vector = isinstance(type_, VectorType) and isinstance(type_.element, IntType)
    return type_ is I8 or (vector and type_.scalar is not I1)


def moves_bytes(memory: Memory, users: Mapping[Value, Sequence[ir.Instruction]], value: Value) -> bool:
    """Are these bytes of what may be a number, and go to what may be one?"""
    if isinstance(value, ir.Load) and not _may_be_of_number(memory, value.pointer, value.type):
        return False
    if not isinstance(value, (ir.Load, *_MOVES)):
        return False
    seen: set[Value] = set()
    pending: list[Value] = [value]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        for user in users.get(at, ()):
            if isinstance(user, ir.Store) and user.value is at and _may_be_of_number(memory, user.pointer, at.type):
                return True
            if isinstance(user, _MOVES):
                pending.append(user)
    return False


def _may_be_of_number(memory: Memory, pointer: Value, type_: Type) -> bool:
    place = memory.place(pointer)
    return place is not None and touches_number(memory.layout, place, memory.layout.store_size(type_))
