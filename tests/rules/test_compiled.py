"""The scalar table as compiled code, in three precisions: forward, reverse and forward over reverse mode against
differences of the functions in 60 digits, at ordinary points, at 0, ±1 and ties, and at small and large numbers.

Where a function has a kink the derivative must lie between the slopes of both sides, where it jumps on the slope of
a side that is continuous. Where all slopes are infinite, and where the value is, anything goes.
"""

from __future__ import annotations

import itertools
import tempfile
from functools import cache
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

from enzyme_build.ir.types import X86_FP80
from enzyme_build.rules.scalar import INTEGER_OPERANDS, PARTIALS

from .compiled import FIRST_ORDER_ONLY, PRECISIONS, Rows, compiled_rows
from .numbers import FUNCTIONS

pytestmark = pytest.mark.compile

# Numbers of few bits: the same in all precisions. The operands of one point differ a little.
ORDINARY = [-2.59375, -0.828125, 0.171875, 0.625, 1.296875, 2.703125, 6.09375]
SPECIAL = [-1e8, -1.0, -(2.0**-27), 0.0, 2.0**-27, 1.0, 2.0, 1e8]
DIRECTION = [0.75, -1.3125, 0.4375]
INTEGERS = [-2, 0, 1, 3]
TOLERANCE = {"float": 3e-5, "double": 1e-12, "long double": 3e-15}
# Derivatives of double precision; and glibc's own errors near zeros of Bessel functions and for large arguments.
LOOSER = {
    **dict.fromkeys(["lgamma", "tgamma", "digamma", "trigamma", "tetragamma"], 3e-11),
    **dict.fromkeys(["j0", "j1", "jn", "y0", "y1", "yn"], 1e-8),
}
# Conventions and poles that the slopes along single directions do not show.
DECIDED = {(function, (0.0, 0.0)) for function in ("pow", "atan2", "copysign", "fmaxmag", "fminmag")}


@cache
def compiled(precision):
    with tempfile.TemporaryDirectory() as folder:
        return Rows(*PRECISIONS[precision], Path(folder))


@pytest.fixture(params=PRECISIONS)
def rows(request, function):
    library = compiled(request.param)
    if function not in library.rows:
        pytest.skip("nothing computes it in this precision")
    return request.param, library


def value(function, point):
    try:
        found = FUNCTIONS[function](*point)
    except (ValueError, ZeroDivisionError, OverflowError):
        return mp.nan
    if isinstance(found, mp.mpc):
        return mp.nan if found.imag else found.real
    return mp.mpf(found)


def moved(function, point, direction, step):
    return value(function, [p if isinstance(p, int) else p + step * d for p, d in zip(point, direction, strict=True)])


def slopes(function, point, direction):
    """The finite slopes along the direction, of both sides."""
    found = []
    at = value(function, point)
    for sign in (1, -1):
        near, nearer = (
            (moved(function, point, direction, sign * step) - at) / (sign * step)
            for step in (mp.mpf(10) ** -22, mp.mpf(10) ** -24)
        )
        if mp.isfinite(nearer) and abs(near - nearer) <= mp.mpf(10) ** -9 * (1 + abs(nearer)):
            found.append(nearer)
    return found


def central(function, point, direction):
    step = mp.mpf(10) ** -20
    return (moved(function, point, direction, step) - moved(function, point, direction, -step)) / (2 * step)


def mixed(function, point, one, other):
    """The second derivative along two directions."""
    step = mp.mpf(10) ** -14

    def at(a, b):
        both = [a * u + b * v for u, v in zip(one, other, strict=True)]
        return moved(function, point, both, step)

    return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * step * step)


