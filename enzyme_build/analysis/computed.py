"""Integers that are computed and not moved: what is known of one place where they are kept is not known of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantInt

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value

_NARROW: Final = 8
"""Bits of integers that are no half of a number."""
_LARGE: Final = 1 << 31
_DEEP: Final = 4


def is_count(value: Value, depth: int = 0) -> bool:
    """Is this certainly an integer, neither a pointer nor any bits of a number, by the operation that makes it?

    A number of the same bits would be a subnormal or a NaN, but for very large counts.
    """
    match value:
        case ir.Cast(op="sext" | "fptosi" | "fptoui"):
            return True
        case ir.Cast(op="zext"):
            source = value.operands[0].type
            return isinstance(source, IntType) and source.bits <= _NARROW
        case ir.Binary(op="sdiv" | "udiv" | "srem" | "urem"):
            return True
        case ir.Binary(op="add" | "sub" | "mul"):
            return depth < _DEEP and all(_is_small(o) or is_count(o, depth + 1) for o in value.operands)
    return False


def _is_small(value: Value) -> bool:
    return isinstance(value, ConstantInt) and abs(value.value) < _LARGE
