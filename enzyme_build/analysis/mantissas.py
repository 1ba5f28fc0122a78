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
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import Constant
from enzyme_build.regex import regex

from .bits import FRACTION_BITS, constant_of, known_zero, width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_LEADING: Final = 8
"""Bits of a fraction that give it a slope; what uses later ones alone makes noise of them."""
_DEPTH: Final = 32
_ROTATED: Final = regex(r"llvm\.fsh[lr]\.")
_SMALL: Final = 16
"""What bits are multiplied with by less is a scale; hashes take larger ones."""
_EXTREME: Final = regex(r"llvm\.(?:[su](?:max|min)|abs|[su](?:add|sub)\.sat)\.")


def grows_with_a_number(value: Value, number: Callable[[Value], Type | None]) -> bool:
    """Does this integer grow with one whose bits it has? `number` tells the type of the number that a value is, whole,
    which has a derivative."""
    return bool(_Growing(_fractions(number))(value))


def has_slope(value: Value, number: Callable[[Value], Type | None]) -> bool:
    """The same, but for the first bit of the fraction alone, which is constant between jumps as the exponent is:
    logarithms read the upper half of the numbers in an octave with the next exponent."""

    def others(value: Value) -> int | None:
        type_ = number(value)
        return None if type_ is None else _leading(type_) >> 1 & _leading(type_)

    return bool(_Growing(others)(value))


def fraction_grows_with_a_number(value: Value, type_: Type, number: Callable[[Value], Type | None]) -> bool:
    """Likewise, in leading bits of the fraction of a number of that type, which this integer is taken for?"""
    return (_Growing(_fractions(number))(value) or 0) & _leading(type_) != 0


def _fractions(number: Callable[[Value], Type | None]) -> Callable[[Value], int | None]:
    def fraction(value: Value) -> int | None:
        type_ = number(value)
        return None if type_ is None else _leading(type_)

    return fraction


def fraction_grows(value: Value, type_: Type, rounded: Callable[[Value], bool]) -> bool:
    """Do leading bits of the fraction grow with a number that is `rounded`, where this integer is taken for the bits of
    a number of that type?"""

    def everything(value: Value) -> int | None:
        return (1 << width(value)) - 1 if rounded(value) else None

    return (_Growing(everything)(value) or 0) & _leading(type_) != 0


def has_rounded_bits(value: Value, rounded: Callable[[Value], bool]) -> bool:
    """Does any bit of this integer grow with a number that is `rounded`?"""
    return bool(_Growing(lambda at: (1 << width(at)) - 1 if rounded(at) else None)(value))


def _leading(type_: Type) -> int:
    """The leading bits of the fraction of a number, as a mask."""
    bits = FRACTION_BITS.get(type_.scalar, 0)
    return ((1 << bits) - 1) & ~((1 << max(bits - _LEADING, 0)) - 1)


class _Growing:
    """Which bits of an integer, or of each of a vector of them, grow with a number, as a mask; None while that is being
    found out, and of what depends on nothing else. `own` tells it of what is made of one."""

    def __init__(self, own: Callable[[Value], int | None]) -> None:
        self._own = own
        self._told: dict[Value, int | None] = {}
        self._leads: dict[Value, int] = {}
        """The first value that is being asked about, by its number, to which this one leads back."""

    def __call__(self, value: Value) -> int | None:
        if value not in self._told:
            self._leads[value] = len(self._told)
            self._told[value] = None
            self._told[value] = self._find(value, self._leads[value])
        return self._told[value]

    def _find(self, value: Value, number: int) -> int | None:
        if number >= _DEPTH or not isinstance(value.type.scalar, IntType):
            return 0
        if (told := self._own(value)) is not None:
            return told
        variable: list[Value] = []

        def ask(operand: Value) -> int | None:
            if not isinstance(operand, Constant):
                variable.append(operand)
            return self(operand)

        bits = _of_operation(value, ask)
        if bits or not variable or any(self._told[operand] is not None for operand in variable):
            return bits
        first = min(self._leads[operand] for operand in variable)
        self._leads[value] = min(first, number)
        return None if first < number else 0


def _of_operation(value: Value, ask: Callable[[Value], int | None]) -> int:
    everything = (1 << width(value)) - 1

    def of(operand: Value) -> int:
        return ask(operand) or 0

    match value:
        case ir.Cast(op="bitcast"):  # of vectors, into parts of another size
            return everything if of(value.operands[0]) else 0
        case ir.Cast(op="zext" | "sext" | "trunc") | ir.Freeze():
            return of(value.operands[0]) & everything
        case ir.Phi() | ir.Select():
            # What is a count on other ways (as of a `Result<f64, usize>`) is one where it is used as such.
            ways = [ask(way) for way in value.operands[isinstance(value, ir.Select) :] if not isinstance(way, Constant)]
            told = [way for way in ways if way is not None]
            return reduce(or_, told, 0) if all(told) else 0
        case ir.Binary(op="add" | "sub" | "or" | "xor"):
            return of(value.operands[0]) | of(value.operands[1])
        case ir.Binary(op="mul") if value.flags or _is_scale(value.operands):  # one that wraps makes a hash
            factors = [(of(a), constant_of(b)) for a, b in (value.operands, reversed(value.operands))]
            return reduce(or_, (_times(mask, by) for mask, by in factors), 0) & everything
        case ir.Binary(op="udiv" | "sdiv"):
            by = constant_of(value.operands[1])
            mask = of(value.operands[0])
            return mask >> (by.bit_length() - 1) if by is not None and by > 0 else (1 << mask.bit_length()) - 1
        case ir.Binary(op="and"):
            by = constant_of(value.operands[1])
            return of(value.operands[0]) & by if by is not None else of(value.operands[0]) | of(value.operands[1])
        case ir.Binary(op="shl"):
            by, mask = constant_of(value.operands[1]), of(value.operands[0])
            return (mask << by if by is not None else -(mask & -mask)) & everything
        case ir.Binary(op="lshr" | "ashr"):
            by, mask = constant_of(value.operands[1]), of(value.operands[0])
            return mask >> by if by is not None else (1 << mask.bit_length()) - 1
        case ir.ExtractElement() | ir.InsertElement() | ir.ShuffleVector():
            return of(value.operands[0]) | (of(value.operands[1]) if not isinstance(value, ir.ExtractElement) else 0)
        case ir.CallBase(callee=Function(name=name)) if _ROTATED.match(name):
            return everything if of(value.arguments[0]) | of(value.arguments[1]) else 0
        case ir.CallBase(callee=Function(name=name)) if _EXTREME.match(name):
            return reduce(or_, map(of, value.arguments[: 1 if "abs" in name else 2]), 0)
        case _:
            return 0


def _times(mask: int, by: int | None) -> int:
    """Bits that grow where those of `mask` do, of the product with a constant or, without one, with anything."""
    if not mask or by == 0:
        return 0
    lowest = mask & -mask
    return -lowest if by is None else (1 << mask.bit_length() + abs(by).bit_length()) - lowest


def _is_scale(factors: Sequence[Value]) -> bool:
    """Is one of two factors certainly small? Constants that hashes are multiplied with are larger."""
    half = width(factors[0]) // 2
    constants = [constant_of(at) for at in factors]
    if any(by is not None for by in constants):
        return any(by is not None and abs(by) < _SMALL for by in constants)
    return any(known_zero(at) >> half == (1 << half) - 1 > 0 for at in factors)
