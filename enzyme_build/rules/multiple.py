"""Functions with several results: through pointers (`frexp`), or as members of a struct or vector (`llvm.sincos`).

A rule lists which call arguments are the operands `x`, `y`, `z`, `w`, and where each result goes. In the partials
`r` is the first result of the list, `s` the second, both as the call left them; an integer result (the exponent of
`frexp`) is read as an integer and has no derivative. A result behind a pointer overwrites what was there: its shadow
is set in forward mode, read and cleared in reverse mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass

from .expr import ONE, ZERO, Expr, Operand, call
from .scalar import PI

if TYPE_CHECKING:
    from collections.abc import Mapping

x, y, z, w, r, s = (Operand(name) for name in "xyzwrs")
_exponent = Operand("s", is_integer=True)


@dataclass(frozen=True, slots=True)
class Returned:
    """The whole result of the call."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the returned struct, or a lane of the returned vector."""

    index: int


@dataclass(frozen=True, slots=True)
class Stored:
    """The memory behind argument `argument`, of the floating-point type of the function or `int`."""

    argument: int


Place = Returned | Member | Stored


@dataclass(frozen=True, slots=True)
class Result:
    """One result: its place and its partials by the operands; none for an integer."""

    place: Place
    partials: tuple[Expr, ...] = ()

    @property
    def integer(self) -> bool:
        return not self.partials


@dataclass(frozen=True, slots=True)
class MultipleRule:
    """`operands`: argument numbers of x, y, z, w; `results`: r, then s."""

    operands: tuple[int, ...]
    results: tuple[Result, ...]


_x = (0,)
_xy = (0, 1)
_scale = call("ldexp", 1, -_exponent)

# fmt: off
MULTIPLE: Final[Mapping[str, MultipleRule]] = {
    "frexp":        MultipleRule(_x, (Result(Returned(), (_scale,)), Result(Stored(1)))),
    "modf":         MultipleRule(_x, (Result(Returned(), (ONE,)), Result(Stored(1), (ZERO,)))),
    "sincos":       MultipleRule(_x, (Result(Stored(1), (s,)), Result(Stored(2), (-r,)))),
    "sincospi":     MultipleRule(_x, (Result(Stored(1), (PI * s,)), Result(Stored(2), (-PI * r,)))),
    # The stored quotient has its low bits only: take it from the remainder.
    "remquo":       MultipleRule(_xy, (Result(Returned(), (ONE, (r - x) / y)), Result(Stored(2)))),
    "lgamma_r":     MultipleRule(_x, (Result(Returned(), (call("digamma", x),)), Result(Stored(1)))),
    "llvm.frexp":   MultipleRule(_x, (Result(Member(0), (_scale,)), Result(Member(1)))),
    "llvm.modf":    MultipleRule(_x, (Result(Member(0), (ONE,)), Result(Member(1), (ZERO,)))),
    "llvm.sincos":  MultipleRule(_x, (Result(Member(0), (s,)), Result(Member(1), (-r,)))),
    "llvm.sincospi": MultipleRule(_x, (Result(Member(0), (PI * s,)), Result(Member(1), (-PI * r,)))),
}
# fmt: on
