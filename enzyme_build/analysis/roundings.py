"""What makes integers of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value

_CASTS: Final = ("fptosi", "fptoui")
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
