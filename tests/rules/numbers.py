"""The functions of the tables in multiprecision, and derivatives by central differences: truth from outside."""

from __future__ import annotations

import mpmath as mp

mp.mp.dps = 60


def rint(x):
    return mp.nint(x)


def truncate(x):
    return mp.sign(x) * mp.floor(abs(x))


def away(x):
    return mp.sign(x) * mp.floor(abs(x) + mp.mpf("0.5"))


def copysign(x, y):
    return abs(x) if y >= 0 else -abs(x)


def larger(x, y):
    return y if mp.isnan(x) else x if mp.isnan(y) else max(x, y)


def smaller(x, y):
    return y if mp.isnan(x) else x if mp.isnan(y) else min(x, y)


FUNCTIONS = {
    "fadd": lambda x, y: x + y,
    "fsub": lambda x, y: x - y,
    "fmul": lambda x, y: x * y,
    "fdiv": lambda x, y: x / y,
    "fneg": lambda x: -x,
    "frem": lambda x, y: x - y * truncate(x / y),
    "fmod": lambda x, y: x - y * truncate(x / y),
    "remainder": lambda x, y: x - y * mp.nint(x / y),
    "fma": lambda x, y, z: x * y + z,
    "fmuladd": lambda x, y, z: x * y + z,
    "fabs": abs,
    "copysign": copysign,
    "fmax": larger,
    "fmin": smaller,
    "maximumnum": larger,
    "minimumnum": smaller,
    "maximum": max,
    "minimum": min,
    "fmaxmag": lambda x, y: max(x, y) if abs(x) == abs(y) else x if abs(x) > abs(y) else y,
    "fminmag": lambda x, y: min(x, y) if abs(x) == abs(y) else x if abs(x) < abs(y) else y,
    "fdim": lambda x, y: max(x - y, mp.mpf(0)),
    "sqrt": mp.sqrt,
    "rcp": lambda x: 1 / x,
    "rsqrt": lambda x: 1 / mp.sqrt(x),
    "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
    "hypot": mp.hypot,
    "pow": mp.power,
    "powi": mp.power,
    "pown": mp.power,
    "compoundn": lambda x, n: mp.power(1 + x, n),
    "rootn": lambda x, n: mp.sign(x) * mp.power(abs(x), mp.mpf(1) / n) if n % 2 else mp.power(x, mp.mpf(1) / n),
    "exp": mp.exp,
    "exp2": lambda x: mp.power(2, x),
    "exp10": lambda x: mp.power(10, x),
    "expm1": mp.expm1,
    "exp2m1": lambda x: mp.power(2, x) - 1,
    "exp10m1": lambda x: mp.power(10, x) - 1,
    "log": mp.log,
    "log2": lambda x: mp.log(x) / mp.log(2),
    "log10": mp.log10,
    "log1p": mp.log1p,
    "log2p1": lambda x: mp.log1p(x) / mp.log(2),
    "log10p1": lambda x: mp.log1p(x) / mp.log(10),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": mp.asin,
    "acos": mp.acos,
    "atan": mp.atan,
    "atan2": mp.atan2,
    "sinpi": mp.sinpi,
    "cospi": mp.cospi,
    "tanpi": lambda x: mp.sinpi(x) / mp.cospi(x),
    "asinpi": lambda x: mp.asin(x) / mp.pi,
    "acospi": lambda x: mp.acos(x) / mp.pi,
    "atanpi": lambda x: mp.atan(x) / mp.pi,
    "atan2pi": lambda y, x: mp.atan2(y, x) / mp.pi,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "tanh": mp.tanh,
    "asinh": mp.asinh,
    "acosh": mp.acosh,
    "atanh": mp.atanh,
    "erf": mp.erf,
    "erfc": mp.erfc,
    "tgamma": mp.gamma,
    "lgamma": lambda x: mp.log(abs(mp.gamma(x))),
    "digamma": mp.digamma,
    "trigamma": lambda x: mp.psi(1, x),
    "tetragamma": lambda x: mp.psi(2, x),
    "creal": lambda x, y: x,
    "cimag": lambda x, y: y,
    "carg": lambda x, y: mp.arg(mp.mpc(x, y)),
    "j0": mp.j0,
    "j1": mp.j1,
    "jn": mp.besselj,
    "y0": lambda x: mp.bessely(0, x),
    "y1": lambda x: mp.bessely(1, x),
    "yn": mp.bessely,
    "ldexp": lambda x, n: x * mp.power(2, n),
    "scalbln": lambda x, n: x * mp.power(2, n),
    "scalb": lambda x, n: x * mp.power(2, rint(n)),
    "significand": lambda x: 2 * mp.frexp(x)[0],
    "floor": mp.floor,
    "ceil": mp.ceil,
    "trunc": truncate,
    "round": away,
    "roundeven": rint,
    "rint": rint,
    "nearbyint": rint,
    "logb": lambda x: mp.mpf(mp.frexp(x)[1] - 1) if x else mp.nan,
    "nextafter": lambda x, y: x,
    "nexttoward": lambda x, y: x,
    "nextup": lambda x: x,
    "nextdown": lambda x: x,
    "canonicalize": lambda x: x,
    "arithmetic.fence": lambda x: x,
    "ssa.copy": lambda x: x,
}


def difference(function, arguments, at, step=None):
    """∂function/∂argument `at`, by a central difference whose error is far below double precision."""
    step = mp.mpf(10) ** -20 if step is None else step
    ahead, behind = list(arguments), list(arguments)
    ahead[at] += step
    behind[at] -= step
    return (function(*ahead) - function(*behind)) / (2 * step)
