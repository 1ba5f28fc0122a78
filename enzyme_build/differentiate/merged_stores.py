"""Stores of a number on one way and of an integer on another, which LLVM merges to one, are two again.

    if (p->kind) p->count += by; else p->value *= 2;

becomes a store of `phi [add …], [bitcast float …]`: half a count, half the bits of a number, of which nothing would be
known. In the model that the pass reads each way stores what it has. (Words of eight bytes go through memory as a
whole, see `copied_words`; but where one way has a pointer and another two floats, each stores that.)
"""

from __future__ import annotations

from copy import copy
from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.types import FLOAT, I32, I64
from enzyme_build.ir.values import const_int

from .edges import block_between

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


_HALF: Final = 4
"""Bytes of a float."""


def split_merged_stores(module: Module, function: Function) -> None:
    """Store on each way what comes from there, where that is a `float` on one of them and an integer on another, or two
    of them and a pointer."""
    found = [
        (phi, store)
        for block in function.blocks
        for phi in block.phis
        if _is_of_both(phi) and (store := _store_of(module.layout, phi)) is not None
    ]
    if not found:
        return
    read, loops = users(function), Flow(module, function).loops
    for phi, store in found:
        block = phi.block
        assert block is not None
        alike = all(loops.loop_of(way) is loops.loop_of(block) for way in phi.blocks)
        if read[phi] == [store] and alike and not any(loop.header is block for loop in loops.loops):
            _split(function, block, phi, store)


def _is_of_both(phi: ir.Phi) -> bool:
    """Are these a number and an integer that is none, or numbers and a pointer?"""
    if phi.type is I32:
        numbers = [_number(value) is not None for value in phi.operands]
        return any(numbers) and not all(numbers)
    is_word = phi.type is I64 and any(_pointer(value) is not None for value in phi.operands)
    return is_word and any(_halves(value) for value in phi.operands)


def _store_of(layout: DataLayout, phi: ir.Phi) -> ir.Store | None:
    """What stores a phi, as the first that its block does to memory, but for stores beside it."""
    assert phi.block is not None
    passed: list[ir.Store] = []
    for i in phi.block.instructions:
        match i:
            case ir.Store() if i.ordering or i.volatile:
                return None
            case ir.Store() if i.value is phi:
                beside = all(_are_apart(layout, i, other) for other in passed)
                return i if beside and _is_known_before(i.pointer, phi.block) else None
            case ir.Store():
                passed.append(i)
            case ir.Load() | ir.CallBase() | ir.AtomicRMW() | ir.CompareExchange() | ir.Fence():
                return None
    return None


def _are_apart(layout: DataLayout, a: ir.Store, b: ir.Store) -> bool:
    """Do two stores write different bytes of one object?"""
    (one, at), (other, behind) = (fixed_base(layout, store.pointer) for store in (a, b))
    sizes = [layout.store_size(store.value.type) for store in (a, b)]
    return one is other and (at + sizes[0] <= behind or behind + sizes[1] <= at)


def _is_known_before(address: Value, block: Block) -> bool:
    """Is it computed of what is known on each way into the block?"""
    if not _is_in(address, block):
        return True
    return isinstance(address, ir.GetElementPtr) and all(_is_known_before(o, block) for o in address.operands)


def _is_in(value: Value, block: Block) -> bool:
    """Is it computed in the block? What comes together there is known on each way."""
    return getattr(value, "block", None) is block and not isinstance(value, ir.Phi)


def _on(way: Mapping[Value, Value], address: Value, block: Block, builder: Builder) -> Value:
    """The address as it is on one way into the block, on which its phis have the values of `way`."""
    if address in way:
        return way[address]
    if not _is_in(address, block):
        return address
    again = copy(address)
    assert isinstance(again, ir.Instruction)
    again.name = None
    again.operands = [_on(way, operand, block, builder) for operand in again.operands]
    return builder.insert(again)


def _pointer(word: Value) -> Value | None:
    """The pointer that a word is the address of."""
    return word.operands[0] if isinstance(word, ir.Cast) and word.op == "ptrtoint" else None


def _halves(word: Value) -> list[tuple[int, Value]]:
    """The floats that a word is put together of, with how many bytes are in front of each, and integers beside them;
    nothing where there is no float."""
    found: list[tuple[int, Value]] = []
    for operand in word.operands if isinstance(word, ir.Binary) and word.op == "or" else [word]:
        part, at = operand, 0
        if isinstance(part, ir.Binary) and part.op == "shl" and part.operands[1] == const_int(I64, 8 * _HALF):
            part, at = part.operands[0], _HALF
        if not isinstance(part, ir.Cast) or part.op != "zext" or part.operands[0].type is not I32:
            return []
        bits = part.operands[0]
        found.append((at, _number(bits) or bits))
    apart = len({at for at, _ in found}) == len(found)
    return found if apart and any(value.type is FLOAT for _, value in found) else []


def _number(value: Value) -> Value | None:
    match value:
        case ir.Cast(op="bitcast", operands=[number]) if number.type is FLOAT:
            return number
        case _:
            return None


def _split(function: Function, block: Block, phi: ir.Phi, store: ir.Store) -> None:
    where = debug_attachment(store)
    for way in [*dict.fromkeys(phi.blocks)]:
        value = phi.incoming(way)
        known: dict[Value, Value] = {other: other.incoming(way) for other in block.phis}
        end = way if [*way.successors] == [block] else block_between(function, [way], block, "stored")
        builder = Builder(end, where)
        builder.position = len(end.instructions) - 1
        pointer = _on(known, store.pointer, block, builder)
        halves = _halves(value) if phi.type is I64 else []
        for at, half in halves:
            builder.store(half, builder.ptradd(pointer, at) if at else pointer, gcd(store.align, at or store.align))
        if halves and len(halves) == 1:
            other = _HALF - halves[0][0]  # zeros
            builder.store(const_int(I32, 0), builder.ptradd(pointer, other), _HALF)
        if not halves:
            builder.store(_number(value) or _pointer(value) or value, pointer, store.align)
    remove_instructions(function, {store, phi})
