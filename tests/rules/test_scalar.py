"""Every row of the table against central differences of the function itself; special points one by one."""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import pytest

from enzyme_build.rules.expr import ZERO, Apply, evaluate, reads, walk
from enzyme_build.rules.scalar import BY_CONSTANT, BY_OPERANDS, INTEGER_OPERANDS, LINEAR, PARTIALS, RECIPROCAL

from .numbers import FUNCTIONS, difference

ORDINARY = ["-7.3", "-2.6", "-1.4", "-0.83", "-0.2", "0.003", "0.17", "0.62", "0.98", "1.3", "2.7", "6.1", "11.9"]
# A little different for each operand: at ties and multiples there is no slope.
SPREAD = [mp.mpf(1), mp.mpf("0.93"), mp.mpf("1.07")]
# Where a function is defined, other than everywhere
DOMAINS = {
    **dict.fromkeys(["sqrt", "rsqrt", "log", "log2", "log10", "y0", "y1"], lambda x: x > 0),
    "pow": lambda x, y: x > 0,
    **dict.fromkeys(["log1p", "log2p1", "log10p1"], lambda x: x > -1),
    "rootn": lambda x, n: n != 0 and x > 0,
    **dict.fromkeys(["asin", "acos", "asinpi", "acospi", "atanh"], lambda x: abs(x) < 1),
    "acosh": lambda x: x > 1,
    "yn": lambda n, x: x > 0,
}
INTEGERS = [-2, -1, 0, 1, 3]


