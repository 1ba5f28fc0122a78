"""Multiples: a number that divides an integer whatever the program computes.

Library code moves through arrays by byte counts taken from differences of pointers. Two pointers into the same array of
24-byte structs differ by a multiple of 24, and so does what is added to or chosen between such differences.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import ConstantInt

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.values import Value

    from .regions import Place

_DEPTH = 8
_CHOICES = ("llvm.umax.", "llvm.umin.", "llvm.smax.", "llvm.smin.")


class NotReachedError(Exception):
    """A pointer whose place is not known yet: ask again in the next round."""


def multiple_of(value: Value, place: Callable[[Value], Place | None], depth: int = _DEPTH) -> int:
    """A divisor of `value`; 0 if it is zero.

    `place` tells where a pointer (or a pointer as integer) points; raises NotReachedError where it cannot tell yet.
    """
    if isinstance(value, ConstantInt):
        return abs(value.value)
    if depth == 0:
        return 1
    match value:
        case ir.Binary(op="sub"):
            a, b = value.operands
            if _is_address(a) and _is_address(b):
                return _difference(a, b, place)
            return gcd(multiple_of(a, place, depth - 1), multiple_of(b, place, depth - 1))
        case ir.Binary(op="and"):
            return _mask(value.operands[1])
        case ir.Binary(op="add"):
            a, b = value.operands
            return gcd(multiple_of(a, place, depth - 1), multiple_of(b, place, depth - 1))
        case ir.Binary(op="mul"):
            a, b = value.operands
            return multiple_of(a, place, depth - 1) * multiple_of(b, place, depth - 1)
        case ir.Binary(op="shl") if isinstance(value.operands[1], ConstantInt):
            return multiple_of(value.operands[0], place, depth - 1) << (value.operands[1].value & 63)
        case ir.Select():
            return gcd(*(multiple_of(o, place, depth - 1) for o in value.operands[1:]))
        case ir.Freeze():
            return multiple_of(value.operands[0], place, depth - 1)
        case ir.Call() if getattr(value.callee, "name", "").startswith(_CHOICES):
            return gcd(*(multiple_of(a, place, depth - 1) for a in value.arguments))
        case _:
            return 1


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


def _mask(value: Value) -> int:
    """`and` with -8 clears three bits."""
    return value.value & -value.value if isinstance(value, ConstantInt) and value.value else 1