def points(function, numbers, most):
    choices = [
        INTEGERS if INTEGER_OPERANDS.get(function) == at else [number + spread for number in numbers]
        for at, spread in zip(range(len(PARTIALS[function])), (0, 15 / 1024, -29 / 1024), strict=False)
    ]
    every = list(itertools.product(*choices))
    return every if len(every) <= most else every[:: len(every) // most + 1]


def operands(function):
    """Those that are no integers."""
    return [at for at in range(len(PARTIALS[function])) if INTEGER_OPERANDS.get(function) != at]


def ways(function):
    """The direction of the tangent, and those of the operands."""
    count = len(PARTIALS[function])
    along = [DIRECTION[at] if at in operands(function) else 0 for at in range(count)]
    return along, [[int(at == other) for other in range(count)] for at in operands(function)]


@cache
def ordinary(function):
    """(point, value, slope along the direction, slopes by the operands, second derivatives)."""
    found = []
    along, units = ways(function)
    for point in points(function, ORDINARY, 16):
        where = [p if isinstance(p, int) else mp.mpf(p) for p in point]
        if mp.isfinite(at := value(function, where)):
            first = [central(function, where, unit) for unit in units]
            second = [] if function in FIRST_ORDER_ONLY else [mixed(function, where, along, unit) for unit in units]
            found.append((point, at, central(function, where, along), first, second))
    return found


@cache
def special(function):
    """(point, value, per direction the slopes of its sides) where the function has a value."""
    found = []
    along, units = ways(function)
    count = len(PARTIALS[function])
    choices = [INTEGERS if INTEGER_OPERANDS.get(function) == at else SPECIAL for at in range(count)]
    every = list(itertools.product(*choices))
    # Ties among three operands, and a part of the rest
    for point in every if count < 3 else every[::11]:
        if function == "trigamma" and abs(point[0]) > 100:
            continue  # mpmath takes too long
        where = [p if isinstance(p, int) else mp.mpf(p) for p in point]
        at = value(function, where)
        if mp.isfinite(at) and abs(at) < mp.mpf(2) ** 120 and (function, point) not in DECIDED:
            found.append((point, at, [slopes(function, where, way) for way in (along, *units)]))
    return found


def tolerance(precision, function):
    loose = LOOSER.get(function, 0)
    return max(TOLERANCE[precision], loose if precision != "float" else loose * 1e4)


def near(found, low, high, scale):
    return low - scale <= mp.mpf(float(found)) + mp.mpf(float(found - type(found)(float(found)))) <= high + scale


ROWS = sorted({row for type_, _ in PRECISIONS.values() for row in compiled_rows(type_)})


def test_most_rows_are_compiled():
    assert len(compiled_rows(X86_FP80)) >= 60


@pytest.mark.parametrize("function", ROWS)
def test_ordinary_points(rows, function):
    precision, library = rows
    assert len(ordinary(function)) >= 2
    for point, at, slope, first, second in ordinary(function):
        _, tangent, adjoints, seconds = library.derivatives(function, point, DIRECTION[: len(point)])
        scale = tolerance(precision, function) * (1 + abs(at) + sum(map(abs, first)))
        assert near(tangent, slope, slope, 3 * scale), (point, "tangent", tangent, slope)
        for found, expected in zip(adjoints, first, strict=True):
            assert near(found, expected, expected, scale), (point, found, expected)
        for found, expected in zip(seconds, second or seconds, strict=True):
            # A third derivative may be large beside the second.
            assert near(found, expected, expected, 30 * scale * (1 + abs(expected))), (point, "second", found, expected)


@pytest.mark.parametrize("function", ROWS)
def test_special_points(rows, function):
    precision, library = rows
    for point, at, expected in special(function):
        computed, tangent, adjoints, _ = library.derivatives(function, point, DIRECTION[: len(point)])
        if not np.isfinite(computed):
            continue
        for found, sides in zip((tangent, *adjoints), expected, strict=True):
            if sides and max(map(abs, sides)) < mp.mpf(2) ** 120:
                scale = tolerance(precision, function) * (1 + abs(at) + max(map(abs, sides)))
                assert near(found, min(sides), max(sides), scale), (point, found, sides)
