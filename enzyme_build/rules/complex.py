"""Functions of complex numbers: C's complex functions, and what compilers call for products and quotients.

A complex operand is two operands, x + iy and z + iw; a complex result is the two members r + is of a struct. So are
calls in double precision on x86-64; `complex_calls` leads other precisions back to it.

A holomorphic function needs one derivative, re + i im: by the Cauchy-Riemann equations r + is changes with x by
re + i im, and with y by i (re + i im).

Poles and branch points are infinite or NaN, powers of 0 as for real numbers; `cproj` is the identity (as for all finite
numbers).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from .expr import ONE, ZERO, Const, Expr, Operand, call, eq, ge, gt, select
from .multiple import Member, MultipleRule, Result
from .scalar import slope_of_power_at_zero

if TYPE_CHECKING:
    from collections.abc import Mapping

x, y, z, w, r, s = (Operand(name) for name in "xyzwrs")
_xyzw = (0, 1, 2, 3)
_Pair = tuple[Expr, Expr]


def _complex(re: Expr, im: Expr, operands: tuple[int, ...] = (0, 1), *more: _Pair) -> MultipleRule:
    """The real and imaginary parts of the derivatives by x + iy and by z + iw, as the partials of both results."""
    derivatives = ((re, im), *more)
    real = tuple(partial for re, im in derivatives for partial in (re, -im))
    imaginary = tuple(partial for re, im in derivatives for partial in (im, re))
    return MultipleRule(operands, (Result(Member(0), real), Result(Member(1), imaginary)))


def _product(a: _Pair, b: _Pair) -> _Pair:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _reciprocal(a: _Pair) -> _Pair:
    # Divided twice by the absolute value, whose square may be too large or too small for the type.
    size = call("hypot", *a)
    return a[0] / size / size, -(a[1] / size / size)


def _reciprocal_root(a: _Pair) -> _Pair:
    """1 / √(a + ib) on the principal branch, on the side of the cut that the sign of a zero b tells."""
    size = call("hypot", *a)
    half = Const(Fraction(1, 2))
    # The larger part of the root is free of cancellation, and gives the smaller one.
    large = call("sqrt", (size + call("fabs", a[0])) * half)
    small = a[1] / (2 * large)
    re = select(ge(a[0], 0), large, call("fabs", small))
    im = select(ge(a[0], 0), small, call("copysign", large, a[1]))
    return re / size, -(im / size)


_f = (r, s)
_square = (r * r - s * s, 2 * r * s)
_half_reciprocal = 1 / (2 * (r * r + s * s))
_log = (call("log", call("hypot", x, y)), call("atan2", y, x))
# 1 - z², 1 + z² and z² - 1 without cancellation
_one_minus_square = ((1 - x) * (1 + x) + y * y, -2 * (x * y))
_one_plus_square = ((1 - y) * (1 + y) + x * x, 2 * (x * y))
_square_minus_one = ((x - 1) * (x + 1) - y * y, 2 * (x * y))
_asin, _asinh, _acosh = map(_reciprocal_root, (_one_minus_square, _one_plus_square, _square_minus_one))
# acosh goes through √(z - 1) √(z + 1), which is √(z² - 1) on the right and -√(z² - 1) on the left.
_side = call("copysign", 1, x)
_atan, _atanh = map(_reciprocal, (_one_plus_square, _one_minus_square))


def _power() -> MultipleRule:
    # z^w: by z it is w z^w / z, by w it is z^w log z. At z = 0 these are 0/0 and 0 * inf: there the slope by z is
    # w z^(w - 1), 1 for w = 1 and 0 for larger real parts, and that by w is 0 where the real part is not negative.
    is_zero = eq(call("hypot", x, y), 0)
    by_base = _product(_product((z, w), _f), _reciprocal((x, y)))
    by_exponent = _product(_f, _log)
    at_zero = _slope_at_zero(by_base)
    return _complex(
        select(is_zero, at_zero[0], by_base[0]),
        select(is_zero, at_zero[1], by_base[1]),
        _xyzw,
        (
            select(is_zero, select(ge(z, 0), 0, by_exponent[0]), by_exponent[0]),
            select(is_zero, select(ge(z, 0), 0, by_exponent[1]), by_exponent[1]),
        ),
    )


def _slope_at_zero(otherwise: _Pair) -> _Pair:
    """The slope of the power z^w by z where z = 0, in a form whose own derivatives are right there.

    For w = 1 to 4 it is w z^(w - 1), a product. For other real parts above 1 it is that of the power of a real number
    that is zero, too, and changes with x and y. For others `otherwise`.
    """
    powers: list[_Pair] = [(ONE, ZERO)]
    for _ in range(3):
        powers.append(_product(powers[-1], (x, y)))
    re = select(gt(z, 1), slope_of_power_at_zero(x + 2 * y, z), otherwise[0])
    im = select(gt(z, 1), 0, otherwise[1])
    for exponent, power in enumerate(powers, start=1):
        re = select(eq(z, exponent), select(eq(w, 0), exponent * power[0], re), re)
        im = select(eq(z, exponent), select(eq(w, 0), exponent * power[1], im), im)
    return re, im


def _quotient() -> MultipleRule:
    # (x + iy) / (z + iw) = r + is: by the numerator 1/(z + iw), by the denominator -(r + is) / (z + iw)
    inverse = _reciprocal((z, w))
    re, im = _product(_f, inverse)
    return _complex(*inverse, _xyzw, (-re, -im))


# fmt: off
COMPLEX: Final[Mapping[str, MultipleRule]] = {
    #                        derivative: real part                   imaginary part
    "cexp":         _complex(r,                                      s),
    "clog":         _complex(*_reciprocal((x, y))),
    "csqrt":        _complex(r * _half_reciprocal,                   -(s * _half_reciprocal)),
    "csin":         _complex(call("cos", x) * call("cosh", y),       -(call("sin", x) * call("sinh", y))),
    "ccos":         _complex(-(call("sin", x) * call("cosh", y)),    -(call("cos", x) * call("sinh", y))),
    "ctan":         _complex(1 + _square[0],                         _square[1]),
    "casin":        _complex(*_asin),
    "cacos":        _complex(-_asin[0],                              -_asin[1]),
    "catan":        _complex(*_atan),
    "csinh":        _complex(call("cosh", x) * call("cos", y),       call("sinh", x) * call("sin", y)),
    "ccosh":        _complex(call("sinh", x) * call("cos", y),       call("cosh", x) * call("sin", y)),
    "ctanh":        _complex(1 - _square[0],                         -_square[1]),
    "casinh":       _complex(*_asinh),
    "cacosh":       _complex(_side * _acosh[0],                      _side * _acosh[1]),
    "catanh":       _complex(*_atanh),
    "cproj":        _complex(ONE,                                    ZERO),
    "cpow":         _power(),
    # Not holomorphic
    "conj":         MultipleRule((0, 1), (Result(Member(0), (ONE, ZERO)), Result(Member(1), (ZERO, -ONE)))),
    # Products and quotients, called where NaN and overflow must be sorted out
    "muldc3":       _complex(z, w, _xyzw, (x, y)),
    "divdc3":       _quotient(),
}
# fmt: on
