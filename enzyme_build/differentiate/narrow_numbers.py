"""Numbers smaller than a pointer, moved as integers where at other times a pointer lies, are moved as numbers.

A `std::function` keeps what a lambda captured in the room in which it hands out pointers, too: a `float` that the
optimiser moves there as an `i32` meets memory of pointers. Four bytes are no pointer, so they are the number; where
they are an integer at other times, its shadow is zero, or moves along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.metadata import retyped
from enzyme_build.ir.types import FloatType, IntType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

_POINTER = 64
"""Bits of what may be an address."""


def numbers_for_narrow(function: Function, memory: Memory) -> bool:
    """Retype such moves from memory to memory; was there any?"""
    used = users(function)
    loads = [i for i in function.instructions() if isinstance(i, ir.Load)]
    found = {i: type_ for i in loads if (type_ := _moved_number(i, memory, used)) is not None}
    for load, type_ in found.items():
        number = in_front_of(load).load(type_, load.pointer, load.align, metadata=retyped(load.metadata))
        for store in used[load]:
            assert isinstance(store, ir.Store)
            in_front_of(store).store(number, store.pointer, store.align, metadata=store.metadata)
    remove_instructions(function, {i for load in found for i in (load, *used[load])})
    return bool(found)


def _moved_number(i: ir.Load, memory: Memory, used: Mapping[Value, Sequence[ir.Instruction]]) -> FloatType | None:
    if not isinstance(i.type, IntType) or i.ordering or i.volatile or i not in used:
        return None
    content = memory.contents.get((i, ()))
    if i.type.bits >= _POINTER or content is None or not content.may_point:
        return None
    if not all(isinstance(user, ir.Store) and user.value is i and not user.ordering for user in used[i]):
        return None
    numbers = [claim for claim in content.claims if isinstance(claim, FloatType)]
    return numbers[0] if len(numbers) == 1 and memory.layout.store_size(numbers[0]) * 8 == i.type.bits else None
