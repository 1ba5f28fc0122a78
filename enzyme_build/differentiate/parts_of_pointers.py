"""Pointers that are moved in parts are whole again.

`Result<Vec<T>, Error>` has the vector's pointer where an error may have a code of one byte. Where LLVM keeps the first
byte of both in a register, what is behind it is copied from memory to memory, and the pointer that was read from there
is cut: its first byte is stored by itself, or the bytes of both are read and stored as two integers. No part has a
shadow. In the model that the pass reads the byte is copied with the others, or the word as a whole, as long as nobody
has written to where it was read from. What else is moved in parts is refused (`lost_addresses`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import content_behind
from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.claims import touches_pointer
from enzyme_build.analysis.copied import access_kind
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.objects import objects
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import Function, remove_instructions
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.types import I8, I64, PTR, IntType, Type
from enzyme_build.ir.values import ConstantInt, Value, const_int

from .by_value import may_write
from .lifetimes import is_lifetime

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Place
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.layout import DataLayout

_TO, _FROM, _LENGTH, _VOLATILE = range(4)
_WORD: Final = 8
_LONGEST: Final = 8
"""Blocks that are looked at for the parts of one word."""
_USUAL: Final = (8, 16, 32, 64)


def join_parts(function: Function, memory: Memory) -> bool:
    """Move such words as a whole; were there any?"""
    return _join_first_parts(function, memory) | _join_moves(function, memory)


def join_odd_parts(layout: DataLayout, function: Function) -> None:
    """Move a word as a whole of which the larger part is an integer that no language has (`i56`), whatever it holds."""
    for block in function.blocks:
        odd = [i for i in block.instructions if isinstance(i, ir.Store) and _is_part(i) and _is_odd(i.value.type)]
        for parts in _moved_words(layout, [block]) if odd else ():
            if any(part in odd for part in parts) and _is_plain_move(layout, parts):
                _join(parts, I64)


def _is_odd(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits not in _USUAL


def _is_plain_move(layout: DataLayout, parts: list[ir.Store]) -> bool:
    """Is all read before anything is written, and is what is written in between elsewhere in the same object?"""
    block, reads = parts[0].block, [_read(store) for store in parts]
    assert block is not None
    to, at = fixed_base(layout, parts[0].pointer)
    source, begin = fixed_base(layout, reads[0].pointer)
    own = {*parts, *reads}
    first, last = min(map(_index, reads)), max(map(_index, parts))
    read, written = max(map(_index, reads)), min(map(_index, parts))
    for i in block.instructions[first:last]:
        if i in own or is_lifetime(i) or not (may_write(i) or isinstance(i, ir.Load)):
            continue
        if isinstance(i, ir.Load) and _index(i) < written:
            continue
        if not isinstance(i, ir.Load | ir.Store):
            return False
        base, start = fixed_base(layout, i.pointer)
        size = layout.store_size(i.type if isinstance(i, ir.Load) else i.value.type)
        apart = base is source and not (start < begin + _WORD and begin < start + size)
        if isinstance(i, ir.Store) and _index(i) < read and not apart:
            return False  # the word is read behind it
        if base is not to or (start < at + _WORD and at < start + size):
            return False
    return read < written


def _join_moves(function: Function, memory: Memory) -> bool:
    found = [parts for parts in cut_pointers(function, memory) if _is_undisturbed(memory, parts)]
    for parts in found:
        _join(parts, PTR)
    return bool(found)


def _join(parts: list[ir.Store], type_: Type) -> None:
    low, read = parts[0], _read(parts[0])
    assert low.block is not None
    assert low.block.function is not None
    reads = {_read(store) for store in parts}
    last = next(i for block in _blocks_of(parts) for i in reversed(block.instructions) if i in reads)
    word = in_front_of(last).load(type_, read.pointer, read.align)
    in_front_of(max(parts, key=_index)).store(word, low.pointer, low.align)
    remove_instructions(low.block.function, {*parts})


def cut_pointers(function: Function, memory: Memory) -> list[list[ir.Store]]:
    """Stores of all bytes of what is a pointer where it was read from, or where it comes to, by several integers."""
    blocks = [
        block for block in function.blocks if any(isinstance(i, ir.Store) and _is_part(i) for i in block.instructions)
    ]
    predecessors = control_flow(function).predecessors if blocks else {}
    return [
        parts
        for block in blocks
        for parts in _moved_words(memory.layout, _blocks_before(block, predecessors))
        if any(is_pointer_at(memory, end) for end in (parts[0].pointer, _read(parts[0]).pointer))
        and not any(is_integer(memory, i) for store in parts for i in (store, _read(store)))
    ]


def in_one_block(parts: list[ir.Store]) -> bool:
    """Are they read where they are stored?"""
    return {_read(store).block for store in parts} == {parts[0].block}


def parts_apart(function: Function, memory: Memory) -> frozenset[ir.Load]:
    """The integers by which all bytes of what may be a pointer are moved, wherever they are read and stored."""
    groups: dict[tuple[Value, Value, int], dict[int, list[ir.Load]]] = {}
    for store in function.instructions():
        if not isinstance(store, ir.Store) or not _is_short(store.value.type) or is_integer(memory, store):
            continue
        to, at = fixed_base(memory.layout, store.pointer)
        for load in read_as(store.value):
            from_, start = fixed_base(memory.layout, load.pointer)
            groups.setdefault((to, from_, at - start), {}).setdefault(at, []).append(load)
    found: set[ir.Load] = set()
    for group in groups.values():
        for first in group:
            parts, at = [*group[first]], first
            while at in group and at < first + _WORD:
                parts += group[at]
                at += memory.layout.store_size(group[at][0].type)
            pointer = is_pointer_at(memory, parts[0].pointer)
            if at >= first + _WORD and pointer and not any(is_integer(memory, load) for load in parts):
                found.update(parts)
    return frozenset(found)


def read_as(value: Value) -> Iterator[ir.Load]:
    """What is read to become this value, directly or by choice."""
    return (leaf for leaf in merged_from(value) if isinstance(leaf, ir.Load))


def is_integer(memory: Memory, i: ir.Load | ir.Store) -> bool:
    """Does the language say so?"""
    type_ = i.type if isinstance(i, ir.Load) else i.value.type
    told = access_kind(memory.module, i.metadata, memory.layout.store_size(type_))
    return told is not None and told[0] is Kind.INTEGER


def _is_short(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.bits < I64.bits


def _blocks_before(block: Block, predecessors: Mapping[Block, tuple[Block, ...]]) -> list[Block]:
    """A block and those that always and only lead there, the last one first."""
    found = [block]
    while len(found) < _LONGEST and len(before := predecessors.get(found[-1], ())) == 1 and before[0] not in found:
        found.append(before[0])
    return found


def _moved_words(layout: DataLayout, blocks: list[Block]) -> list[list[ir.Store]]:
    """Stores of all bytes of a word, in the first of these blocks, by several integers that were read as they lie
    there in any of them. Objects lie at multiples of a word."""
    block = blocks[0]
    groups: dict[tuple[Value, Value, int], dict[int, ir.Store]] = {}
    for store in block.instructions:
        if not isinstance(store, ir.Store) or not _is_part(store) or _read(store).block not in blocks:
            continue
        (to, at), (from_, start) = (fixed_base(layout, i.pointer) for i in (store, _read(store)))
        groups.setdefault((to, from_, at - start), {})[at] = store
    words = (_word_of(layout, group, at) for group in groups.values() for at in group if at % _WORD == 0)
    return [parts for parts in words if parts]


def _is_part(store: ir.Store) -> bool:
    """Is this an integer that was just read, and is shorter than a word?"""
    value = store.value
    if not isinstance(value, ir.Load) or not _is_short(value.type):
        return False
    return not (store.ordering or store.volatile or value.ordering or value.volatile)


def _read(store: ir.Store) -> ir.Load:
    assert isinstance(store.value, ir.Load)
    return store.value


def _word_of(layout: DataLayout, group: dict[int, ir.Store], at: int) -> list[ir.Store]:
    """The stores that make up the word that begins there, in order; none where some are missing."""
    parts: list[ir.Store] = []
    end = at + _WORD
    while at in group and at < end:
        parts.append(group[at])
        at += layout.store_size(group[at].value.type)
    return parts if at == end else []


def is_pointer_at(memory: Memory, address: Value) -> bool:
    """May a pointer lie there, as accesses say?"""
    content = content_behind(memory, address)
    return content is not None and Kind.POINTER in content.claims


def may_point(memory: Memory, address: Value, start: int, size: int) -> bool:
    """May any of these bytes behind an address be a part of a pointer, as anybody says?"""
    place = memory.place(address)
    if place is None or not touches_pointer(place.resolved().moved(start), size):
        return False
    return any(touches_pointer(one.resolved().moved(start), size) for one in _places(memory, address))


def _places(memory: Memory, address: Value) -> list[Place]:
    """Where an address leads to: in each object, if these are known."""
    places = objects(memory).places(address, 1)
    place = memory.place(address)
    return places or ([] if place is None else [place])


def is_own(memory: Memory, address: Value) -> bool:
    """Is all that an address may lead to allocated in the function?"""
    regions = [place.resolved().region for place in _places(memory, address)]
    return bool(regions) and all(region.origins and region.origins <= region.allocations for region in regions)


def holds_pointers(memory: Memory, address: Value) -> bool:
    """May there be pointers anywhere in what an address leads to?"""
    contents = (content for place in _places(memory, address) for content in place.resolved().region.contents())
    return any(Kind.POINTER in content.claims for content in contents)


def _is_undisturbed(memory: Memory, parts: list[ir.Store]) -> bool:
    """Is the word still there when its last part is read, and does nobody look at where it comes to until all is
    stored?"""
    (low, *_), reads = parts, [_read(store) for store in parts]
    instructions = [i for block in reversed(_blocks_of(parts)) for i in block.instructions]
    places = sorted(instructions.index(read) for read in reads)
    for i in instructions[places[0] : places[-1]]:
        if may_write(i) and i not in parts and _may_touch(memory, i, reads[0].pointer, _WORD):
            return False
    places = sorted(instructions.index(part) for part in parts)
    between = (i for i in instructions[places[0] : places[-1]] if i not in parts and i not in reads)
    (to, at), (from_, start) = (fixed_base(memory.layout, p) for p in (low.pointer, reads[0].pointer))
    apart = to is not from_ or abs(at - start) >= _WORD
    return (
        apart
        and not any(_may_touch(memory, i, low.pointer, _WORD) for i in between)
        and not any(_may_touch(memory, i, low.pointer, _WORD) for i in reads if instructions.index(i) > places[0])
    )


def _blocks_of(parts: list[ir.Store]) -> list[Block]:
    """The blocks from the one of the stores up to that of the first that is read."""
    block = parts[0].block
    assert block is not None
    assert block.function is not None
    blocks = _blocks_before(block, control_flow(block.function).predecessors)
    return blocks[: 1 + max(blocks.index(read.block) for store in parts if (read := _read(store)).block is not None)]


def _index(i: ir.Instruction) -> int:
    assert i.block is not None
    return i.block.instructions.index(i)


def _join_first_parts(function: Function, memory: Memory) -> bool:
    """Have copies behind a first part begin where that does."""
    gone: list[ir.Instruction] = []
    predecessors: Mapping[Block, tuple[Block, ...]] | None = None
    for block in function.blocks:
        for store in block.instructions:
            if not isinstance(store, ir.Store) or (word := _first_part_of(memory, store)) is None:
                continue
            if predecessors is None:
                predecessors = control_flow(function).predecessors
            before = [i for one in reversed(_blocks_before(block, predecessors)) for i in one.instructions]
            size = memory.layout.store_size(store.value.type)
            copy = _rest(memory, before, store, word, size) if word in before else None
            if copy is not None:
                _extend(copy, size)
                gone.append(store)
    remove_instructions(function, {*gone})
    return bool(gone)


def _first_part_of(memory: Memory, store: ir.Store) -> ir.Load | None:
    """What is read from memory as a pointer, or as a word, of which the lowest byte is stored; or as an integer where a
    pointer may begin, which is stored as it is."""
    value = store.value
    if _is_part(store):
        pointer = is_pointer_at(memory, _read(store).pointer)
        told = is_integer(memory, store) or is_integer(memory, _read(store))
        return _read(store) if pointer and not told else None
    if not isinstance(value, ir.Cast) or value.op != "trunc" or value.type is not I8:
        return None
    word = value.operands[0]
    if isinstance(word, ir.Cast) and word.op == "ptrtoint" and word.type is I64:
        word = word.operands[0]
    return word if isinstance(word, ir.Load) and word.type in (PTR, I64) else None


def _rest(
    memory: Memory, instructions: list[ir.Instruction], store: ir.Store, word: ir.Load, size: int
) -> ir.Call | None:
    """The copy of what is behind the word's first bytes to behind where these are stored."""
    if store.ordering or store.volatile:
        return None
    layout = memory.layout
    (to, at), (from_, start) = fixed_base(layout, store.pointer), fixed_base(layout, word.pointer)
    read, stored = (instructions.index(i) for i in (word, store))
    for copied, i in enumerate(instructions):
        inside = copied >= read and i.block is store.block
        if not inside or not _is_copy(i) or i.operands[_LENGTH].value < _WORD - size:  # type: ignore[attr-defined]
            continue
        ends = [fixed_base(layout, i.operands[end]) for end in (_TO, _FROM)]
        if ends != [(to, at + size), (from_, start + size)]:
            continue
        between = instructions[min(copied, stored) + 1 : max(copied, stored)]
        written = instructions[read + 1 : copied]
        kept = not any(may_write(other) and _may_touch(memory, other, word.pointer, _WORD) for other in written)
        if kept and not any(_may_touch(memory, other, store.pointer, size) for other in between):
            assert isinstance(i, ir.Call)
            return i
    return None


