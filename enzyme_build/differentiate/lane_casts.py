"""Lanes of vectors of numbers that are taken out as integers are taken out as numbers.

LLVM writes `extractelement (bitcast <2 x float> v to <2 x i32>), k` for the bits of one lane that it moves on. In the
model that the pass reads, the cast comes after: a lane is a number, and then its bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import IntType, Type, VectorType

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value


def lanes_before_casts(function: Function) -> None:
    """Rewrite the lanes taken out of cast vectors in the function's model."""
    replaced: dict[Value, Value] = {}
    for block in function.blocks:
        for i in [i for i in block.instructions if isinstance(i, ir.ExtractElement)]:
            numbers = _numbers(i.operands[0])
            if numbers is None:
                continue
            builder = Builder(block, debug_attachment(i))
            builder.position = block.instructions.index(i) + 1
            replaced[i] = builder.cast("bitcast", builder.extract_element(numbers, i.operands[1]), i.type)
            block.instructions.remove(i)
    if replaced:
        for instruction in function.instructions():
            instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]


def _numbers(vector: Value) -> Value | None:
    """The vector of numbers of which an equally long vector of integers is the bits."""
    if not isinstance(vector, ir.Cast) or vector.op != "bitcast" or not isinstance(vector.type.scalar, IntType):
        return None
    source = vector.operands[0]
    same = source.type.is_float_like and _count(source.type) == _count(vector.type) > 0
    return source if same else None


def _count(type_: Type) -> int:
    return type_.count if isinstance(type_, VectorType) else 0
