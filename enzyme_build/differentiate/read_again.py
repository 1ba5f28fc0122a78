"""Words that are read once, as a pointer and as a number, are read as each.

An enum's word is a number, or two of them, in one variant and a pointer in another. Where the program reads it as both,
the optimiser reads it once, as either or as an integer, and casts the bits: the pointer so made has no shadow, and the
number is made of an address. In the model that the pass reads, the same memory is read again at the same place, as what
the bits are cast to.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions
from enzyme_build.ir.types import DOUBLE, I64, PTR, FloatType
from enzyme_build.ir.values import ConstantInt

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_CASTS = (("inttoptr", "bitcast", DOUBLE), ("bitcast", "ptrtoint", PTR))
"""The cast to what the bits are taken for, that to the bits, and what was read."""
_BYTE = 8
_TAKEN = (("inttoptr", PTR), ("bitcast", DOUBLE))
"""Casts of an integer to what it is taken for."""


def read_again(function: Function) -> None:
    """Replace casts of what was read by further reads."""
    casts = [(i, load, 0) for i in function.instructions() if (load := _read_as_other(i)) is not None]
    casts += [(i, load, 0) for i, load in _read_as_both(function)]
    casts += [(i, *part) for i in function.instructions() if (part := _part_of_pointer(i)) is not None]
    if not casts:
        return
    found: dict[tuple[ir.Load, Type, int], Value] = {}
    for cast, load, at in casts:
        if (load, cast.type, at) not in found:
            assert load.block is not None
            builder = Builder(load.block, debug_attachment(load))
            builder.position = load.block.instructions.index(load) + 1
            pointer = builder.ptradd(load.pointer, at) if at else load.pointer
            found[load, cast.type, at] = builder.load(cast.type, pointer, gcd(load.align, at) if load.align else at)
    read: dict[Value, Value] = {cast: found[load, cast.type, at] for cast, load, at in casts}
    remove_instructions(function, read.keys())
    for i in function.instructions():
        i.operands[:] = [read.get(operand, operand) for operand in i.operands]


def _read_as_other(i: ir.Instruction) -> ir.Load | None:
    """The load of which this is the bits, taken for a pointer instead of a number or the other way."""
    for last, first, type_ in _CASTS:
        if isinstance(i, ir.Cast) and i.op == last and i.type is (PTR if type_ is DOUBLE else DOUBLE):
            bits = i.operands[0]
            if isinstance(bits, ir.Cast) and bits.op == first and bits.type is I64:
                load = bits.operands[0]
                if isinstance(load, ir.Load) and load.type is type_ and _is_plain(load):
                    return load
    return None


def _part_of_pointer(i: ir.Instruction) -> tuple[ir.Load, int] | None:
    """The load of a pointer of whose bits this is a part, taken for a number, and how many bytes lie in front of it."""
    match i:
        case ir.Cast(op="bitcast", type=FloatType() as type_, operands=[ir.Cast(op="trunc", operands=[bits])]):
            below = 0
            if isinstance(bits, ir.Binary) and bits.op == "lshr" and isinstance(bits.operands[1], ConstantInt):
                below, bits = bits.operands[1].value, bits.operands[0]
            if bits.type is not I64 or not isinstance(bits, ir.Cast) or bits.op != "ptrtoint" or below % type_.bits:
                return None
            load = bits.operands[0]
            return (load, below // _BYTE) if isinstance(load, ir.Load) and _is_plain(load) else None
        case _:
            return None


def _read_as_both(function: Function) -> list[tuple[ir.Instruction, ir.Load]]:
    """The casts of words that are read as integers, and taken for pointers here and for numbers there."""
    casts: dict[ir.Load, list[ir.Instruction]] = {}
    for i in function.instructions():
        load = i.operands[0] if isinstance(i, ir.Cast) and (i.op, i.type) in _TAKEN else None
        if isinstance(load, ir.Load) and load.type is I64 and _is_plain(load):
            casts.setdefault(load, []).append(i)
    return [(i, load) for load, found in casts.items() if len({i.type for i in found}) > 1 for i in found]


def _is_plain(load: ir.Load) -> bool:
    return not load.ordering and not load.volatile
