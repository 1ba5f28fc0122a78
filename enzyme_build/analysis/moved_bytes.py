"""Bytes from memory of which nothing tells whether it holds numbers, stored to memory with numbers.

Bytes of memory that is known to hold numbers are active (`bytewise`). Where only bytes are ever read, they may be a
number's or characters: then memory is taken for active, and derivatives notice at run time if a number was moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import Constant

from .copied import access_kind
from .punning import touches_number
from .regions import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Region

_HANDED_ON = ("trunc", "zext", "sext")
_BITS = ("and", "or", "xor", "shl", "lshr", "ashr")


@dataclass(frozen=True, slots=True)
class MovedBytes:
    """The stores, each with the loads that its value may come from, and those loads whose bytes a store puts somewhere
    else as they are."""

    stores: Mapping[ir.Store, tuple[ir.Load, ...]]
    loads: frozenset[Value]


def moved_bytes(memory: Memory) -> MovedBytes:
    """The stores of a function that may move bytes of numbers."""
    stores = {
        i: tuple(sources)
        for i in memory.function.instructions()
        if isinstance(i, ir.Store) and (sources := _sources(memory, i)) is not None
    }
    return MovedBytes(stores, frozenset(i.value for i in stores if isinstance(i.value, ir.Load)))


def _sources(memory: Memory, i: ir.Store) -> dict[ir.Load, None] | None:
    """Where a store may have bytes of numbers from; None when it stores none."""
    if not isinstance(i.value.type, IntType) or isinstance(i.value, Constant):
        return None
    size = memory.layout.store_size(i.value.type)
    if size >= memory.layout.pointer_size():
        return None
    told = access_kind(memory.module, i.metadata, size)
    place = memory.place(i.pointer)
    if (
        (told is not None and told[0] is Kind.INTEGER)
        or place is None
        or not touches_number(memory.layout, place, size)
    ):
        return None
    return _sources_of(memory, i.value) or None


def _sources_of(memory: Memory, value: Value) -> dict[ir.Load, None]:
    """The loads of untold memory whose bits a value may be."""
    found: dict[ir.Load, None] = {}
    seen: set[Value] = set()
    pending = [value]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        match at:
            case ir.Load():
                place = memory.place(at.pointer)
                if place is not None and _is_untold(place.resolved().region):
                    found[at] = None
            case ir.Select():
                pending += at.operands[1:]
            case ir.Phi() | ir.Freeze():
                pending += at.operands
            case ir.Cast() if at.op in _HANDED_ON:
                pending += at.operands
            case ir.Binary() if at.op in _BITS:
                pending += at.operands
    return found


def _is_untold(region: Region) -> bool:
    """Does nothing here tell what the memory holds?"""
    return not any(content.float_types for content in region.contents())
