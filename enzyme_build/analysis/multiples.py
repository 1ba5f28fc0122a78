"""Multiples: a number that divides an integer whatever the program computes.

Library code moves through arrays by byte counts taken from differences of pointers. Two pointers into the same array of
24-byte structs differ by a multiple of 24, and so does what is added to or chosen between such differences.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import ConstantInt

from .offsets import Linear, linear

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.values import Value

    from .regions import Place

_DEPTH = 8
_CHOICES = ("llvm.umax.", "llvm.umin.", "llvm.smax.", "llvm.smin.")


class NotReachedError(Exception):
    """A pointer whose place is not known yet: ask again in the next round."""


def step_of(offset: Linear, place: Callable[[Value], Place | None]) -> int:
    """A divisor of the variable part of an offset; 0 if there is none.

    `place` tells where a pointer points; raises NotReachedError where it cannot tell yet.
    """
    step = 0
    terms = dict(offset.terms)
    for value, scale in offset.terms:
        if value not in terms:
            continue
        del terms[value]
        other = None
        if _is_address(value):
            other = next((v for v, s in terms.items() if s == -scale and _is_address(v)), None)
        if other is not None:
            del terms[other]
            step = gcd(step, abs(scale) * _difference(value, other, place))
        else:
            step = gcd(step, abs(scale) * _multiple(value, place, frozenset()))
    return step


def _multiple(value: Value, place: Callable[[Value], Place | None], above: frozenset[Value]) -> int:
    """A divisor of `value`, 0 if it is zero; `above` holds the phis that it is asked for."""
    if isinstance(value, ConstantInt):
        return abs(value.value)
    if value in above:
        return 0  # around a loop: what the other operands divide is divided
    if len(above) > _DEPTH:
        return 1

    def of(*values: Value) -> int:
        return gcd(*(_multiple(v, place, above | {value}) for v in values))

    match value:
        case ir.Binary(op="add" | "sub" | "mul" | "shl"):
            form = linear(value, 1)
            if form.terms != ((value, 1),):
                return gcd(abs(form.constant), _steps(form, place, above | {value}))
            return of(value.operands[0]) * of(value.operands[1]) if value.op == "mul" else 1
        case ir.Binary(op="and"):
            return _mask(value.operands[1])
        case ir.Binary(op="ashr" | "lshr") if isinstance(count := value.operands[1], ConstantInt):
            # How LLVM writes (long)(int)n * 16 where there is (long)n << 32 already.
            two = _power_of_two(value.operands[0])
            return max(1, (max(two, 1 << count.value) if "exact" in value.flags else two) >> count.value)
        case ir.Cast(op="sext" | "zext" | "trunc"):
            return _power_of_two(value.operands[0])
        case ir.Select():
            return of(*value.operands[1:])
        case ir.Phi():
            return of(*value.operands)
        case ir.Freeze():
            return of(value.operands[0])
        case ir.Call() if (getattr(value.callee, "name", None) or "").startswith(_CHOICES):
            return of(*value.arguments)
        case _:
            return 1


def _steps(form: Linear, place: Callable[[Value], Place | None], above: frozenset[Value]) -> int:
    if not form.terms:
        return 0
    (first, *rest) = form.terms
    if len(rest) == 1 and first[1] == -rest[0][1] and _is_address(first[0]) and _is_address(rest[0][0]):
        return abs(first[1]) * _difference(first[0], rest[0][0], place)
    return gcd(*(abs(scale) * _multiple(v, place, above) for v, scale in form.terms))


def _is_address(value: Value) -> bool:
    return isinstance(value, ir.Cast) and value.op in ("ptrtoint", "ptrtoaddr")


def _difference(a: Value, b: Value, place: Callable[[Value], Place | None]) -> int:
    """Of two addresses: in one region a multiple of their strides, otherwise anything."""
    first, second = place(a.operands[0]), place(b.operands[0])  # type: ignore[attr-defined]
    if first is None or second is None:
        raise NotReachedError
    if first.region is not second.region:
        return 1
    return gcd(gcd(first.stride, second.stride), abs(first.offset - second.offset))


def _power_of_two(value: Value) -> int:
    """One that divides `value`, which is not asked for around loops, as what is made of it need not be divided. Others
    would not divide what overflows."""
    form = linear(value)
    divisor = gcd(form.constant, *(scale for _, scale in form.terms))
    return divisor & -divisor or 1


def _mask(value: Value) -> int:
    """`and` with -8 clears three bits."""
    return value.value & -value.value if isinstance(value, ConstantInt) and value.value else 1