def samples(function):
    row = PARTIALS[function]
    choices = [
        INTEGERS if INTEGER_OPERANDS.get(function) == at else [mp.mpf(text) * SPREAD[at] for text in ORDINARY]
        for at in range(len(row))
    ]
    every = [point for point in itertools.product(*choices) if DOMAINS.get(function, lambda *_: True)(*point)]
    # A few hundred points say as much as a thousand.
    return every if len(every) <= 120 else every[:: len(every) // 120 + 1]


def environment(function, point):
    return dict(zip("xyzw", point, strict=False)) | {"r": FUNCTIONS[function](*point)}


ROWS = [(name, row) for table in (PARTIALS, BY_CONSTANT, BY_OPERANDS) for name, row in table.items()]


@pytest.mark.parametrize(("function", "row"), ROWS)
def test_partials_are_the_slopes(function, row):
    points = samples(function)
    assert len(points) >= 4
    for point in points:
        env = environment(function, point)
        for at, partial in enumerate(row):
            if INTEGER_OPERANDS.get(function) == at:
                assert partial is ZERO
                continue
            expected = difference(FUNCTIONS[function], point, at)
            found = evaluate(partial, env, FUNCTIONS)
            assert mp.almosteq(found, expected, rel_eps=mp.mpf(10) ** -17, abs_eps=mp.mpf(10) ** -19), (point, at)


@pytest.mark.parametrize(("function", "row"), ROWS)
def test_formulas_call_known_functions_and_read_their_operands(function, row):
    symbols = set("xyzw"[: len(PARTIALS[function])]) | {"r"}
    for partial in row:
        assert reads(partial) <= symbols
        assert all(node.function in FUNCTIONS for node in walk(partial) if isinstance(node, Apply))


def test_linear_functions_read_nothing():
    assert {"fadd", "fsub", "fneg", "floor"} <= LINEAR
    assert not LINEAR & {"fmul", "exp", "fmax", "fabs", "fmod"}


INF, NAN = math.inf, math.nan


def _power(x, y):
    try:
        return math.pow(x, y)
    except (ValueError, ZeroDivisionError):
        return math.copysign(INF, x) if y % 2 == 1 else INF


def _log(x):
    return math.log(x) if x > 0 else -INF if x == 0 else NAN


DOUBLES = {
    **{
        name: getattr(math, name) for name in ("sin", "cos", "exp", "cosh", "sinh", "copysign", "sqrt", "fmod", "hypot")
    },
    "log": _log,
    "pow": _power,
    "powi": lambda x, n: 1.0 / x**-n if n < 0 and x else INF if n < 0 else x**n,
    "fabs": abs,
    "cbrt": lambda x: math.copysign(abs(x) ** (1 / 3), x),
    "fmax": lambda x, y: y if x != x else x if y != y else max(x, y),
    "fmin": lambda x, y: y if x != x else x if y != y else min(x, y),
    "maximum": lambda x, y: NAN if x != x or y != y else max(x, y),
    "fdim": lambda x, y: max(x - y, 0.0),
    "j0": lambda x: float(mp.j0(x)),
    "j1": lambda x: float(mp.j1(x)),
}


class Number(float):
    """A double that divides by zero as the processor does."""

    def __truediv__(self, other):
        other = float(other)
        if other:
            return Number(float(self) / other)
        if self != self or self == 0:
            return Number(NAN)
        return Number(math.copysign(INF, self) * math.copysign(1.0, other))

    def __rtruediv__(self, other):
        return Number(other) / self

    def __mul__(self, other):
        return Number(float(self) * float(other))

    def __add__(self, other):
        return Number(float(self) + float(other))

    def __sub__(self, other):
        return Number(float(self) - float(other))

    def __neg__(self):
        return Number(-float(self))

    __rmul__, __radd__ = __mul__, __add__

    def __rsub__(self, other):
        return Number(other) - self


@pytest.mark.parametrize(
    ("function", "point", "expected"),
    [
        # Kinks: the subgradient in the middle
        ("fabs", (0.0,), (0.0,)),
        ("fabs", (-0.0,), (0.0,)),
        ("hypot", (0.0, 0.0), (0.0, 0.0)),
        # Infinite slopes
        ("sqrt", (0.0,), (INF,)),
        ("cbrt", (0.0,), (INF,)),
        # Ties go to the first operand
        ("fmax", (2.0, 2.0), (1.0, 0.0)),
        ("fmin", (2.0, 2.0), (1.0, 0.0)),
        ("maximum", (0.0, 0.0), (1.0, 0.0)),
        # An ignored NaN gets nothing
        ("fmax", (NAN, 3.0), (0.0, 1.0)),
        ("fmax", (3.0, NAN), (1.0, 0.0)),
        ("fmin", (NAN, 3.0), (0.0, 1.0)),
        ("fmin", (3.0, NAN), (1.0, 0.0)),
        ("fdim", (1.0, 1.0), (0.0, 0.0)),
        # pow at 0 and at exponent 0
        ("pow", (0.0, 2.0), (0.0, 0.0)),
        ("pow", (0.0, 1.0), (1.0, 0.0)),
        ("pow", (0.0, 0.0), (0.0, 0.0)),
        ("pow", (0.0, 0.5), (INF, 0.0)),
        ("pow", (0.0, -1.0), (-INF, -INF)),
        ("pow", (3.0, 0.0), (0.0, math.log(3.0))),
        ("pow", (-2.0, 3.0), (12.0, NAN)),
        ("powi", (0.0, 0), (0.0, 0.0)),
        ("powi", (0.0, 1), (1.0, 0.0)),
        ("powi", (0.0, 2), (0.0, 0.0)),
        ("powi", (-2.0, 3), (12.0, 0.0)),
        ("j1", (0.0,), (0.5,)),
    ],
)
def test_special_points(function, point, expected):
    point = tuple(value if isinstance(value, int) else Number(value) for value in point)
    functions = {name: lambda *v, f=f: Number(f(*map(float, v))) for name, f in DOUBLES.items()}
    functions["powi"] = lambda x, n: Number(DOUBLES["powi"](float(x), n))
    env = dict(zip("xyz", point, strict=False)) | {"r": functions[function](*point)}
    for partial, wanted in zip(PARTIALS[function], expected, strict=True):
        found = float(evaluate(partial, env, functions))
        assert found == pytest.approx(wanted, rel=1e-14, nan_ok=True)


def test_rows_of_operands_read_no_result():
    assert BY_OPERANDS
    assert all("r" not in reads(partial) for row in BY_OPERANDS.values() for partial in row)


@pytest.mark.parametrize("y", [0.25, -3.0, 1e9])
def test_a_reciprocal_is_a_quotient_of_one(y):
    point = (1.0, y)
    expected = difference(FUNCTIONS["fdiv"], point, 1)
    env = dict(zip("xy", point, strict=True)) | {"r": FUNCTIONS["fdiv"](*point)}
    assert RECIPROCAL[0] is ZERO
    assert float(evaluate(RECIPROCAL[1], env, FUNCTIONS)) == pytest.approx(float(expected), rel=1e-12)
