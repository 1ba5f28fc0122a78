"""Pointers that are numbers: a `void *` that holds the bits of a `double`, and that functions return or are given.

Nothing tells a function that hands on what lies in a slot (`return slots[i];`) that it is no pointer. Where such a
pointer is stored beside numbers again, that memory is as active as the memory that it came from, and the pointer has a
shadow, which is the tangent. (What one function moves from slot to slot is a copy of memory.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import VOID, PointerType

from .claims import touches_number
from .kinds import Kind
from .number_places import has_numbers
from .offsets import member_leaves
from .regions import Place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Region


class MovedPointers:
    """Those of a function: what callees return that read memory which varies, or are given that was read there, and
    what these become. They may be members of structs in registers."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._size = memory.layout.pointer_size()
        self.values: set[Value] = set()

    def add(self, value: Value) -> bool:
        """Is it one, and a new one?"""
        if value in self.values or not self._may_be_one(value):
            return False
        self.values.add(value)
        return True

    def _may_be_one(self, value: Value) -> bool:
        return value.type is not VOID and any(
            isinstance(leaf, PointerType) for _, leaf, _ in member_leaves(self._memory.layout, value.type)
        )

    def may_return(self, call: ir.CallBase, varied: Collection[Region]) -> bool:
        """May this be such a pointer, from memory that holds pointers and numbers at one place, or one handed on?"""
        if not self._may_be_one(call):
            return False
        read = {place.resolved().region: None for place in self._memory.effects[call].reads}
        return any(region in varied and self._holds_either(region) for region in read) or not self.values.isdisjoint(
            call.arguments
        )

    def given(self, call: ir.CallBase, varied: Collection[Region]) -> Iterator[ir.Load]:
        """What is read here, where pointers and numbers are at one place, to be given to a callee."""
        for argument in call.arguments:
            for load in merged_from(argument):
                if isinstance(load, ir.Load) and isinstance(load.type, PointerType):
                    place = self._memory.place(load.pointer)
                    if place is not None and place.region in varied and self._touches_number(place):
                        yield load

    def _touches_number(self, place: Place) -> bool:
        return touches_number(self._memory.layout, place, self._size)

    def lies_beside_numbers(self, store: ir.Store) -> bool:
        """Is such a pointer stored where numbers may be?"""
        place = self._memory.place(store.pointer) if store.value in self.values else None
        return place is not None and self._touches_number(place)

    def led_to(
        self, instructions: Sequence[ir.Instruction], varied: Collection[Region], useful: Collection[Value]
    ) -> set[Region]:
        """What those seem to lead to that go where active numbers are."""
        if not self.values:
            return set()
        values = {value for i in instructions for value in self._carried(i, varied) if value in useful}
        places = [
            self._memory.place(value, path)
            for value in values & self.values
            for path, leaf, _ in member_leaves(self._memory.layout, value.type)
            if isinstance(leaf, PointerType)
        ]
        return {place.region for place in places if place is not None}

    def _carried(self, i: ir.Instruction, varied: Collection[Region]) -> Iterator[Value]:
        match i:
            case ir.Store():
                place = self._memory.place(i.pointer)
                if place is not None and place.region in varied:
                    yield i.value
            case ir.CallBase() if i in self._memory.effects:
                written = {place.resolved().region for place in self._memory.effects[i].writes}
                if any(region in varied and has_numbers(region) for region in written):
                    yield from i.arguments

    def _holds_either(self, region: Region) -> bool:
        """Are there pointers where numbers may be?"""
        pointers = ((at, stride) for at, stride, content in region.entries() if Kind.POINTER in content.claims)
        return any(
            touches_number(self._memory.layout, Place(region, at, stride), self._size) for at, stride in pointers
        )
