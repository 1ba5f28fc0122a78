"""Stores of a number on one way and of an integer on another, which LLVM merges to one, are two again.

    if (p->kind) p->count += by; else p->value *= 2;

becomes a store of `phi [add …], [bitcast float …]`: half a count, half the bits of a number, of which nothing would be
known. In the model that the pass reads each way stores what it has. (Words of eight bytes go through memory as a
whole, see `copied_words`.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.flow import Flow
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.types import FLOAT, I32

from .edges import block_between

if TYPE_CHECKING:
    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


def split_merged_stores(module: Module, function: Function) -> None:
    """Store on each way what comes from there, where that is a `float` on one of them and an integer on another."""
    found = [(phi, store) for block in function.blocks for phi in block.phis if (store := _store_of(phi)) is not None]
    if not found:
        return
    read, loops = users(function), Flow(module, function).loops
    for phi, store in found:
        block = phi.block
        assert block is not None
        alike = all(loops.loop_of(way) is loops.loop_of(block) for way in phi.blocks)
        if read[phi] == [store] and alike and not any(loop.header is block for loop in loops.loops):
            _split(function, block, phi, store)


def _store_of(phi: ir.Phi) -> ir.Store | None:
    """What stores a phi of numbers and integers, as the first that its block does to memory."""
    if phi.type is not I32 or not phi.operands:
        return None
    numbers = [_number(value) is not None for value in phi.operands]
    if not any(numbers) or all(numbers):
        return None
    assert phi.block is not None
    for i in phi.block.instructions:
        match i:
            case ir.Store():
                own = i.value is phi and not (i.ordering or i.volatile) and not _is_in(i.pointer, phi.block)
                return i if own else None
            case ir.Load() | ir.CallBase() | ir.AtomicRMW() | ir.CompareExchange() | ir.Fence():
                return None
    return None


def _is_in(value: Value, block: Block) -> bool:
    """Is it computed in the block? What comes together there is known on each way."""
    return getattr(value, "block", None) is block and not isinstance(value, ir.Phi)


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
        pointer = store.pointer
        if isinstance(pointer, ir.Phi) and pointer.block is block:
            pointer = pointer.incoming(way)
        end = way if way.successors == [block] else block_between(function, [way], block, "stored")
        builder = Builder(end, where)
        builder.position = len(end.instructions) - 1
        builder.store(_number(value) or value, pointer, store.align)
    remove_instructions(function, {store, phi})
