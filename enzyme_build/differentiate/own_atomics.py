"""Atomic operations on memory that no other thread can see are ordinary ones.

A function that is differentiated starts no threads, so an atomic variable of its own (on its stack, or allocated and
never handed out) is read and written in order. In the model that the pass reads such operations are loads, arithmetic
and stores, whose derivatives are known; compilers write the atomic arithmetic of floating-point numbers as comparing
exchanges of their bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.values import Value, poison

if TYPE_CHECKING:
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function

_OPERATIONS = frozenset(["add", "sub", "and", "or", "xor", "fadd", "fsub"])


def plain_atomics(function: Function, memory: Memory) -> bool:
    """Replace the atomic operations on memory of the function's own; was there any?"""
    replaced: dict[Value, Value] = {}
    changed = False
    for block in function.blocks:
        for i in list(block.instructions):
            if not _is_own(memory, i):
                continue
            if isinstance(i, ir.Load | ir.Store):
                i.ordering = ""
                changed = True
            elif isinstance(i, ir.CompareExchange) or (
                isinstance(i, ir.AtomicRMW) and (i.op in _OPERATIONS or i.op == "xchg")
            ):
                replaced[i] = _plain(i)
    if replaced:
        for i in function.instructions():
            i.operands[:] = [replaced.get(operand, operand) for operand in i.operands]
        for block in function.blocks:
            block.records[:] = [r for r in block.records if replaced.keys().isdisjoint(r.operands)]
    return changed or bool(replaced)


def _is_own(memory: Memory, i: ir.Instruction) -> bool:
    match i:
        case ir.Load() | ir.Store():
            if not i.ordering or i.volatile:
                return False
            pointer = i.pointer
        case ir.AtomicRMW() | ir.CompareExchange():
            pointer = i.operands[0]
        case _:
            return False
    place = memory.place(pointer)
    return place is not None and not place.region.external


def _plain(i: ir.AtomicRMW | ir.CompareExchange) -> Value:
    block = i.block
    builder = Builder(block, debug_attachment(i))
    builder.position = block.instructions.index(i)
    old = builder.load(i.operands[1].type, i.operands[0], i.align)
    result: Value = old
    if isinstance(i, ir.CompareExchange):
        _, expected, replacement = i.operands
        same = builder.icmp("eq", old, expected)
        new: Value = builder.select(same, replacement, old)
        pair = builder.insert_value(poison(i.type), old, (0,))
        result = builder.insert_value(pair, same, (1,))
    elif i.op == "xchg":
        new = i.operands[1]
    else:
        new = builder.binary(i.op, old, i.operands[1])
    builder.store(new, i.operands[0], i.align)
    at = block.instructions.index(i)
    del block.instructions[at]
    for record in block.records:
        record.index -= record.index > at
    return result
