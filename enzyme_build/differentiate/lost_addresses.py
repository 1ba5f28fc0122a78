"""Addresses that are kept as integers, of which nothing would tell where their shadow leads.

A shadow follows pointers, and integers that are pointers within a function (`words`). Where it is seen that functions
are given or return addresses, they are pointers there, too (`llvm/address_arguments.py`). What is left is an integer in
memory that keeps addresses (of which pointers are made elsewhere).

The distance from one object to another is none between their shadows. A part of a pointer has no shadow at all.
"""

from __future__ import annotations

from functools import partial
from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import content_behind, may_keep_address
from enzyme_build.analysis.claims import overlap
from enzyme_build.analysis.distances import kept_distances
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.known import call_effects
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import I64, IntType
from enzyme_build.ir.values import Argument, ConstantInt

from .parts_of_pointers import cut_pointers, in_one_block
from .split_pointers import joined_parts
from .walks import walks_over_pointers
from .words import COUNTED, is_made_of_address, is_ptrtoint, is_remainder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.analysis.contents import Content
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Place
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


_WIDTH: Final = 8
"""Bytes of a pointer."""


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
    stores = [i for i in function.instructions() if isinstance(i, ir.Store)]
    cut = [i for i in stores if _is_part_of_address(memory, i.value) and _is_stored_in_pointer(memory, i)]
    if not all(_is_key(function, memory, i.value) for i in cut):
        yield from cut
    yield from (parts[0] for parts in cut_pointers(function, memory) if in_one_block(parts))
    yield from walks_over_pointers(function, memory, stores)


def mixed_addresses(module: Module, models: Mapping[Function, Memory]) -> list[UnsupportedError]:
    """One finding for each pointer that is made of an address at some times, and at others of an integer of which
    nothing tells that it is one."""
    return [
        unfollowed_address(location_of(module, i))
        for function, memory in models.items()
        for i in function.instructions()
        if _is_mixed(memory, i)
    ]


def unfollowed_address(location: SourceLocation | None) -> UnsupportedError:
    """The error for an address that was made from an integer."""
    return UnsupportedError(
        "active memory is reached by an address kept in an integer, whose shadow is not known",
        location=location,
        hint="keep pointers as pointers, also where they are passed and returned",
        code="E0110",
    )


def _is_mixed(memory: Memory, i: ir.Instruction) -> bool:
    """Is a pointer made here of what may be an address, for all that is known?"""
    if isinstance(i, ir.GetElementPtr) and COUNTED in i.metadata:
        # A counter in one variant of an `enum`, which leads nowhere: but for one that callers keep addresses in.
        read = map(partial(_read, memory), _sources(i.operands[1]))
        return any(content is not None and content.keeps_addresses for content in read)
    if not isinstance(i, ir.Cast) or i.op != "inttoptr":
        return False
    sources = _sources(i.operands[0])
    return any(is_ptrtoint(o) or ((c := _read(memory, o)) is not None and c.may_point) for o in sources)


def _sources(word: Value) -> list[Value]:
    """What an integer may be, or is computed from as an address is."""
    found: dict[Value, None] = {}
    pending = [word]
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found[value] = None
        if isinstance(value, ir.MERGES):
            pending += ir.merged(value)
        elif isinstance(value, ir.Binary) and value.op in {"and", "or", "xor", "add"}:
            pending += value.operands
    return list(found)


def _read(memory: Memory, value: Value) -> Content | None:
    """The same of where a value is read from."""
    return content_behind(memory, value.pointer) if isinstance(value, ir.Load) else None


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
    """Are these some bytes of a pointer, which may have been read as an integer, or two parts of some put together?"""
    if any(_is_address(memory, word) for word in _words_of(value)):
        return True
    return any(
        any(_is_address(memory, word) for word in _lower_words(low))
        and any(_is_address(memory, word) for word in _words_of(high))
        for word in merged_from(value)
        for low, high, _ in joined_parts(word)
    )


def _words_of(part: Value) -> Iterator[Value]:
    """The words that these may be some bytes of."""
    for at in merged_from(part):
        if isinstance(at, ir.Cast) and at.op == "trunc" and isinstance(at.type, IntType):
            word = at.operands[0]
            if is_remainder(word):
                continue
            if isinstance(word, ir.Binary) and word.op in {"lshr", "ashr"}:
                word = word.operands[0]
            yield word


