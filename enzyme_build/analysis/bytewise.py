"""Numbers that are copied byte by byte.

A byte that is read from memory that may be part of a number, and written to such memory, carries a part of that number:
in a copying loop of one's own, which LLVM made no `memcpy` of, as both memories might overlap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir

from .punning import touches_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.values import Value

    from .memory import Memory

_MOVES = (ir.Phi, ir.Select, ir.Freeze, ir.Cast, ir.Binary)


def moves_byte(memory: Memory, users: Mapping[Value, Sequence[ir.Instruction]], load: ir.Load) -> bool:
    """Is this a byte of what may be a number, and goes to what may be one?"""
    if not _may_be_of_number(memory, load.pointer):
        return False
    seen: set[Value] = set()
    pending: list[Value] = [load]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        for user in users.get(at, ()):
            if isinstance(user, ir.Store) and user.value is at and _may_be_of_number(memory, user.pointer):
                return True
            if isinstance(user, _MOVES):
                pending.append(user)
    return False


def _may_be_of_number(memory: Memory, pointer: Value) -> bool:
    place = memory.place(pointer)
    return place is not None and touches_number(memory.layout, place, 1)
