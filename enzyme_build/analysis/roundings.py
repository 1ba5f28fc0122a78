"""What makes integers of numbers, and numbers of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64
from enzyme_build.ir.values import Constant, ConstantFloat, ConstantInt
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

NUMBERS: Final[Mapping[Type, Type]] = {I32: FLOAT, I64: DOUBLE}
"""The numbers that integers may be the bits of."""
_CASTS: Final = ("fptosi", "fptoui")
_COUNTS: Final = ("sitofp", "uitofp")
_FUNCTION: Final = regex(
    r"ll?(?:round|rint)[fl]?$|llvm\.(?:ll?(?:round|rint)|fpto[su]i\.sat)\.|llvm\.x86\.[\w.]*cvtt?[\w.]*2u?(?:si|dq|qq)"
)
"""Of C, of LLVM (`as` of Rust), and of the processor."""
_LARGE: Final = {32: 1 << 20, 64: 1 << 44}
"""A number that is scaled by so much may become the bits of another one: the first of its fraction. By less it is a
count, as of nanoseconds."""
_FAR: Final = {32: 16, 64: 40}
"""So may an integer that is shifted by so many bits."""
_STEPS: Final = 64


def rounded_number(value: Value) -> Value | None:
    """The number of which a value is an integer; None where it is none."""
    if isinstance(value, ir.Cast):
        return value.operands[0] if value.op in _CASTS else None
    if isinstance(value, ir.CallBase) and value.arguments and isinstance(value.callee, Function):
        return value.arguments[0] if _FUNCTION.match(value.callee.name) else None
    return None


def is_count(value: Value) -> TypeGuard[ir.Cast]:
    """Is this the number that an integer counts?"""
    return isinstance(value, ir.Cast) and value.op in _COUNTS


def is_scaled(value: Value, bits: int) -> bool | None:
    """Does something move this integer of so many bits to where a number has its fraction and exponent, as far as
    constants tell? None, where that would take too long to find out."""
    large, far = (table[64 if bits > 32 else 32] for table in (_LARGE, _FAR))
    pending, seen = [value], 0
    while pending:
        at = pending.pop()
        seen += 1
        if seen > _STEPS:
            return None
        if isinstance(at, ConstantFloat) and not abs(at.value or 0.0) < large:
            return True
        if isinstance(at, ConstantInt) and not -large < at.value < large:
            return True
        if isinstance(at, ir.Binary) and at.op == "shl":
            by = at.operands[1]
            if isinstance(by, ConstantInt) and by.value >= far:
                return True
        if isinstance(at, ir.Binary) and at.op == "and":
            pending += [operand for operand in at.operands if not isinstance(operand, Constant)]
        elif isinstance(at, (ir.Binary, ir.Cast, ir.CallBase, ir.Freeze, *ir.MERGES)):
            pending += at.operands
    return False
