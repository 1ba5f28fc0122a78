"""Rounding by a large constant is rounding.

In `(v + 2^52) - 2^52` the sum has no bits left for a fraction: the result is `v` rounded, a function of `v` that is
constant almost everywhere, though both operations alone have the derivative 1. Vectorised mathematical functions round
that way. In the model that the pass reads, such a sum s is `rint(2 s) / 2`: the same number (a sum with 2^52 or
1.5 · 2^52 is always a multiple of ½), and its derivative is that of rounding.

A sum rounds where the constant is taken away again, or the sum's bits are read, of which the last ones are the integer.
Any other is a sum with a large number: it has the slope of a sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.bits import FRACTION_BITS
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import users
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import FloatType, Type, VectorType
from enzyme_build.ir.values import Constant, ConstantAggregate, Value, const_float

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module


def mark_rounding(module: Module, function: Function) -> None:
    """Say of the sums of the function's model that round that they do."""
    replaced: dict[Value, Value] = {}
    made: set[ir.Instruction] = set()
    read: dict[Value, list[ir.Instruction]] | None = None
    for block in function.blocks:
        for i in [i for i in block.instructions if isinstance(i, ir.Binary) and i.op in ("fadd", "fsub")]:
            if not any(_is_large(operand) for operand in i.operands):
                continue
            read = users(function) if read is None else read
            if not _rounds(i, read) and not _ends_rounding(i):
                continue
            builder = Builder(block, debug_attachment(i))
            builder.position = block.instructions.index(i) + 1
            doubled = builder.fmul(i, _splat(i.type, 2.0))
            rounded = builder.call(intrinsic(module, "rint", i.type), [doubled])
            replaced[i] = builder.fmul(rounded, _splat(i.type, 0.5))
            made.add(doubled)
    if replaced:
        for instruction in function.instructions():
            if instruction not in made:
                instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]


def _rounds(i: ir.Instruction, read: Mapping[Value, list[ir.Instruction]]) -> bool:
    """Is the constant taken away again, or are the bits of the sum read: at once, behind a choice, from a variable?"""
    seen: set[Value] = {i}
    pending: list[Value] = [i]
    while pending:
        for user in read.get(pending.pop(), ()):
            match user:
                case ir.Binary(op="fadd" | "fsub") if any(map(_is_large, user.operands)):
                    return True
                case ir.Cast(op="bitcast"):
                    return True
                case _ if user in seen:
                    pass
                case ir.Phi() | ir.Select() | ir.Freeze() | ir.ShuffleVector() | ir.ExtractElement():
                    seen.add(user)
                    pending.append(user)
                case ir.Store():
                    seen.add(user)
                    pending += [load for load in read.get(user.pointer, ()) if isinstance(load, ir.Load)]
                case _:
                    pass
    return False


def _ends_rounding(i: ir.Binary) -> bool:
    """Is the constant taken away from a product that it was added to at once (fma)?"""
    pending = [operand for operand in i.operands if not _is_large(operand)]
    seen = {*pending}
    while pending:
        value = pending.pop()
        if isinstance(value, ir.CallBase) and any(map(_is_large, value.operands)):
            return True
        more = [o for o in ir.merged(value) if o not in seen] if isinstance(value, ir.MERGES) else []
        seen.update(more)
        pending += more
    return False


def _is_large(value: Value) -> bool:
    """Is this ±2^52 or ±1.5 · 2^52 (in `float` 2^23), in every lane?"""
    if isinstance(value, ConstantAggregate):
        return bool(value.operands) and all(_is_large(operand) for operand in value.operands)
    type_ = value.type.scalar
    if not isinstance(value, Constant) or not isinstance(type_, FloatType) or type_ not in FRACTION_BITS:
        return False
    power = 2.0 ** FRACTION_BITS[type_]
    large = {const_float(type_, factor * power).text for factor in (1.0, -1.0, 1.5, -1.5)}
    return value.text in large or value.text in {f"splat ({type_} {text})" for text in large}


def _splat(type_: Type, value: float) -> Value:
    lane = const_float(type_.scalar, value)
    if not isinstance(type_, VectorType):
        return lane
    text = ", ".join(f"{lane.type} {lane.text}" for _ in range(type_.count))
    return ConstantAggregate(type_, f"<{text}>", [lane] * type_.count)
