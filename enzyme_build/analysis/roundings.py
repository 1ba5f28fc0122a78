"""What makes integers of numbers, and numbers of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64
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
