"""Addresses that are kept as integers, of which nothing would tell where their shadow leads.

A shadow follows pointers, and integers that are pointers within a function (`words`). Where it is seen that functions
are given or return addresses, they are pointers there, too (`llvm/address_arguments.py`). What is left is an integer in
memory that keeps addresses (of which pointers are made elsewhere).

The distance from one object to another is none between their shadows. A part of a pointer has no shadow at all.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.analysis.accessed import accessed_content
from enzyme_build.analysis.claims import overlap
from enzyme_build.analysis.distances import kept_distances
from enzyme_build.analysis.kinds import Kind
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.types import I64, IntType
from enzyme_build.ir.values import Argument

from .parts_of_pointers import cut_pointers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


def lost_addresses(module: Module, models: Mapping[Function, Memory]) -> list[UnsupportedError]:
    """One finding for each function where such an integer comes from another, or goes there."""
    found = [(function, _lost(function, memory)) for function, memory in models.items()]
    return [
        UnsupportedError(
            f"an address kept in an integer goes {'from' if isinstance(i, ir.Return) else 'to'} the function "
            f"'{function.name}' as one, where nothing tells its shadow",
            location=location_of(module, i),
            hint="keep pointers as pointers, also where they are passed and returned",
            code="E0110",
        )
        for function, i in found
        if i is not None
    ]


def cut_addresses(module: Module, models: Mapping[Function, Memory]) -> list[UnsupportedError]:
    """One finding for each store of a part of a pointer to where a pointer is."""
    return [
        UnsupportedError(
            "a pointer is kept in parts, of which nothing tells the shadow",
            location=location_of(module, i),
            hint="copy pointers as a whole",
            code="E0110",
        )
        for function, memory in models.items()
        for i in _cut_in(function, memory)
    ]


def _cut_in(function: Function, memory: Memory) -> Iterator[ir.Store]:
    for i in function.instructions():
        if isinstance(i, ir.Store) and _is_part_of_address(memory, i.value) and _is_in_pointer(memory, i):
            yield i
    yield from (parts[0] for parts in cut_pointers(function, memory))


def lost_distances(module: Module, models: Mapping[Function, Memory]) -> list[UnsupportedError]:
    """One finding for each distance between objects that is kept instead of a pointer."""
    return [
        UnsupportedError(
            "the distance from one object to another is kept in memory, to find one from the other: their shadows are "
            "not as far from each other",
            location=location_of(module, i),
            hint="keep a pointer, or an index into one array; within one block, compute with 'char *' instead of "
            "integers",
            code="E0110",
        )
        for i in kept_distances(models)
    ]


def _is_part_of_address(memory: Memory, value: Value) -> bool:
    """Are these some bytes of a pointer, which may have been read as an integer?"""
    if not isinstance(value, ir.Cast) or value.op != "trunc" or not isinstance(value.type, IntType):
        return False
    word = value.operands[0]
    if isinstance(word, ir.Binary) and word.op in {"lshr", "ashr"}:
        word = word.operands[0]
    if isinstance(word, ir.Cast) and word.op == "ptrtoint":
        return isinstance(word.operands[0], ir.Load | Argument | ir.CallBase | ir.Phi | ir.Select)
    place = memory.place(word.pointer) if isinstance(word, ir.Load) and word.type is I64 else None
    content = accessed_content(place.region, place.offset, place.stride) if place is not None else None
    return content is not None and content.kind is Kind.POINTER


def _is_in_pointer(memory: Memory, store: ir.Store) -> bool:
    """Is this written to bytes of which a pointer is read?"""
    place, size = memory.place(store.pointer), memory.layout.store_size(store.value.type)
    if place is None:
        return False
    place, width = place.resolved(), memory.layout.pointer_size()
    contents = [(at, 0, content) for at, content in place.region.fields.items()]
    contents += [(at, step, content) for (at, step), content in place.region.strided.items()]
    return any(
        Kind.POINTER in content.claims and overlap(at - place.offset, gcd(step, place.stride), size, width)
        for at, step, content in contents
    )


def _lost(function: Function, memory: Memory) -> ir.Instruction | None:
    for i in function.instructions():
        if isinstance(i, ir.Store) and _comes_from_elsewhere(i.value) and _keeps_addresses(memory, i.pointer):
            return i
        if isinstance(i, ir.Return) and any(_is_kept(memory, operand) for operand in i.operands):
            return i
    return None


def _comes_from_elsewhere(value: Value) -> bool:
    return value.type is I64 and isinstance(value, Argument | ir.CallBase)


def _is_kept(memory: Memory, word: Value) -> bool:
    """Is this read from memory that keeps addresses?"""
    if word.type is not I64 or not isinstance(word, ir.Cast) or word.op != "ptrtoint":
        return False
    pointer = word.operands[0]
    return isinstance(pointer, ir.Load) and _keeps_addresses(memory, pointer.pointer)


def _keeps_addresses(memory: Memory, pointer: Value) -> bool:
    place = memory.place(pointer)
    if place is None:
        return False
    place = place.resolved()
    content = accessed_content(place.region, place.offset, place.stride)
    return content is not None and content.keeps_addresses and Kind.POINTER in content.claims
