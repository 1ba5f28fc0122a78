"""Lanes of vectors are taken out as what they are.

LLVM writes `extractelement (bitcast <2 x float> v to <2 x i32>), k` for the bits of one lane that it moves on. In the
model that the pass reads, the cast comes after: a lane is a number, and then its bits. A cast between a number and a
vector of one is a lane put in or taken out. Several lanes that it takes out as one word, as where a short vector is
read again out of a long one, are a shorter vector.

LLVM also computes on whole vectors of which one lane is wanted; the others hold what happened to lie beside it, such as
the bits of a pointer, and zero times that is no zero. Where one lane of a computation is used, only that is computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import users
from enzyme_build.ir.parts import shuffle_mask
from enzyme_build.ir.types import I64, FloatType, IntType, Type, VectorType
from enzyme_build.ir.values import ConstantInt, const_int, poison

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value


def lanes_before_casts(function: Function) -> None:
    """Rewrite the lanes taken out of cast and of computed vectors in the function's model."""
    if not any(isinstance(i.type, VectorType) for i in function.instructions()):
        return
    _rewrite(function, _one_lane_casts)
    _single_lanes(function)
    _rewrite(function, _lane_of_cast)
    _rewrite(function, _lanes_of_cast)


def _rewrite(function: Function, rewritten: Callable[[Builder, ir.Instruction], Value | None]) -> None:
    """Put what `rewritten` builds, where it builds something, in the places of instructions."""
    replaced: dict[Value, Value] = {}
    for block in control_flow(function).order:  # what is used comes first
        before, block.instructions = block.instructions, []
        for i in before:
            i.operands[:] = [replaced.get(operand, operand) for operand in i.operands]
            value = rewritten(Builder(block, debug_attachment(i)), i)
            if value is None:
                block.instructions.append(i)
            else:
                replaced[i] = value
    if replaced:
        for i in function.instructions():
            i.operands[:] = [replaced.get(operand, operand) for operand in i.operands]


def _one_lane_casts(builder: Builder, i: ir.Instruction) -> Value | None:
    if not isinstance(i, ir.Cast) or i.op != "bitcast":
        return None
    (source,) = i.operands
    if _count(i.type) == 1 and isinstance(source.type, FloatType) and i.type.scalar is source.type:
        return builder.insert_element(poison(i.type), source, const_int(I64, 0))
    if _count(source.type) == 1 and isinstance(i.type, FloatType) and source.type.scalar is i.type:
        return builder.extract_element(source, const_int(I64, 0))
    return None


def _lane_of_cast(builder: Builder, i: ir.Instruction) -> Value | None:
    numbers = _numbers(i.operands[0]) if isinstance(i, ir.ExtractElement) else None
    if numbers is None:
        return None
    return builder.cast("bitcast", builder.extract_element(numbers, i.operands[1]), i.type)


def _numbers(vector: Value) -> Value | None:
    """The vector of numbers of which an equally long vector of integers is the bits."""
    if not isinstance(vector, ir.Cast) or vector.op != "bitcast" or not isinstance(vector.type.scalar, IntType):
        return None
    source = vector.operands[0]
    same = source.type.is_float_like and _count(source.type) == _count(vector.type) > 0
    return source if same else None


def _lanes_of_cast(builder: Builder, i: ir.Instruction) -> Value | None:
    """Several numbers taken out of a vector as one wide word, and cast back."""
    match i:
        case ir.Cast(op="bitcast", operands=[ir.Cast(op="bitcast", operands=[numbers])]) if numbers.type is i.type:
            return numbers
        case ir.ExtractElement(operands=[ir.Cast(op="bitcast", operands=[numbers]) as words, ConstantInt() as index]):
            times = _times(numbers.type, words.type)
            if times > 1 and index.value < _count(words.type):
                lanes = shuffle_mask(range(index.value * times, (index.value + 1) * times))
                return builder.cast("bitcast", builder.shuffle_vector(numbers, poison(numbers.type), lanes), i.type)
        case _:
            pass
    return None


def _times(numbers: Type, words: Type) -> int:
    """How many of a vector's numbers are in one of as long a vector of words; 0 if they are something else."""
    is_known = isinstance(numbers, VectorType) and isinstance(numbers.element, FloatType) and not numbers.scalable
    if not is_known or not isinstance(words, VectorType):
        return 0
    return 0 if _count(numbers) % words.count else _count(numbers) // words.count


def _single_lanes(function: Function) -> None:
    lanes = _lanes_used(function)
    if not lanes:
        return

    def one_lane(builder: Builder, i: ir.Instruction) -> Value | None:
        if isinstance(i, ir.ExtractElement) and not isinstance(i.operands[0].type, VectorType):
            return i.operands[0]
        if i not in lanes:
            return None
        operands = [_lane(builder, operand, lanes[i]) for operand in i.operands]
        if isinstance(i, ir.Negate):
            return builder.fneg(operands[0], i.flags)
        assert isinstance(i, ir.Binary)
        return builder.binary(i.op, operands[0], operands[1], i.flags)

    _rewrite(function, one_lane)


def _lane(builder: Builder, operand: Value, lane: int) -> Value:
    """One lane of a vector of which there may be no more than that already."""
    if not isinstance(operand.type, VectorType):
        return operand
    return builder.extract_element(operand, const_int(I64, lane))


def _lanes_used(function: Function) -> dict[Value, int]:
    """Computations on numbers of which one lane is used, and which."""
    found: dict[Value, int] = {}
    readers = users(function)
    for block in reversed(control_flow(function).order):
        for i in reversed(block.instructions):
            if isinstance(i, ir.Binary | ir.Negate) and isinstance(i.type, VectorType) and i.type.is_float_like:
                used = {_lane_read(user, found) for user in readers.get(i, ())}
                if len(used) == 1 and (lane := used.pop()) is not None:
                    found[i] = lane
    return found


def _lane_read(user: ir.Instruction, found: dict[Value, int]) -> int | None:
    """The only lane that an instruction reads."""
    if isinstance(user, ir.ExtractElement):
        index = user.operands[1]
        return index.value if isinstance(index, ConstantInt) else None
    return found.get(user)


def _count(type_: Type) -> int:
    return type_.count if isinstance(type_, VectorType) else 0
