"""Partial derivatives of floating-point operations and functions: one row each, whatever the precision.

`x`, `y`, `z` are the operands in the order of the call, `r` is the result; `n` stands for an integer operand. Rules
use `r` where it saves work, so that only the result need be kept. Each cell is ∂r/∂operand.

At points without a derivative the table decides, and says so beside the row:
- A kink with a subgradient gets the one between the slopes: `fabs` and `hypot` have 0 at 0.
- Ties of minimum and maximum go to the first operand, so that the partials still sum to 1.
- A NaN operand that `fmin`/`fmax` ignore gets nothing, the other operand everything.
- Steps (`floor`, `round`, …) have derivative 0 everywhere, the jumps included.
- An infinite slope stays infinite: `sqrt`, `cbrt` at 0. Who multiplies it by a zero adjoint gets NaN, as in
  mathematics; the request option `enzyme_strong_zero` avoids that, and values thrown away by a select are exempt.
  A zero tangent stays zero at even roots and the like: where a direction does not move the operand, the result has a
  kink at most, as in the first of several rounds of a loop that begins with a constant. Not so at odd roots, where the
  cube root of t³ has slope 1; nor may an adjoint be treated so: that of √x is zero in (√x)², which is x.
- A factor that is zero independently of the rest is a *strong* zero: ∂pow(x, 0)/∂x and ∂pow(0, y)/∂y for y ≥ 0 are 0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from .expr import ONE, ZERO, Const, Expr, Operand, ToFloat, call, eq, ge, gt, isnan, le, lt, reads, select

if TYPE_CHECKING:
    from collections.abc import Mapping

x, y, z, r = Operand("x"), Operand("y"), Operand("z"), Operand("r")
_first_int, _second_int = Operand("x", is_integer=True), Operand("y", is_integer=True)

LN2: Final = Const(Fraction("0.693147180559945309417232121458176568075500134360255"))
LN10: Final = Const(Fraction("2.302585092994045684017991454684364207601101488628773"))
PI: Final = Const(Fraction("3.141592653589793238462643383279502884197169399375106"))
TWO_OVER_SQRT_PI: Final = Const(Fraction("1.128379167095512573896158903121545171688101258657998"))


def slope_of_power_at_zero(base: Expr, exponent: Expr, *, whole: bool = False) -> Expr:
    """y x^(y-1) at x = 0, in a form that is right as well where derivatives of it are taken.

    Powers up to the third are written out, and stand for those below (2.5 for y = 3): derivatives are right up to the
    first that is infinite, and the second is infinite for 1 < y < 2 (which `whole` exponents never are).
    """
    powers = [ONE, base, base * base, base * base * base]
    power = powers[3] * base
    for n in (4, 3, 2):
        power = select(le(exponent, n), powers[n - 1], power)
    if not whole:
        power = select(lt(exponent, 2), call("sqrt", base), power)
    return select(eq(exponent, 1), 1, select(gt(exponent, 1), exponent * power, exponent / base))


def _pow_partials() -> tuple[Expr, Expr]:
    # y r / x saves the second pow. At x = 0 it would be 0/0: there the slope is 1 for y = 1, 0 for y > 1 and
    # infinite with the sign of y / x below.
    by_base = select(eq(y, 0), 0, select(eq(x, 0), slope_of_power_at_zero(x, y), y * r / x))
    # 0^y stays 0 (or 1) for all y >= 0; for y < 0 both factors are infinite, and so is their product.
    log = r * call("log", x)
    by_exponent = select(eq(x, 0), select(ge(y, 0), 0, log), log)
    return by_base, by_exponent


def _pow_by_constant() -> tuple[Expr, Expr]:
    # For a constant exponent the second pow has a constant exponent too: LLVM makes x * x, sqrt(x) … of many, and
    # nothing is kept. 0 * pow(0, -1) must not be NaN.
    return select(eq(y, 0), 0, y * call("pow", x, y - 1)), _pow_partials()[1]


def _powi_partials(n: Expr) -> tuple[Expr, Expr]:
    # n x^(n-1) with a strong zero: for n = 0 the power is 1/x.
    return select(eq(ToFloat(n), 0), 0, ToFloat(n) * call("powi", x, n - 1)), ZERO


def _pown_partials(base: Expr) -> tuple[Expr, Expr]:
    # As for pow; the exponent is an integer.
    n = ToFloat(_second_int)
    return select(eq(n, 0), 0, select(eq(base, 0), slope_of_power_at_zero(base, n, whole=True), n * r / base)), ZERO


# Greater or equal, or the other operand is ignored because it is NaN.
_first_is_max = select(ge(x, y), 1, select(isnan(y), 1, 0))
_first_is_min = select(le(x, y), 1, select(isnan(y), 1, 0))
_second_is_max = select(ge(x, y), 0, select(isnan(y), 0, 1))
_second_is_min = select(le(x, y), 0, select(isnan(y), 0, 1))

_larger_x, _larger_y = gt(call("fabs", x), call("fabs", y)), gt(call("fabs", y), call("fabs", x))


def _by_magnitude(first_at_tie: Expr) -> tuple[Expr, Expr]:
    """The operand of larger magnitude; of equal ones (or beside a NaN) as the other functions choose."""
    first = select(_larger_x, 1, select(_larger_y, 0, first_at_tie))
    return first, 1 - first


def _by_small_magnitude(first_at_tie: Expr) -> tuple[Expr, Expr]:
    first = select(_larger_x, 0, select(_larger_y, 1, first_at_tie))
    return first, 1 - first


_d2 = x * x + y * y
_half = Const(Fraction(1, 2))
# (1 - x)(1 + x) instead of 1 - x²: no cancellation near ±1.
_one_minus_x2 = (1 - x) * (1 + x)

# fmt: off
PARTIALS: Final[Mapping[str, tuple[Expr, ...]]] = {
    #               ∂r/∂x                                   ∂r/∂y                       ∂r/∂z
    # Arithmetic
    "fadd":        (ONE,                                    ONE),
    "fsub":        (ONE,                                    -ONE),
    "fmul":        (y,                                      x),
    # 1 / y occurs twice and is divided once
    "fdiv":        (1 / y,                                  -(r * (1 / y))),
    "fneg":        (-ONE,),
    # r = x - q y with an integer q that is constant almost everywhere
    "frem":        (ONE,                                    (r - x) / y),
    "fmod":        (ONE,                                    (r - x) / y),
    "remainder":   (ONE,                                    (r - x) / y),
    "fma":         (y,                                      x,                          ONE),
    "fmuladd":     (y,                                      x,                          ONE),
    # Sign and magnitude
    "fabs":        (select(eq(x, 0), 0, call("copysign", 1, x)),),
    "copysign":    (call("copysign", 1, x) * call("copysign", 1, y), ZERO),
    # Minimum and maximum
    "fmax":        (_first_is_max,                          _second_is_max),
    "fmin":        (_first_is_min,                          _second_is_min),
    "maximumnum":  (_first_is_max,                          _second_is_max),
    "minimumnum":  (_first_is_min,                          _second_is_min),
    "maximum":     (select(ge(x, y), 1, 0),                 select(ge(x, y), 0, 1)),
    "minimum":     (select(le(x, y), 1, 0),                 select(le(x, y), 0, 1)),
    "fmaxmag":     _by_magnitude(_first_is_max),
    "fminmag":     _by_small_magnitude(_first_is_min),
    "fdim":        (select(gt(x, y), 1, 0),                 select(gt(x, y), -1, 0)),
    # Roots and powers
    "sqrt":        (_half / r,),
    "rsqrt":       (-_half * r / x,),
    # The processor's approximation of 1 / x
    "rcp":         (-(r * r),),
    "cbrt":        (1 / (3 * (r * r)),),
    "hypot":       (select(eq(r, 0), 0, x / r),             select(eq(r, 0), 0, y / r)),
    "pow":         _pow_partials(),
    "powi":        _powi_partials(_second_int),
    "pown":        _pown_partials(x),
    "compoundn":   _pown_partials(1 + x),
    "rootn":       (r / (ToFloat(_second_int) * x),         ZERO),
    # Exponentials and logarithms
    "exp":         (r,),
    "exp2":        (r * LN2,),
    "exp10":       (r * LN10,),
    # exp(x), not r + 1: that has no correct digit left for x < -37.
    "expm1":       (call("exp", x),),
    "exp2m1":      (LN2 * call("exp2", x),),
    "exp10m1":     (LN10 * call("exp10", x),),
    "log":         (1 / x,),
    "log2":        (Const(1 / LN2.value) / x,),
    "log10":       (Const(1 / LN10.value) / x,),
    "log1p":       (1 / (1 + x),),
    "log2p1":      (Const(1 / LN2.value) / (1 + x),),
    "log10p1":     (Const(1 / LN10.value) / (1 + x),),
    # Trigonometric
    "sin":         (call("cos", x),),
    "cos":         (-call("sin", x),),
    "tan":         (1 + r * r,),
    "asin":        (1 / call("sqrt", _one_minus_x2),),
    "acos":        (-1 / call("sqrt", _one_minus_x2),),
    "atan":        (1 / (1 + x * x),),
    "atan2":       (y * (1 / _d2),                          -(x * (1 / _d2))),
    "sinpi":       (PI * call("cospi", x),),
    "cospi":       (-PI * call("sinpi", x),),
    "tanpi":       (PI * (1 + r * r),),
    "asinpi":      (Const(1 / PI.value) / call("sqrt", _one_minus_x2),),
    "acospi":      (Const(-1 / PI.value) / call("sqrt", _one_minus_x2),),
    "atanpi":      (Const(1 / PI.value) / (1 + x * x),),
    "atan2pi":     (y * (1 / (PI * _d2)),                   -(x * (1 / (PI * _d2)))),
    # Hyperbolic
    "sinh":        (call("cosh", x),),
    "cosh":        (call("sinh", x),),
    "tanh":        (1 - r * r,),
    "asinh":       (1 / call("sqrt", 1 + x * x),),
    "acosh":       (1 / call("sqrt", (x - 1) * (x + 1)),),
    "atanh":       (1 / _one_minus_x2,),
    # Of a complex number given by its parts (the absolute value is hypot)
    "carg":        (-(y * (1 / _d2)),                       x * (1 / _d2)),
    "creal":       (ONE,                                    ZERO),
    "cimag":       (ZERO,                                   ONE),
    # Special functions
    "erf":         (TWO_OVER_SQRT_PI * call("exp", -(x * x)),),
    "erfc":        (-TWO_OVER_SQRT_PI * call("exp", -(x * x)),),
    "tgamma":      (r * call("digamma", x),),
    "lgamma":      (call("digamma", x),),
    "digamma":     (call("trigamma", x),),
    "trigamma":    (call("tetragamma", x),),
    "j0":          (-call("j1", x),),
    "j1":          (select(eq(x, 0), _half, call("j0", x) - r / x),),
    "jn":          (ZERO, (call("jn", _first_int - 1, y) - call("jn", _first_int + 1, y)) / 2),
    "y0":          (-call("y1", x),),
    "y1":          (call("y0", x) - r / x,),
    "yn":          (ZERO, (call("yn", _first_int - 1, y) - call("yn", _first_int + 1, y)) / 2),
    # Scaling by powers of two; the integer operand carries nothing
    "ldexp":       (call("ldexp", 1, _second_int),          ZERO),
    "scalbln":     (call("scalbln", 1, _second_int),        ZERO),
    "scalb":       (call("exp2", call("rint", y)),          ZERO),  # its value for a whole number
    # x without its exponent: divided by a power of two
    "significand": (select(eq(x, 0), 1, r / x),),
    # Steps
    "floor":       (ZERO,),
    "ceil":        (ZERO,),
    "trunc":       (ZERO,),
    "round":       (ZERO,),
    "roundeven":   (ZERO,),
    "rint":        (ZERO,),
    "nearbyint":   (ZERO,),
    "logb":        (ZERO,),
    # The identity, as far as derivatives go
    "nextafter":   (ONE,                                    ZERO),
    "nexttoward":  (ONE,                                    ZERO),
    "nextup":      (ONE,),
    "nextdown":    (ONE,),
    "canonicalize": (ONE,),
    "arithmetic.fence": (ONE,),
    "ssa.copy":    (ONE,),
}
# fmt: on

#: Functions with finite values at the end of their domain where the slope is infinite.
STEEP_ENDS: Final = frozenset({"sqrt", "pow", "asin", "acos", "asinpi", "acospi", "acosh"})

#: Better rows where the second operand is a constant.
BY_CONSTANT: Final[Mapping[str, tuple[Expr, ...]]] = {"pow": _pow_by_constant()}

#: Rows that read an operand instead of the result: where that costs nothing, the result need not be kept, nor computed.
BY_OPERANDS: Final[Mapping[str, tuple[Expr, ...]]] = {"fdiv": (1 / y, -(x * (1 / y) * (1 / y)))}

#: The reciprocal, a quotient whose first operand is the constant one: its slope needs no division.
RECIPROCAL: Final[tuple[Expr, ...]] = (ZERO, -(r * r))

#: Functions whose partials are constant: neither mode needs a primal value, and the tape keeps nothing.
LINEAR: Final = frozenset(name for name, row in PARTIALS.items() if not any(reads(partial) for partial in row))

#: Which operand is an integer.
INTEGER_OPERANDS: Final[Mapping[str, int]] = {
    **dict.fromkeys(["powi", "pown", "compoundn", "rootn", "ldexp", "scalbln"], 1),
    **dict.fromkeys(["jn", "yn"], 0),
}


def partials(function: str) -> tuple[Expr, ...] | None:
    """The row of a canonical function name."""
    return PARTIALS.get(function)