def _upper_words(high: Value) -> Iterator[Value]:
    """The words that an upper part may be of, as a whole word: what is shifted down, or left behind a mask."""
    for at in merged_from(high):
        if isinstance(at, ir.Binary) and at.type is I64 and at.op in {"lshr", "and"}:
            yield at.operands[0]


def _lower_words(low: Value) -> Iterator[Value]:
    """The words that a lower part may be of: what is left of them behind a mask, or as a shorter integer."""
    for at in merged_from(low):
        if isinstance(at, ir.Binary) and at.op == "and":
            yield at.operands[0]
        elif isinstance(at, ir.Cast) and at.op == "zext":
            yield from _words_of(at.operands[0])


def _is_address(memory: Memory, word: Value) -> bool:
    if isinstance(word, ir.Cast) and word.op == "ptrtoint":
        return isinstance(word.operands[0], ir.Load | Argument | ir.CallBase | ir.Phi | ir.Select)
    content = _read(memory, word) if word.type is I64 else None
    return content is not None and content.kind is Kind.POINTER


def _is_key(function: Function, memory: Memory, part: Value) -> bool:
    """Are these the lower bytes of words, and moves nobody the rest of them? The key of an entry in a map may lie where
    another variant of the same `enum` has a pointer."""
    parts = [at for at in merged_from(part) if _is_part_of_address(memory, at)]
    return all(_is_key_in_word(function, memory, at) for at in parts)


def _is_key_in_word(function: Function, memory: Memory, part: Value) -> bool:
    word = part.operands[0] if isinstance(part, ir.Cast) else None
    if isinstance(word, ir.Cast):
        word = word.operands[0]
    place = memory.place(word.pointer) if isinstance(word, ir.Load) else None
    if place is None:
        return False
    size = memory.layout.store_size(part.type)
    rest = place.resolved().moved(size)
    return not any(_moves_rest(memory, i, rest, _WIDTH - size) for i in function.instructions())


def _moves_rest(memory: Memory, i: ir.Instruction, rest: Place, room: int) -> bool:
    """May this be the upper part of a pointer, or move some of the `room` bytes at `rest` without those before?"""
    match i:
        case ir.Binary(op="lshr" | "ashr"):
            return _is_address(memory, i.operands[0]) and not is_remainder(i)
        case ir.Load(type=IntType()):
            size = memory.layout.store_size(i.type)
            return size < _WIDTH and _overlaps(memory, i.pointer, size, rest, room)
        case ir.CallBase():
            known = call_effects(memory.module, i)
            if known is None or known.copies is None:
                return False
            _, source, length = (i.arguments[at] for at in known.copies)
            if not isinstance(length, ConstantInt) or length.value % _WIDTH == 0:
                return False
            return _overlaps(memory, source, length.value, rest, room)
    return False


def _overlaps(memory: Memory, pointer: Value, size: int, rest: Place, room: int) -> bool:
    """May there be one of `room` bytes at `rest` among the `size` bytes at the pointer?"""
    place = memory.place(pointer)
    if place is None:
        return False
    place = place.resolved()
    return place.region is rest.region and overlap(
        rest.offset - place.offset, gcd(place.stride, rest.stride), size, room
    )


def _is_stored_in_pointer(memory: Memory, store: ir.Store) -> bool:
    """Is this written to bytes of which a pointer is read?"""
    place, size = memory.place(store.pointer), memory.layout.store_size(store.value.type)
    if place is None:
        return False
    place, width = place.resolved(), memory.layout.pointer_size()
    return any(
        Kind.POINTER in content.claims and overlap(at - place.offset, gcd(step, place.stride), size, width)
        for at, step, content in place.region.entries()
    )


def _lost(function: Function, memory: Memory) -> ir.Instruction | None:
    for i in function.instructions():
        if isinstance(i, ir.Store) and _comes_from_elsewhere(i.value) and _keeps_addresses(memory, i.pointer):
            return i
        if isinstance(i, ir.Store) and is_made_of_address(i.value):
            place = memory.place(i.pointer)
            if place is not None and may_keep_address(place):
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
    content = content_behind(memory, pointer)
    return content is not None and content.keeps_addresses and Kind.POINTER in content.claims
