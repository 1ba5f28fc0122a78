"""Integers that grow with the number whose bits they are: read as a count, the bits of a positive number are nearly its
logarithm (Mitchell, "Computer multiplication and division using binary logarithms", 1962), and those of its fraction
grow with it piece by piece. Its exponent alone is constant between jumps, and a hash has no slope.

The other way round: a number that is rounded to an integer, and taken for bits of which the fraction grows with it, is
nearly a power of two (Schraudolph, "A fast, compact approximation of the exponential function", 1999). Moved to where
the exponent is it is constant between jumps.
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

    def fraction(value: Value) -> int | None:
        type_ = number(value)
        return None if type_ is None else _leading(type_)

    return _growing(value, fraction, {}) != 0


def fraction_grows(value: Value, type_: Type, rounded: Callable[[Value], bool]) -> bool:
    """Do leading bits of the fraction grow with a number that is `rounded`, where this integer is taken for the bits of
    a number of that type?"""

    def everything(value: Value) -> int | None:
        return (1 << bits_of(value)) - 1 if rounded(value) else None

    return _growing(value, everything, {}) & _leading(type_) != 0


def _leading(type_: Type) -> int:
    """The leading bits of the fraction of a number, as a mask."""
    bits = FRACTION_BITS.get(type_, 0)
    return ((1 << bits) - 1) & ~((1 << max(bits - _LEADING, 0)) - 1)


def _growing(value: Value, own: Callable[[Value], int | None], seen: dict[Value, int]) -> int:
    """Which bits of the integer grow with a number, as a mask; `own` tells it of what is made of one."""
    if value in seen:
        return seen[value]
    seen[value] = 0
    if len(seen) > _DEPTH or not isinstance(value.type, IntType):
        return 0
    bits = own(value)
    if bits is None:
        bits = _of_operation(value, lambda operand: _growing(operand, own, seen))
    seen[value] = bits
    return bits


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
        case ir.Binary(op="udiv" | "sdiv") if (
            isinstance(value.operands[1], ConstantInt) and value.operands[1].value > 0
        ):
            return of(value.operands[0]) >> (value.operands[1].value.bit_length() - 1)
        case ir.Binary(op="and") if isinstance(value.operands[1], ConstantInt):
            return of(value.operands[0]) & value.operands[1].value
        case ir.Binary(op="shl") if isinstance(value.operands[1], ConstantInt):
            return of(value.operands[0]) << value.operands[1].value & everything
        case ir.Binary(op="lshr" | "ashr") if isinstance(value.operands[1], ConstantInt):
            return of(value.operands[0]) >> value.operands[1].value
        case _:
            return 0
