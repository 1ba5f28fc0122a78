"""Statements that call the mathematics library: every function of the rule tables that this machine's library has.

The tables are read from the project, so that a new row is fuzzed without more ado.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from enzyme_build.rules.names import _SYNONYMS
from enzyme_build.rules.scalar import INTEGER_OPERANDS, PARTIALS

_POSITIVE = "1.3 + {0} * {0}"
_UNIT = "0.7 * sin({0})"
_SMALL = "0.6 * sin({0})"
_DOMAINS = {
    **dict.fromkeys(["log", "log2", "log10", "sqrt", "rsqrt", "lgamma", "gamma", "y0", "y1", "yn", "acosh"], _POSITIVE),
    **dict.fromkeys(["asin", "acos", "atanh", "asinpi", "acospi", "log1p", "log2p1", "log10p1", "compoundn"], _UNIT),
    **dict.fromkeys(["exp", "exp2", "exp10", "expm1", "sinh", "cosh", "exp2m1", "exp10m1", "tan", "tanpi"], _SMALL),
    **dict.fromkeys(["tgamma", "pow", "powr", "rootn", "pown", "atan2", "atan2pi", "hypot"], "1.4 + 0.5 * sin({0})"),
    **dict.fromkeys(["significand", "logb"], "1.5 + 0.3 * sin({0})"),
    "cbrt": "2.5 + sin({0})",
}
_DIVISORS = {"fmod", "remainder", "drem"}
_STEPS = {"floor", "ceil", "trunc", "round", "roundeven", "rint", "nearbyint", "logb"}
_SKIPPED = {"canonicalize", "fadd", "fsub", "fmul", "fdiv", "fma", "carg", "creal", "cimag"}
"""Of another meaning in the library (results in float), or called elsewhere."""


def _known() -> dict[str, str]:
    """Functions of the library, and their rows."""
    library = ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")
    rows = {name: name for name in PARTIALS} | _SYNONYMS
    wanted = {name: row for name, row in rows.items() if row in PARTIALS and name not in _SKIPPED}
    return {name: row for name, row in wanted.items() if hasattr(library, name)}


FUNCTIONS = _known()
COMPLEX = ("csin", "ccos", "ctan", "csinh", "ccosh", "ctanh", "cexp", "clog", "csqrt", "casin", "cacos", "catan",
           "casinh", "cacosh", "catanh", "conj", "cproj")  # fmt: skip


class LibraryStatements:
    """Mixed into the generator."""

    def function_of(self, name: str, precision: str) -> str:
        """A call of a known function with arguments in its domain."""
        row = FUNCTIONS[name]
        arguments = []
        first = 1 if INTEGER_OPERANDS.get(row) == 0 else 0
        for at in range(len(PARTIALS[row])):
            if INTEGER_OPERANDS.get(row) == at:
                arguments.append(str(self.random.randint(1 if row == "rootn" else -1, 3)))
                continue
            value = f"({self.value()})"
            if at == 1 and name in _DIVISORS:
                value = f"1.3 + fabs({value})"
            elif at == first:
                value = _DOMAINS.get(name, "{}").format(value)
            arguments.append(value)
        result = f"{name}{precision}({', '.join(arguments)})"
        return f"0.1 * {result}" if row in _STEPS else result

    def do_library(self, _: int) -> None:
        precision = self.pick(("", "", "l", "f" if self.scope.floats else ""))
        name = self.pick(FUNCTIONS)
        if name in {"significand", "nexttoward", "drem", "gamma"}:
            precision = ""
        self.say(f"{self.place()} = tanh({self.function_of(name, precision)});")

    def do_several(self, _: int) -> None:
        """Functions with several results."""
        a, b = self.name("s"), self.name("c")
        self.say(self.pick((
            f"{{ int {a}; {self.place()} = frexp(1.5 + 0.4 * sin({self.value()}), &{a}) * {a}; }}",
            f"{{ double {a}; {self.place()} = 0.3 * modf({self.value()}, &{a}) + 0.1 * {a}; }}",
            f"{{ double {a}, {b}; sincos({self.value()}, &{a}, &{b}); {self.place()} = {a} * 0.6 + {b}; }}",
            f"{{ double {b}; sincos({self.value()}, &{self.element()}, &{b}); {self.place()} = {b}; }}",
            f"{{ int {a}; {self.place()} = remquo({self.value()}, 1.4 + fabs({self.value()}), &{a}) + 0.1 * {a}; }}",
            f"{{ int {a}; {self.place()} = 0.3 * lgamma_r(2.5 + sin({self.value()}), &{a}) * {a}; }}",
            f"{{ long double {a}; {self.place()} = 0.3 * modfl({self.value()}, &{a}) + 0.1 * {a}; }}",
        )))  # fmt: skip

    def do_complex_function(self, _: int) -> None:
        z, name = self.name("z"), self.pick(COMPLEX)
        long, suffix = self.pick((("", ""), ("", ""), ("long ", "l")))
        outer = self.open("")
        self.say(f"{long}double complex {z} = 1.3 + 0.3 * sin({self.value()}) + (0.5 + 0.2 * cos({self.value()})) * I;")
        if self.chance(0.3):
            self.say(f"{z} = 0.4 * cpow{suffix}({z}, 0.7 + 0.2 * {z});")
        self.say(f"{z} = {name}{suffix}({z});")
        self.say(f"{self.place()} = tanh(creal{suffix}({z}) - 0.4 * cimag{suffix}({z}));")
        self.say(f"{self.place()} = 0.3 * carg{suffix}({z} + 3.0) + 0.1 * cabs{suffix}({z});")
        self.close(outer)

    def do_static_array(self, depth: int) -> None:
        """Memory that stays, written anew by every call."""
        name = self.name("st")
        outer = self.open("")
        self.say(f"static double {name}[3];")
        self.say(f"for (int i = 0; i < 3; i++) {name}[i] = {self.value()} * (i + 1);")
        self.scope.arrays[name] = 3
        if depth > 0:
            self.block(depth - 1)
        self.say(f"{self.place()} = sin({name}[0] * {name}[1] + 0.2 * {name}[2]);")
        self.close(outer)

    def do_indirect(self, depth: int) -> None:
        """Calls through pointers that the data choose."""
        known = [name for kind, name in self.helpers if kind == "two"]
        if not known:
            self.do_library(depth)
            return
        f = self.name("f")
        outer = self.open("")
        type_ = f"double (*{f}[2])(double *, double *, double, int, int)"
        self.say(f"{type_} = {{{self.pick(known)}, {self.pick(known)}}};")
        self.work += 3
        a, b = self.pick(self.big()), self.pick(self.big())
        self.say(f"{self.place()} = {f}[{self.condition()}]({a}, {b}, {self.value()}, n, {self.random.randint(0, 2)});")
        self.close(outer)

    def do_objects(self, depth: int) -> None:
        """Objects with tables of functions: classes as C writes them."""
        o, p = self.name("o"), self.prefix
        array = self.pick(self.big())
        outer = self.open("")
        self.say(f"{p}_O {o}[3];")
        table = f"(i + {self.random.randint(0, 2)}) % 2 ? &{p}_round : &{p}_flat"
        fields = f"{table}, {self.value()} + 0.1 * i, {array}"
        self.say(f"for (int i = 0; i < 3; i++) {o}[i] = ({p}_O){{{fields}}};")
        state = self.enter("for (int i = 0; i < 4; i++)", "i")
        self.say(f"{p}_O *at = &{o}[(i * 2) % 3];")
        self.say(f"at->ops->change(at, {self.value()});")
        self.scope.scalars.append("at->size")
        self.block(min(depth - 2, 0))
        self.say(f"{self.place()} = tanh(at->ops->measure(at));")
        self.leave_loop(state)
        self.close(outer)


def object_types(p: str) -> str:
    return (
        f"typedef struct {p}_O {p}_O;\n"
        f"struct {p}_ops {{ double (*measure)(const {p}_O *); void (*change)({p}_O *, double); }};\n"
        f"struct {p}_O {{ const struct {p}_ops *ops; double size, *data; }};\n"
        f"static double {p}_round_measure(const {p}_O *o) {{ return o->size * o->size + 0.3 * o->data[0]; }}\n"
        f"static void {p}_round_change({p}_O *o, double by) {{ o->size = sin(o->size + by); o->data[1] *= 0.9; }}\n"
        f"static double {p}_flat_measure(const {p}_O *o) {{ return 0.4 * o->size * o->data[2]; }}\n"
        f"static void {p}_flat_change({p}_O *o, double by) {{ o->size = tanh(o->size * by); }}\n"
        f"static const struct {p}_ops {p}_round = {{{p}_round_measure, {p}_round_change}};\n"
        f"static const struct {p}_ops {p}_flat = {{{p}_flat_measure, {p}_flat_change}};\n"
    )
