"""Random C++ functions over what the standard library and the language offer beyond C.

Each stands in a namespace of its own, with its classes, as `extern "C" double pK(double *x, double *y, int n)`. The
rules are those of `generate`: everything is initialised, indices are inside, loops end, values stay bounded, one
statement a line.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cxx_classes import CLASSES
from cxx_statements import CHANGES, CONTAINERS, OBJECTS, SIMPLE
from generate import M, N, Scope
from templates import TextGenerator, texts

_HEADERS = ("algorithm", "array", "cmath", "complex", "cstdint", "cstdlib", "cstring", "deque", "forward_list",
            "functional", "list", "map", "memory", "numeric", "optional", "queue", "set", "span", "stack", "string",
            "tuple", "unordered_map", "utility", "valarray", "variant", "vector")  # fmt: skip
CXX_HEAD = "\n".join(f"#include <{name}>" for name in _HEADERS) + "\n#define NOINLINE __attribute__((noinline))\n"
_OWN = ("assign", "assign", "assign", "update", "update", "swap", "local_array", "element_loop")
_BLOCKS = ("branch", "branch", "count_loop", "count_loop", "count_loop", "while_loop", "do_loop")
_SHAPES = ("Ball>($V)", "Ring>($V, $V)", "Path>(std::vector<double>{$V, $V})", "Both>($V, $V)")
_CALLS = ("Line{$V, $V}", "[k_ = $V + 0.0](double v_) { return std::sin(k_ * v_); }",
          "[k_ = $V + 0.0, m_ = $V + 0.0](double v_) mutable { k_ += 0.1 * v_; return std::tanh(k_ * m_); }",
          "[](double v_) { return 0.4 * v_ * v_ / (1 + v_ * v_); }")  # fmt: skip
_HELPERS = {
    "span": ("double NAME(std::span<double> p, double s, int n, int k)", "return $X;"),
    "vector": ("double NAME(std::vector<double> &v, const std::vector<double> &w, double s, int n, int k)",
               "v[k % 3] += 0.2 * w[1]; return $X;"),
    "made": ("std::vector<double> NAME(std::vector<double> v, double s, int n, int k)", "v[1] = $X; return v;"),
    "point": ("Point NAME(Point p, const Point &q, double s, int n, int k)", "p.x = $X; return p + q * 0.3;"),
    "callable": ("double NAME(F &&f, double s, int n, int k)", "return f($X) * 0.5 + f(t);"),
    "recursive": ("double NAME(std::span<double> p, double s, int n, int k)", "return $X;"),
}  # fmt: skip


class CxxGenerator(TextGenerator):
    """Grows one function, its classes and helpers."""

    def __init__(self, seed: int, prefix: str, *, fixed: bool = False) -> None:
        super().__init__(seed, prefix, fixed=fixed)
        self.precise = True

    # ---- texts

    MARKS = r"\$SHAPE|\$CALL|\$[VPSAWLFNKCBX]"

    def piece(self, mark: str) -> str:
        match mark:
            case "$SHAPE":
                return "std::make_unique<" + self.pick(_SHAPES)
            case "$CALL":
                return self.pick(_CALLS)
            case "$V":
                return self.value()
            case "$P":
                return self.place()
            case "$S":
                return self.pick(self.scope.scalars)
            case "$A" | "$F" | "$L":
                array = self.pick(self.contiguous())
                iterated = array in self.vector_names and self.chance(0.5)
                first = f"{array}.begin()" if iterated else f"&{array}[0]"
                return array if mark == "$A" else first if mark == "$F" else f"{first}, {first} + 3"
            case "$W":
                return self.pick(self.vectors)
            case "$N":
                return self.arrays_of_text[0]
            case "$K":
                return str(self.random.randrange(3))
            case "$C":
                return self.count()
            case "$B":
                return self.condition()
            case _:
                return self.settled(1)

    def contiguous(self) -> list[str]:
        """Arrays whose elements lie one behind the other."""
        return [a for a, length in self.scope.arrays.items() if length >= 3 and not a.startswith("deque")]

    def open_block(self, head: str) -> tuple[Scope, int]:
        if head == "try":
            return self.open("try"), self.work
        index = re.match(r"for \(int (\w+)", head)
        return self.enter(self.fill(head), index[1] if index else None)

    # ---- statements

    def statement(self, depth: int) -> None:
        self.room -= 1
        if depth > 0 and self.room >= 0 and self.work <= 40 and self.chance(0.5):
            self.write(self.pick(_CONTAINERS + _OBJECTS), depth)
            return
        own = [*_OWN, *["leave"] * (self.scope.loops > 0), *["early"] * bool(self.returns)]
        own += ["call"] * (3 * bool(self.helpers)) + ["algorithm"] * 6 + ["change"] * (4 * bool(self.vectors))
        own += _BLOCKS if depth > 0 and self.room >= 0 and self.work <= 40 else ()
        getattr(self, "do_" + self.pick(own))(depth)

    def do_algorithm(self, _: int) -> None:
        self.say(self.fill(self.pick(_SIMPLE)))

    def do_change(self, _: int) -> None:
        self.say(self.fill(self.pick(_CHANGES)))

    def do_call(self, depth: int) -> None:
        kind, name = self.pick(self.helpers)
        tail = f"{self.value()}, n, {self.random.randint(0, 3 if self.scope.loops < 2 else 1)}"
        self.work += 2
        match kind:
            case "span" | "recursive":
                text = f"$P = {name}({{&$A[0], 3}}, {tail});"
            case "vector" | "made" if not self.vectors:
                text = "$P = $X;"
            case "vector":
                text = f"$P = {name}($W, $W, {tail});"
            case "made":
                w = self.pick(self.vectors)
                w = self.pick((w, f"std::vector<double>({w}.rbegin(), {w}.rend())"))
                text = f"$W = {name}({w}, {tail});"
            case "point":
                text = (f"{{ Point p_ = {{$V, $V, $V}}; p_ = {name}(p_, {name}(p_, p_, {tail}), {tail}); "
                        f"$P = std::tanh(p_.x * p_.y + p_.z); }}")  # fmt: skip
            case _:
                text = f"$P = 0.4 * std::tanh({name}($CALL, {tail}));"
        self.say(self.fill(text))

    # ---- whole functions

    def program(self) -> str:
        parts = [f"namespace {self.prefix}_names {{", CLASSES]
        parts += [self.helper() for _ in range(self.random.randint(0, 3))]
        parts += [self.main(), "}"]
        return "\n".join(parts)

    def helper(self) -> str:
        kind = self.pick(_HELPERS)
        head, end = _HELPERS[kind]
        name = f"{kind}{len(self.helpers)}"
        keep = self.pick(("NOINLINE ", "NOINLINE ", ""))
        self.begin(self.random.randint(1, 5))
        self.scope.scalars = ["s", "t"]
        self.scope.indices = ["k"]
        self.say("double t = 0.5 * s;")
        self.say("(void)n;")
        match kind:
            case "span" | "recursive":
                self.scope.arrays["p"] = 3
            case "vector" | "made":
                self.add_vector("v")
            case _:
                self.say("std::array<double, 3> e{s, 0.4, 0.5 * s * t};")
                self.scope.arrays["e"] = 3
        if kind == "point":
            self.scope.scalars += ["p.x", "p.y", "p.z"]
        if kind == "recursive":
            self.say(f"if (k > 0) t = {name}(p, 0.6 * std::sin(s) + 0.1, n, k - 1);")
        self.returns = "return {};" if end == "return $X;" else None
        self.statements(2)
        self.returns = None
        for line in self.fill(end).split("; "):
            self.say(line.rstrip(";") + ";")
        self.helpers.append((kind, name))
        template = "template <class F>\n" if kind == "callable" else ""
        body = "\n".join(self.lines)
        return f"{template}{keep}static {head.replace('NAME', name)} {{\n{body}\n}}\n"

    def main(self) -> str:
        self.begin(self.random.randint(4, 14))
        self.scope.scalars = ["a", "b", "c"]
        self.scope.arrays = {"x": N} if self.fixed else {"x": N, "y": M}
        self.say("double a = x[0], b = sin(x[1] * x[2]), c = 0.4;")
        if self.chance(0.7):
            self.say("std::vector<double> va(x, x + n);")
            self.add_vector("va")
        if self.chance(0.4):
            self.say("std::array<double, 4> ea{x[1], 0.3, x[3] * x[4], x[0]};")
            self.scope.arrays["ea"] = 4
        if self.chance(0.4):
            self.say("std::vector<double> wa = {x[2], 0.7, x[4]};")
            self.add_vector("wa")
        self.returns = "return {};" if self.chance(0.5) else None
        self.statements(3)
        self.returns = None
        self.say("double sum = a * b + c;")
        for name, length in self.scope.arrays.items():
            self.say(f"for (int i = 0; i < {length}; i++) sum += {name}[i] * (0.3 + 0.17 * i);")
        self.say("return sum;")
        body = "\n".join(self.lines)
        return f'extern "C" double {self.prefix}(double *x, double *y, int n) {{\n{body}\n}}\n'


_SIMPLE, _CHANGES, _CONTAINERS, _OBJECTS = (texts(t) for t in (SIMPLE, CHANGES, CONTAINERS, OBJECTS))


def random_cxx(seed: int, prefix: str, *, fixed: bool = False) -> str:
    """The text of one function with all that it uses, without CXX_HEAD. `fixed`: y is only read."""
    return CxxGenerator(seed, prefix, fixed=fixed).program()