def _is_copy(i: ir.Instruction) -> bool:
    if not isinstance(i, ir.Call) or not (getattr(i.callee, "name", None) or "").startswith("llvm.memcpy.p0.p0."):
        return False
    volatile = i.operands[_VOLATILE]
    return isinstance(i.operands[_LENGTH], ConstantInt) and volatile == const_int(volatile.type, 0)


def _may_touch(memory: Memory, i: ir.Instruction, pointer: Value, size: int) -> bool:
    """May an instruction read or write so many bytes there?"""
    place = memory.place(pointer)
    if place is None:
        return True
    match i:
        case ir.Load() | ir.Store():
            own = memory.place(i.pointer)
            length = memory.layout.store_size(i.type if isinstance(i, ir.Load) else i.value.type)
            if own is None or not _may_share(own, place):
                return own is None
            (base, at), (other, start) = (fixed_base(memory.layout, p) for p in (i.pointer, pointer))
            return base is not other or (at < start + size and start < at + length)
        case ir.CallBase():
            effects = memory.effects.get(i)
            if is_lifetime(i) or effects is None:
                return not is_lifetime(i)
            return any(_may_share(one, place) for one in (*effects.reads, *effects.writes, *effects.frees))
        case _:
            return may_write(i)


def _may_share(one: Place, other: Place) -> bool:
    """May these be the same memory? Callers may hand over the same by several pointers."""
    regions = (one.resolved().region, other.resolved().region)
    return regions[0] is regions[1] or all(region.is_visible for region in regions)


def _extend(copy: ir.Call, size: int) -> None:
    builder = in_front_of(copy)
    for end in (_TO, _FROM):
        copy.operands[end] = builder.ptradd(copy.operands[end], -size)
    length = copy.operands[_LENGTH]
    assert isinstance(length, ConstantInt)
    copy.operands[_LENGTH] = const_int(length.type, length.value + size)
    # What is told of members counts from there, and so does what is promised of the addresses.
    copy.metadata = ", ".join(f"!{name} {node}" for name, node in attachments(copy).items() if name != "tbaa.struct")
