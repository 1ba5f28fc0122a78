"""Integers that the optimiser took from the bits of a number that was stored are read from where it was stored.

A union holds a number in one branch and an integer in another; what is copied of it is the integer where its tag says
so. Where the compiler knows no types of accesses (`-O0`), LLVM takes the integer from the number that was stored there
last, as a part of its bits: `trunc (bitcast double x to i64)`, and merges it with integers. In the model that the pass
reads, that is the load again that it was, which is known to be of a union.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.types import FloatType, IntType
from enzyme_build.ir.values import ConstantInt, Value

from .by_value import may_write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module

_MOVES = (*ir.MERGES, ir.Store, ir.InsertValue, ir.Return)
_BYTE = 8
_MARKS = ("llvm.lifetime.start", "llvm.experimental.noalias.scope", "llvm.assume")


def read_stored_bits(module: Module, function: Function) -> None:
    """Replace parts of the bits of numbers by loads, where they are only moved and the number has just been stored."""
    parts = [(i, found) for i in function.instructions() if (found := _part(i)) is not None]
    if not parts:
        return
    read = users(function)
    before = control_flow(function).predecessors
    replaced: dict[Value, Value] = {}
    for part, (number, at) in parts:
        store = _stored_before(module.layout, before, part, number)
        if store is None or not all(isinstance(user, _MOVES) for user in read.get(part, ())):
            continue
        builder = in_front_of(part)
        replaced[part] = builder.load(part.type, builder.ptradd(store.pointer, at), 1)
    replace_values(function, replaced)
    remove_instructions(function, replaced.keys())


def _part(i: ir.Instruction) -> tuple[Value, int] | None:
    """The number of whose bits this is a part, of whole bytes, and how many bytes are below it."""
    if not isinstance(i, ir.Cast) or i.op != "trunc" or not isinstance(i.type, IntType) or i.type.bits % _BYTE:
        return None
    bits: Value = i.operands[0]
    below = 0
    if isinstance(bits, ir.Binary) and bits.op == "lshr" and isinstance(bits.operands[1], ConstantInt):
        below, bits = bits.operands[1].value, bits.operands[0]
    if below % _BYTE or not isinstance(bits, ir.Cast) or bits.op != "bitcast":
        return None
    number = bits.operands[0]
    is_inside = isinstance(number.type, FloatType) and below + i.type.bits <= number.type.bits
    return (number, below // _BYTE) if is_inside else None


def _stored_before(
    layout: DataLayout, before: Mapping[Block, Sequence[Block]], part: ir.Instruction, number: Value
) -> ir.Store | None:
    """The store of a number that comes before a part of it is taken, behind which nothing is written there."""
    block = part.block
    assert block is not None
    instructions = block.instructions[: block.instructions.index(part)]
    passed: list[ir.Store] = []
    seen = {block}
    while True:
        for i in reversed(instructions):
            if isinstance(i, ir.Store) and i.value is number and not i.volatile and not i.ordering:
                return i if all(_apart(layout, i, other) for other in passed) else None
            if isinstance(i, ir.Store):
                passed.append(i)
            elif may_write(i) and not _is_mark(i):
                return None
        if len(before[block]) != 1 or before[block][0] in seen:
            return None
        block = before[block][0]
        seen.add(block)
        instructions = block.instructions


def _apart(layout: DataLayout, a: ir.Store, b: ir.Store) -> bool:
    """Do two stores write different bytes for sure?"""
    (one, at), (other, behind) = (fixed_base(layout, store.pointer) for store in (a, b))
    if one is not other:
        return isinstance(one, ir.Alloca) and isinstance(other, ir.Alloca)
    return at + layout.store_size(a.value.type) <= behind or behind + layout.store_size(b.value.type) <= at


def _is_mark(i: ir.Instruction) -> bool:
    """Does this only tell the optimiser something?"""
    return (getattr(getattr(i, "callee", None), "name", None) or "").startswith(_MARKS)
