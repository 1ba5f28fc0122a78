"""Gives undefined numbers a value.

Optimised code computes with numbers that it then throws away: lanes of vectors that nobody reads, values of paths not
taken. Their adjoints are zero, but zero times an undefined number (or an infinite one) is undefined, and would reach
the numbers they were computed with. In the model that the pass reads an undefined number is ½, where every function
of the rule table is finite, and an undefined lane of a shuffle is a copy of one that is defined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import VectorType
from enzyme_build.ir.values import Constant, ConstantAggregate, Undef, Value, const_float

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function

# Of calls, those of intrinsics on vectors; an element is taken of what a masked load gives for lanes that are left out.
_COMPUTING = (ir.Binary, ir.Negate, ir.Cast, ir.Phi, ir.Select, ir.Freeze, ir.InsertElement, ir.ShuffleVector,
              ir.ExtractElement, ir.CallBase)  # fmt: skip


def define_numbers(function: Function) -> None:
    """Replace undefined numbers among the operands of the function's model."""
    for instruction in function.instructions():
        if isinstance(instruction, _COMPUTING):
            if isinstance(instruction, ir.ShuffleVector):
                instruction.operands[2] = _defined_mask(instruction.operands[2])
            instruction.operands[:] = [_defined(operand) for operand in instruction.operands]


def _defined(value: Value) -> Value:
    if not isinstance(value, Constant) or not value.type.is_float_like:
        return value
    if isinstance(value, Undef):
        return const_float(value.type, 0.5)
    if isinstance(value.type, VectorType) and isinstance(value, ConstantAggregate):
        members = [_defined(member) for member in value.operands]
        if any(new is not old for new, old in zip(members, value.operands, strict=True)):
            return _vector(value, members)
    return value


def _defined_mask(mask: Value) -> Value:
    if not isinstance(mask, ConstantAggregate):
        return mask
    defined = [lane for lane in mask.operands if not isinstance(lane, Undef)]
    if not defined or len(defined) == len(mask.operands):
        return mask
    return _vector(mask, [defined[0] if isinstance(lane, Undef) else lane for lane in mask.operands])


def _vector(like: ConstantAggregate, members: list[Value]) -> ConstantAggregate:
    text = ", ".join(f"{member.type} {member.text}" for member in members if isinstance(member, Constant))
    return ConstantAggregate(like.type, f"<{text}>", members)
