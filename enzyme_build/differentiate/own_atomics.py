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
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.legality import member_at
from enzyme_build.ir.types import StructType
from enzyme_build.ir.values import Value, poison

if TYPE_CHECKING:
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function

_OPERATIONS = frozenset(["add", "sub", "and", "or", "xor", "fadd", "fsub"])


def plain_atomics(function: Function, memory: Memory) -> bool:
    """Replace the atomic operations on memory of the function's own; was there any?"""
    replaced: dict[Value, Value] = {}
    pairs: dict[Value, tuple[Value, Value]] = {}
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
                replaced[i] = _plain(i, pairs)
    if replaced:
        replace_values(function, replaced)
        _take_parts(function, pairs)
    return changed or bool(replaced)


def _take_parts(function: Function, pairs: dict[Value, tuple[Value, Value]]) -> None:
    """What an exchange has read, and whether that was expected, go separate ways, also around loops: one is a pointer
    at times."""
    phis = [i for block in function.blocks for i in block.phis if isinstance(i.type, StructType)]
    while (kept := [phi for phi in phis if all(o in pairs or o in phis for o in phi.operands)]) != phis:
        phis = kept
    for phi in phis:
        builder = Builder(phi.block, debug_attachment(phi))
        pairs[phi] = (builder.phi(member_at(phi.type, (0,))), builder.phi(member_at(phi.type, (1,))))
    for phi in phis:
        for at, part in enumerate(pairs[phi]):
            assert isinstance(part, ir.Phi)
            for operand, block in zip(phi.operands, phi.blocks, strict=True):
                Builder.add_incoming(part, pairs[operand][at], block)
    parts: dict[Value, Value] = {
        i: pairs[i.operands[0]][i.indices[0]]
        for i in function.instructions()
        if isinstance(i, ir.ExtractValue) and i.operands[0] in pairs
    }
    replace_values(function, parts)
    remove_instructions(function, parts.keys())
    whole = {*pairs, *(pair.operands[0] for pair in pairs if isinstance(pair, ir.InsertValue))}
    used = users(function)
    while (unneeded := {i for i in whole if whole.issuperset(used.get(i, ()))}) != whole:
        whole = unneeded
    remove_instructions(function, whole)


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
    return place is not None and not place.region.is_visible


def _plain(i: ir.AtomicRMW | ir.CompareExchange, pairs: dict[Value, tuple[Value, Value]]) -> Value:
    """What an operation gives, done by a load and a store; what a comparing exchange gives is noted in its parts."""
    block = i.block
    builder = Builder(block, debug_attachment(i))
    builder.position = block.instructions.index(i)
    old = builder.load(i.operands[1].type, i.operands[0], i.align)
    result: Value = old
    if isinstance(i, ir.CompareExchange):
        _, expected, replacement = i.operands
        same = builder.icmp("eq", old, expected)
        new: Value = builder.select(same, replacement, old)
        result = builder.insert_value(builder.insert_value(poison(i.type), old, (0,)), same, (1,))
        pairs[result] = (old, same)
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
