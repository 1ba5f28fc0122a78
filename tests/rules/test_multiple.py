"""Functions with several results: every partial against central differences."""

from __future__ import annotations

import mpmath as mp
import pytest

from enzyme_build.rules.expr import evaluate
from enzyme_build.rules.names import SEVERAL_RESULTS

from .numbers import FUNCTIONS, difference, truncate


def exponent(x):
    return int(mp.frexp(x)[1])


def multiply(x, y, z, w):
    product = mp.mpc(x, y) * mp.mpc(z, w)
    return product.real, product.imag


def divide(x, y, z, w):
    quotient = mp.mpc(x, y) / mp.mpc(z, w)
    return quotient.real, quotient.imag


def parts(function):
    """Real and imaginary part of a function of complex numbers, which come as pairs of arguments."""

    def both(*v):
        value = mp.mpc(function(*(mp.mpc(a, b) for a, b in zip(v[::2], v[1::2], strict=True))))
        return value.real, value.imag

    return both


RESULTS = {
    "cexp": parts(mp.exp),
    "clog": parts(mp.log),
    "csqrt": parts(mp.sqrt),
    "csin": parts(mp.sin),
    "ccos": parts(mp.cos),
    "ctan": parts(mp.tan),
    "casin": parts(mp.asin),
    "cacos": parts(mp.acos),
    "catan": parts(mp.atan),
    "casinh": parts(mp.asinh),
    "cacosh": parts(mp.acosh),
    "catanh": parts(mp.atanh),
    "csinh": parts(mp.sinh),
    "ccosh": parts(mp.cosh),
    "ctanh": parts(mp.tanh),
    "cpow": parts(mp.power),
    "cproj": parts(lambda z: z),
    "conj": parts(mp.conj),
    "frexp": lambda x: (x * mp.power(2, -exponent(x)), exponent(x)),
    "modf": lambda x: (x - truncate(x), truncate(x)),
    "sincos": lambda x: (mp.sin(x), mp.cos(x)),
    "sincospi": lambda x: (mp.sinpi(x), mp.cospi(x)),
    "remquo": lambda x, y: (x - y * mp.nint(x / y), int(mp.nint(x / y)) & 7),
    "lgamma_r": lambda x: (mp.log(abs(mp.gamma(x))), 1 if mp.gamma(x) > 0 else -1),
    "muldc3": multiply,
    "divdc3": divide,
}
for name in ("frexp", "modf", "sincos", "sincospi"):
    RESULTS[f"llvm.{name}"] = RESULTS[name]

POINTS = [("1.3", "-0.7", "2.1", "0.4"), ("-0.6", "1.9", "-1.2", "3.3"), ("5.2", "0.9", "0.3", "-0.9")]


@pytest.mark.parametrize("function", SEVERAL_RESULTS)
def test_partials_are_the_slopes(function):
    rule = SEVERAL_RESULTS[function]
    for texts in POINTS:
        point = [mp.mpf(text) for text in texts[: len(rule.operands)]]
        env = dict(zip("xyzw", point, strict=False)) | dict(zip("rs", RESULTS[function](*point), strict=False))
        for number, result in enumerate(rule.results):
            if result.integer:
                assert isinstance(RESULTS[function](*point)[number], int)
                continue
            assert len(result.partials) == len(point)
            for at, partial in enumerate(result.partials):
                expected = difference(lambda *v, n=number: RESULTS[function](*v)[n], point, at)
                found = evaluate(partial, env, FUNCTIONS)
                assert mp.almosteq(found, expected, rel_eps=mp.mpf(10) ** -17, abs_eps=mp.mpf(10) ** -19)
