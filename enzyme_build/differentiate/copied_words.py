"""Words that hold a pointer in some objects and a number in others are copied as bytes.

The optimiser moves eight bytes that a program copies by an integer load and store. Where objects of different classes
are reached by the same pointer such a word may be either, which the shadow's bits tell at run time (`transfer`). In
the model that the pass reads it is copied into memory of its own and from there to where it is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.fields import fields
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, IntType, VectorType, array_type, function_type
from enzyme_build.ir.values import Value, const_int

if TYPE_CHECKING:
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module


def copy_words(module: Module, function: Function, memory: Memory) -> bool:
    """Replace loads of such words that are only stored again; was there any?"""
    candidates: dict[Value, list[ir.Store]] = {
        i: [] for i in function.instructions() if _is_move(i) and _is_doubtful(memory, i)
    }
    if not candidates:
        return False
    for i in function.instructions():
        for operand in i.operands:
            if operand not in candidates:
                continue
            if isinstance(i, ir.Store) and operand is not i.pointer and not i.ordering:
                candidates[operand].append(i)
            else:
                del candidates[operand]
    for load, stores in candidates.items():
        assert isinstance(load, ir.Load)
        size = module.layout.store_size(load.type)
        entry = Builder(function.entry)
        entry.position = 0
        room = entry.alloca(array_type(I8, size), None, 8)
        _copy(module, load, room, load.pointer, size)
        for store in stores:
            _copy(module, store, store.pointer, room, size)
    return bool(candidates)


def _is_move(i: ir.Instruction) -> bool:
    if not isinstance(i, ir.Load) or i.ordering or i.volatile:
        return False
    if isinstance(i.type, VectorType):
        return isinstance(i.type.scalar, IntType)
    return isinstance(i.type, IntType) and i.type.bits in (64, 128)


def _is_doubtful(memory: Memory, i: ir.Instruction) -> bool:
    assert isinstance(i, ir.Load)
    place = memory.place(i.pointer)
    return place is not None and bool(fields(memory.layout, [place], memory.layout.store_size(i.type)).words)


def _copy(module: Module, i: ir.Instruction, destination: Value, source: Value, size: int) -> None:
    """A copy of bytes in the place of an instruction."""
    move = module.declare("llvm.memcpy.p0.p0.i64", function_type(VOID, (PTR, PTR, I64, I1)))
    block = i.block
    at = block.instructions.index(i)
    del block.instructions[at]
    for record in block.records:
        record.index -= record.index > at
    block.records[:] = [record for record in block.records if i not in record.operands]
    builder = Builder(block, debug_attachment(i))
    builder.position = at
    builder.call(move, [destination, source, const_int(I64, size), const_int(I1, 0)])
