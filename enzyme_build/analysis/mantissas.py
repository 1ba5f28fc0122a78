"""Integers that grow with the number whose bits they are: read as a count, the bits of a positive number are nearly its
logarithm (Mitchell, "Computer multiplication and division using binary logarithms", 1962), and those of its fraction
grow with it piece by piece. Its exponent alone is constant between jumps, and a hash has no slope.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import Constant, ConstantInt

from .bits import FRACTION_BITS, bits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_LEADING: Final = 8
"""Bits of a fraction that give it a slope; what uses later ones alone makes noise of them."""
_DEPTH: Final = 32


def grows_with_a_number(value: Value, number: Callable[[Value], Type | None]) -> bool:
    """Does this integer grow with one whose bits it has? `number` tells the type of the number that a value is, whole,
    which has a derivative."""
    return _fraction(value, number, {}) != 0


def _fraction(value: Value, number: Callable[[Value], Type | None], seen: dict[Value, int]) -> int:
    """Which leading bits of a fraction are in the integer, as a mask where they are."""
    if value in seen:
        return seen[value]
    seen[value] = 0
    if len(seen) > _DEPTH or not isinstance(value.type, IntType):
        return 0
    type_ = number(value)
    if type_ is not None:
        bits = FRACTION_BITS.get(type_, 0)
        seen[value] = ((1 << bits) - 1) & ~((1 << max(bits - _LEADING, 0)) - 1)
        return seen[value]
    seen[value] = _of_operation(value, lambda operand: _fraction(operand, number, seen))
    return seen[value]


def _of_operation(value: Value, of: Callable[[Value], int]) -> int:
    everything = (1 << bits_of(value)) - 1
    match value:
        case ir.Cast(op="zext" | "sext" | "trunc") | ir.Freeze():
            return of(value.operands[0]) & everything
        case ir.Phi() | ir.Select():
            # What is a count on other ways (as of a `Result<f64, usize>`) is one where it is used as such.
            ways = [of(way) for way in value.operands[isinstance(value, ir.Select) :] if not isinstance(way, Constant)]
            return reduce(or_, ways, 0) if all(ways) else 0
        case ir.Binary(op="add" | "sub" | "or" | "xor"):
            return of(value.operands[0]) | of(value.operands[1])
        case ir.Binary(op="and") if isinstance(value.operands[1], ConstantInt):
            return of(value.operands[0]) & value.operands[1].value
        case ir.Binary(op="shl") if isinstance(value.operands[1], ConstantInt):
            return of(value.operands[0]) << value.operands[1].value & everything
        case ir.Binary(op="lshr" | "ashr") if isinstance(value.operands[1], ConstantInt):
            return of(value.operands[0]) >> value.operands[1].value
        case _:
            return 0
