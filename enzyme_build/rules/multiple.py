"""Functions with several results: through pointers (`frexp`), or as members of a struct or vector (`llvm.sincos`).

A rule lists which call arguments are the operands `x`, `y`, `z`, `w`, and where each result goes. In the partials
`r` is the first result of the list, `s` the second, both as the call left them; an integer result (the exponent of
`frexp`) is read as an integer and has no derivative. A result behind a pointer overwrites what was there: its shadow
is set in forward mode, read and cleared in reverse mode.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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
_xyzw = (0, 1, 2, 3)
_scale = call("ldexp", 1, -_exponent)
# Quotient of complex numbers, (x + iy) / (z + iw) = r + is: by the numerator 1/(z + iw), by the denominator
# -(r + is) / (z + iw).
_d = 1 / (z * z + w * w)
_re, _im = -((r * z + s * w) * _d), (r * w - s * z) * _d


def _complex(re: Expr, im: Expr, operands: tuple[int, ...] = (0, 1), *more: tuple[Expr, Expr]) -> MultipleRule:
    """A complex function of complex numbers, given the real and imaginary parts of its derivatives.

    By the Cauchy-Riemann equations r + is changes with x by re + i im, and with y by i (re + i im).
    """
    derivatives = ((re, im), *more)
    real = tuple(partial for re, im in derivatives for partial in (re, -im))
    imaginary = tuple(partial for re, im in derivatives for partial in (im, re))
    return MultipleRule(operands, (Result(Member(0), real), Result(Member(1), imaginary)))


def _product(a: tuple[Expr, Expr], b: tuple[Expr, Expr]) -> tuple[Expr, Expr]:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


_f = (r, s)
_square = (r * r - s * s, 2 * r * s)
_inverse_root = 1 / (2 * (r * r + s * s))
_inverse = 1 / (x * x + y * y)
_reciprocal = (x * _inverse, -(y * _inverse))
_log = (call("log", call("hypot", x, y)), call("atan2", y, x))

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
    # (x + iy)(z + iw), called where NaN must be sorted out
    "muldc3":       MultipleRule(_xyzw, (Result(Member(0), (z, -w, x, -y)), Result(Member(1), (w, z, y, x)))),
    # C's complex functions where two doubles are passed as two arguments and returned as a struct
    "cexp":         _complex(r, s),
    "clog":         _complex(*_reciprocal),
    "csqrt":        _complex(r * _inverse_root, -(s * _inverse_root)),
    "csin":         _complex(call("cos", x) * call("cosh", y), -(call("sin", x) * call("sinh", y))),
    "ccos":         _complex(-(call("sin", x) * call("cosh", y)), -(call("cos", x) * call("sinh", y))),
    "ctan":         _complex(1 + _square[0], _square[1]),
    "csinh":        _complex(call("cosh", x) * call("cos", y), call("sinh", x) * call("sin", y)),
    "ccosh":        _complex(call("sinh", x) * call("cos", y), call("cosh", x) * call("sin", y)),
    "ctanh":        _complex(1 - _square[0], -_square[1]),
    # z^w: by z it is w z^w / z, by w it is z^w log z
    "cpow":         _complex(*_product(_product((z, w), _f), _reciprocal), _xyzw, _product(_f, _log)),
    "conj":         MultipleRule((0, 1), (Result(Member(0), (ONE, ZERO)), Result(Member(1), (ZERO, -ONE)))),
    "divdc3":       MultipleRule(_xyzw, (Result(Member(0), (z * _d, w * _d, _re, -_im)),
                                         Result(Member(1), (-(w * _d), z * _d, _im, _re)))),
}
# fmt: on
