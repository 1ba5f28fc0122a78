"""Random C functions `double pK(double *x, double *y, int n)` that move data in every way C knows.

Each function overwrites x and y in part and returns a number; helpers, types and globals carry its prefix, so that many
functions share one file. Everything is initialised, every index is inside its array, every loop ends, and values stay
bounded (assignments go through bounded functions). Every line is one statement, or opens or closes a block: the
reducer relies on it.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

from counted import CountedStatements

sys.path.insert(0, str(Path(__file__).parent))
from grids import GridStatements
from library import LibraryStatements, object_types
from runs import RunStatements
from statements import MORE_BINARY, MORE_UNARY, MoreStatements, more_types
from structures import StructureStatements

N, M = 5, 4
"""Lengths of x and y."""

HEAD = """#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))
"""
UNARY = ("sin({})", "cos({})", "exp(-fabs({}) * 0.5)", "sqrt(1.3 + {0} * {0})", "tanh({})", "{0} / (1.7 + {0} * {0})",
         "log(2.0 + {0} * {0})", "atan({})", "0.5 * {}", "cbrt(3.5 + sin({}))", "expm1(0.3 * sin({}))", "-{}",
         "asinh({})", "erf({})", "log1p(0.2 + {0} * {0})")  # fmt: skip
BINARY = ("{} + {}", "{} - {}", "{} * {}", "{} / (1.6 + fabs({}))", "hypot(1.1 + {}, {})",
          "atan2(1.0 + {0} * {0}, {1})",
          "pow(1.5 + 0.3 * sin({}), 1.0 + {})")  # fmt: skip
SETTLE = ("sin({})", "tanh({})", "0.8 * atan({})", "({0}) / (1.0 + fabs({0}))")


@dataclass
class Scope:
    """What statements may name: scalars (assignable), arrays with their lengths, loop indices, records, pointers."""

    scalars: list[str] = field(default_factory=list)
    arrays: dict[str, int] = field(default_factory=dict)
    indices: list[str] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    floats: list[str] = field(default_factory=list)
    loops: int = 0
    in_switch: bool = False

    def copy(self) -> Scope:
        return Scope(list(self.scalars), dict(self.arrays), list(self.indices), list(self.records), list(self.floats),
                     self.loops, self.in_switch)  # fmt: skip


class Generator(
    CountedStatements, GridStatements, LibraryStatements, RunStatements, StructureStatements, MoreStatements
):
    """Grows one function and its helpers."""

    def __init__(self, seed: int, prefix: str, *, fixed: bool = False) -> None:
        self.fixed = fixed
        """y is only read."""
        self.random = random.Random(seed)
        self.prefix = prefix
        self.lines: list[str] = []
        self.depth = 1
        self.names = 0
        self.room = 0
        self.helpers: list[tuple[str, str]] = []
        self.precise = self.random.random() < 0.85
        """Only double: finite differences and the identity are sharp."""
        self.dynamic = self.random.random() < 0.15
        """Calls through pointers: they may reach functions of others in the same file."""
        self.scope = Scope()
        self.at_end: list[str] = []
        self.returns: str | None = None
        self.work = 0

    # ---- pieces

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(list(items))

    def name(self, base: str) -> str:
        self.names += 1
        return f"{base}{self.names}"

    def say(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def open(self, text: str) -> Scope:
        self.say(text + " {")
        self.depth += 1
        outer, self.scope = self.scope, self.scope.copy()
        return outer

    def close(self, outer: Scope, text: str = "}") -> None:
        self.scope = outer
        self.depth -= 1
        self.say(text)

    def constant(self) -> str:
        """An array without derivative (or y, which may have one)."""
        return "y" if self.fixed and "x" in self.scope.arrays and self.chance(0.6) else f"{self.prefix}_ct"

    def whole(self) -> str:
        """A small integer that a number decides."""
        return f"(int)(3.0 * fabs({self.value()}))"

    def index(self, length: int) -> str:
        if self.scope.indices and self.chance(0.7):
            i = self.pick(self.scope.indices)
            form = self.pick(("{i}", "{i} + 1", "2 * {i}", "{i} * {i}", "{i} + n"))
            return f"({form.format(i=i)}) % {length}" if length > 1 else "0"
        if self.chance(0.08):
            return f"{self.whole()} % {length}"
        return str(self.random.randrange(length))

    def element(self) -> str:
        name = self.pick(self.scope.arrays)
        return f"{name}[{self.index(self.scope.arrays[name])}]"

    def member(self) -> str:
        r = self.pick(self.scope.records)
        return r + self.pick(("v", "a[0]", f"a[{self.index(3)}]", "in.p", "in.q", "ptr[0]", f"ptr[{self.index(2)}]"))

    def place(self) -> str:
        kinds = ["scalar"] * 3 + ["element"] * 4 + (["member"] * 3 if self.scope.records else [])
        kinds += ["float"] * (len(self.scope.floats) > 0)
        kind = self.pick(kinds)
        if kind == "element" and self.scope.arrays:
            return self.element()
        if kind == "member":
            return self.member()
        if kind == "float":
            return self.pick(self.scope.floats)
        return self.pick(self.scope.scalars)

    def value(self) -> str:
        if self.fixed and "x" in self.scope.arrays and self.chance(0.1):
            return f"y[{self.random.randrange(M)}]"
        return self.place() if self.chance(0.85) else f"{self.random.uniform(0.2, 1.4):.3f}"

    def expression(self, depth: int) -> str:
        if depth == 0 or self.chance(0.2):
            return self.value()
        if self.chance(0.4):
            return self.pick(UNARY if self.chance(0.7) else MORE_UNARY).format(f"({self.expression(depth - 1)})")
        return self.pick(BINARY if self.chance(0.8) else MORE_BINARY).format(
            f"({self.expression(depth - 1)})", f"({self.expression(depth - 1)})"
        )

    def settled(self, depth: int = 2) -> str:
        return self.pick(SETTLE).format(self.expression(depth))

    def condition(self) -> str:
        if self.scope.indices and self.chance(0.5):
            i = self.pick(self.scope.indices)
            return self.pick((f"{i} % 2 == 0", f"{i} > 1", f"{i} == 2", f"({i} + n) % 3 == 1"))
        test = self.pick(("{a} > {c}", "{a} < {c}", "{a} < {b} + {c}", "{a} * {b} > {c}"))
        return test.format(a=self.value(), b=self.value(), c=f"{self.random.uniform(-0.6, 0.9):.4f}")

    def count(self) -> str:
        return self.pick(("3", "2", "n", "n - 2", "n - 5", "4", f"{self.whole()} % 5", "n / 2",
                          *(self.scope.indices[-1:])))  # fmt: skip

    # ---- whole functions

    def program(self) -> str:
        parts = [self.types()]
        parts += [self.helper() for _ in range(self.random.randint(0, 4))]
        parts.append(self.main())
        return "\n".join(parts)

    def members(self) -> list[str]:
        """Of records, besides those that every function has."""
        return []

    def types(self) -> str:
        p = self.prefix
        tag = "int tag;" if self.chance(0.5) else "char tag;"
        extra = "float w;" if not self.precise else ""
        members = ["double v;", "double a[3];", f"struct {p}_in in;", "double *ptr;", tag, *self.members()]
        self.random.shuffle(members)
        body = " ".join(members) + extra
        return (
            f"struct {p}_in {{ double p, q; }};\n"
            f"typedef struct {{ {body} }} {p}_S;\n"
            f"typedef struct {p}_N {{ double v; struct {p}_N *next; double w; }} {p}_N;\n"
            f"static double {p}_g, {p}_ga[4], *{p}_gp = {p}_ga;\n"
            f"static const double {p}_ct[4] = {{0.3, 0.9, 0.5, 1.2}};\n"
            f"typedef struct {{ float a, b; }} {p}_F;\n"
            + more_types(p)
            + object_types(p)
            + self.counted_types()
            + self.run_types()
        )

    def globals(self) -> None:
        self.scope.scalars.append(f"{self.prefix}_g")
        self.scope.arrays[f"{self.prefix}_ga"] = 4
        self.scope.arrays[f"{self.prefix}_gp"] = 3

    def begin(self, room: int) -> None:
        self.lines, self.depth, self.scope, self.room = [], 1, Scope(), room
        self.at_end = []
        self.work = 1

    def statements(self, depth: int) -> None:
        while self.room > 0:
            self.statement(depth)

    def helper(self) -> str:
        kind = self.pick(("two", "two", "out", "record", "by_value", "pointer", "recursive", "alloc", "three"))
        p = self.prefix
        name = f"{p}_{kind}{self.names}"
        self.names += 1
        keep = self.pick(("NOINLINE ", "NOINLINE ", ""))
        self.begin(self.random.randint(2, 6))
        if self.chance(0.5):
            self.globals()
        self.scope.arrays |= {"p": 3}
        self.scope.scalars += ["s", "t"]
        self.scope.indices = ["k"]
        tail = "double t = 0.5 * s;"
        match kind:
            case "two":
                head = f"double {name}(double *p, double *q, double s, int n, int k)"
                self.scope.arrays["q"] = 3
                end = "return {};"
            case "three":
                head = f"double {name}(double *p, const double *q, double *r, double s, int n, int k)"
                self.scope.arrays["r"] = 3
                tail += " t += 0.3 * q[1];"
                end = "return {} * q[0] + q[2];"
            case "out":
                head = f"void {name}(double *out, double *p, double s, int n, int k)"
                end = "*out = {};"
                self.scope.scalars.append("(*out)") if self.chance(0.4) else None
            case "record":
                head = f"double {name}({p}_S *r, double *p, double s, int n, int k)"
                self.scope.records.append("r->")
                end = "return {};"
            case "by_value":
                head = f"{p}_S {name}({p}_S r, double *p, double s, int n, int k)"
                self.scope.records.append("r.")
                end = "r.v = {}; return r;"
            case "pointer":
                head = f"double *{name}(double *p, double s, int n, int k)"
                end = f"p[0] += 0.2 * {{}}; return p + {self.pick(('1', 'k % 2', '(s > 0.3)', '0'))};"
            case "recursive":
                head = f"double {name}(double *p, double s, int n, int k)"
                tail += f" if (k > 0) t = {name}({self.pick(('p', 'p'))}, 0.6 * sin(s) + 0.1, n, k - 1);"
                end = "return {};"
            case _:
                head = f"double *{name}(double *p, double s, int n, int k)"
                tail += " double *m = malloc(3 * sizeof *m);"
                self.scope.arrays["m"] = 3
                end = "m[1] = {}; return m;"
        self.say("(void)n;")
        for text in tail.split("; "):
            self.say(text.rstrip(";") + ";")
        if kind == "alloc":
            self.say("m[0] = s;")
            self.say("m[1] = p[1];")
            self.say("m[2] = 0.5 * s * p[0];")
        self.returns = end.split("; ")[-1] if kind in ("two", "record", "recursive", "three") else None
        if kind == "recursive" and self.chance(0.4):
            self.statements(1)
            self.say(f"if (k > 1) s += {name}(p, 0.4 * s, n, k - 2);")
        else:
            self.statements(2)
        last = end.format(self.settled(1))
        for text in last.split("; "):
            self.say(text.rstrip(";") + ";")
        self.returns = None
        self.helpers.append((kind, name))
        body = "\n".join(self.lines)
        return f"{keep}static {head} {{\n{body}\n}}\n"

    def main(self) -> str:
        p = self.prefix
        self.begin(self.random.randint(6, 22))
        self.scope.scalars = ["a", "b", "c"]
        self.scope.arrays = {"x": N} if self.fixed else {"x": N, "y": M}
        self.say("double a = x[0], b = sin(x[1] * x[2]), c = 0.4;")
        self.say(f"{p}_g = x[3];")
        self.say(f"{p}_gp = {self.pick(('x', 'x' if self.fixed else 'y', p + '_ga'))};")
        self.say(f"for (int i = 0; i < 4; i++) {p}_ga[i] = 0.3 * x[i] + 0.1 * i;")
        if self.chance(0.7):
            self.globals()
        if self.chance(0.6):
            self.say("double u[6];")
            self.say("for (int i = 0; i < 6; i++) u[i] = 0.2 * i + (i < n ? x[i] : 0.1);")
            self.scope.arrays["u"] = 6
        if self.chance(0.5):
            self.say("double *h = malloc((n + 2) * sizeof *h);")
            self.say("for (int i = 0; i < n + 2; i++) h[i] = 0.15 * i * x[i % n];")
            self.scope.arrays["h"] = N + 2
            self.at_end.append("free(h);")
        if self.chance(0.4):
            self.say("double w[3][4] = {{0}};")
            self.say("for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) w[i][j] = x[(i + j) % 5] * 0.3 * j;")
            self.scope.arrays |= {"w[1]": 4, "w[2]": 4, "w[n % 3]": 4}
        if self.chance(0.6):
            self.record("r")
        if not self.precise:
            self.say("float f = (float)x[1];")
            self.say("long double l = x[2];")
            self.scope.floats += ["f", "l"]
        self.returns = "return {};" if not self.at_end and self.chance(0.5) else None
        self.statements(3)
        self.returns = None
        self.say("double sum = a * b + c;")
        for name, length in self.scope.arrays.items():
            self.say(f"for (int i = 0; i < {length}; i++) sum += {name}[i] * (0.3 + 0.17 * i);")
        for r in self.scope.records:
            self.say(f"sum += {r}v * {r}in.p + {r}a[1] - {r}in.q * {r}a[2] + {r}ptr[0];")
        for f in self.scope.floats:
            self.say(f"sum += {f};")
        for text in self.at_end:
            self.say(text)
        self.say("return sum;")
        body = "\n".join(self.lines)
        return f"double {p}(double *x, double *y, int n) {{\n{body}\n}}\n"

    def record(self, name: str) -> None:
        target = self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
        self.say(f"{self.prefix}_S {name} = {{.v = {self.value()}, .a = {{{self.value()}, {self.value()}, 0.2}}, "
                 f".in = {{{self.value()}, 0.7}}, .ptr = {target}, .tag = 3}};")  # fmt: skip
        self.scope.records.append(f"{name}.")

    # ---- statements

    def block(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        self.room -= 1
        simple = ["assign"] * 6 + ["update"] * 3 + ["copy", "swap", "bits", "choose_pointer", "element_loop"]
        simple += (
            ["call"] * (4 if self.helpers else 0) + ["local_array"] * 2 + ["leave"] * (2 if self.scope.loops else 0)
        )
        simple += ["record_copy"] * (2 if self.scope.records else 0) + (["early"] if self.returns else [])
        nested = ["branch"] * 3 + ["count_loop"] * 4
        nested += ["while_loop", "do_loop", "choice", "walk", "list", "heap_loop", "ping_pong", "grow", "pointer_scope"]
        simple += (
            ["part_copy"] * 2 + ["const_copy", "complex", "by_value"] + ["precisions"] * (2 if self.scope.floats else 0)
        )
        simple += ["library"] * 3 + ["several", "complex_function"]
        nested += ["static_array", *(["indirect", "indirect", "objects", "objects", "objects"] if self.dynamic else [])]
        nested += [
            "integers",
            "data_ends",
            "machine",
            "tagged",
            "rows",
            "tree",
            "blocks",
            "sorted",
            "counted",
            "counted",
            "run",
            "run",
            "arena",
            "journal",
        ]
        nested += ["records", "two_out", "read_only", "move_global", "vla", "union", "table", "grid", "grid"]
        kind = self.pick(simple if depth <= 0 or self.room < 0 or self.work > 60 else simple + nested)
        getattr(self, "do_" + kind)(depth)

    def do_assign(self, _: int) -> None:
        self.say(f"{self.place()} = {self.settled()};")

    def do_update(self, _: int) -> None:
        place = self.place()
        self.say(f"{place} {self.pick(('+=', '-=', '*='))} 0.4 * {self.settled(1)};")
        self.say(f"{place} = tanh({place});")

    def do_copy(self, _: int) -> None:
        target, source = self.pick(self.scope.arrays), self.pick(self.scope.arrays)
        count = self.random.randint(1, min(self.scope.arrays[target], self.scope.arrays[source]) - 1)
        shift, from_ = self.random.randint(0, 1), self.random.randint(0, 1)
        if self.chance(0.25):
            self.say(f"memset({target} + {shift}, 0, {count} * sizeof(double));")
        else:
            self.say(f"memmove({target} + {shift}, {source} + {from_}, {count} * sizeof(double));")

    def do_swap(self, _: int) -> None:
        t = self.name("t")
        a, b = self.element(), self.element()
        self.say(f"{{ double {t} = {a}; {a} = {b}; {b} = {t}; }}")

    def do_bits(self, _: int) -> None:
        t = self.name("t")
        a, b = self.pick(self.scope.scalars), self.element()
        self.say(f"{{ uint64_t {t}; memcpy(&{t}, &{a}, 8); memcpy(&{b}, &{t}, 8); }}")

    def do_element_loop(self, _: int) -> None:
        a, b = self.pick(self.scope.arrays), self.pick(self.scope.arrays)
        count = min(self.scope.arrays[a], self.scope.arrays[b])
        op = self.pick(("=", "+=", "="))
        first, last = self.random.randint(0, 1), self.random.randint(0, 1)
        expression = self.pick(
            ("sin({b}[i - {f}])", "{b}[i - {f}] * 0.5", "tanh({b}[i - {f}] * {a}[i])", "{b}[i] / (2.0 + i)")
        )
        text = expression.format(a=a, b=b, f=first)
        self.say(f"for (int i = {first}; i < {count - last}; i++) {a}[i] {op} {text};")

    def do_choose_pointer(self, depth: int) -> None:
        a = self.pick([f"&{self.pick(self.scope.scalars)}", f"&{self.element()}"])
        b = self.pick([f"&{self.pick(self.scope.scalars)}", f"&{self.element()}"])
        t = self.name("z")
        self.say(f"{{ double *{t} = {self.condition()} ? {a} : {b}; *{t} = 0.7 * sin(*{t} + {self.value()}); }}")

    def do_call(self, depth: int) -> None:
        kind, name = self.pick(self.helpers)
        arrays = []
        for _ in range(3):
            array = self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
            arrays.append(f"{array} + {self.random.randint(0, self.scope.arrays[array] - 3)}")
        if self.chance(0.25):
            arrays[1] = arrays[0]
        k = self.random.randint(0, 3)
        if kind == "recursive" and self.scope.loops > 1:
            k = min(k, 1)
        tail = f"{self.value()}, n, {k}"
        self.work += 2
        match kind:
            case "two":
                self.say(f"{self.place()} = {name}({arrays[0]}, {arrays[1]}, {tail});")
            case "three":
                self.say(f"{self.place()} = 0.3 * {name}({arrays[0]}, {arrays[1]}, {arrays[2]}, {tail});")
            case "out":
                self.say(f"{name}(&{self.pick((self.pick(self.scope.scalars), self.element()))}, {arrays[0]}, {tail});")
            case "record" if self.scope.records:
                r = self.pick(self.scope.records)
                address = f"&{r[:-1]}" if r.endswith(".") else r[:-2]
                self.say(f"{self.place()} += 0.3 * {name}({address}, {arrays[0]}, {tail});")
            case "by_value" if self.scope.records:
                r, to = self.pick(self.scope.records), self.pick(self.scope.records)
                value, target = (q[:-1] if q.endswith(".") else f"*{q[:-2]}" for q in (r, to))
                self.say(f"{target} = {name}({value}, {arrays[0]}, {tail});")
            case "pointer":
                self.say(f"*{name}({arrays[0]}, {tail}) += 0.3 * {self.settled(1)};")
            case "recursive":
                self.say(f"{self.place()} = {name}({arrays[0]}, {tail});")
            case "alloc":
                m = self.name("m")
                outer = self.open("")
                self.say(f"double *{m} = {name}({arrays[0]}, {tail});")
                self.scope.arrays[m] = 3
                self.say(f"{self.place()} += 0.2 * {m}[1] * {m}[2];")
                if depth > 0:
                    returns, self.returns, loops, self.scope.loops = self.returns, None, self.scope.loops, 0
                    self.block(depth - 1)
                    self.returns, self.scope.loops = returns, loops
                self.say(f"free({m});")
                self.close(outer)
            case _:
                self.do_assign(depth)

    def do_local_array(self, depth: int) -> None:
        name = self.name("e")
        outer = self.open("")
        self.say(f"double {name}[3] = {{{self.value()}, {self.value()}, {self.value()}}};")
        self.scope.arrays[name] = 3
        for _ in range(2):
            self.do_assign(0)
        if depth > 0:
            self.block(depth - 1)
        self.say(f"{self.place()} = {name}[0] * {name}[1] + 0.2 * {name}[2];")
        self.close(outer)

    def do_record_copy(self, depth: int) -> None:
        name = self.name("r")
        r = self.pick(self.scope.records)
        value = r[:-1] if r.endswith(".") else f"*{r[:-2]}"
        outer = self.open("")
        self.say(f"{self.prefix}_S {name} = {value};")
        self.scope.records.append(f"{name}.")
        self.do_assign(0)
        self.do_assign(0)
        if self.chance(0.5):
            self.say(f"{value} = {name};")
        else:
            self.say(f"{r}in = {name}.in;")
        if depth > 0:
            self.block(depth - 1)
        self.say(f"{self.place()} = {name}.v + {name}.a[1] * {name}.in.q;")
        self.close(outer)

    def do_leave(self, _: int) -> None:
        self.say(f"if ({self.condition()}) {self.pick(('break', 'continue'))};")

    def do_early(self, _: int) -> None:
        self.say(f"if ({self.condition()}) return {self.settled(1)};")

    def do_branch(self, depth: int) -> None:
        outer = self.open(f"if ({self.condition()})")
        self.block(depth - 1)
        if self.chance(0.5):
            self.close(outer, "} else {")
            self.depth += 1
            self.scope = outer.copy()
            self.block(depth - 1)
        self.close(outer)

    def enter(self, head: str, index: str | None) -> tuple[Scope, int]:
        before = self.work
        outer = self.open(head)
        if index is not None:
            self.scope.indices.append(index)
        self.scope.loops += 1
        self.work *= 3
        return outer, before

    def leave_loop(self, state: tuple[Scope, int], text: str = "}") -> None:
        outer, self.work = state
        self.close(outer, text)

    def do_count_loop(self, depth: int) -> None:
        i = self.name("i")
        head = self.pick((
            f"for (int {i} = 0; {i} < {self.count()}; {i}++)", f"for (int {i} = 0; {i} < {self.count()}; {i}++)",
            f"for (int {i} = {self.count()}; {i} > 0; {i}--)", f"for (long {i} = 1; {i} <= {self.count()}; {i} += 2)",
            f"for (unsigned {i} = 0; {i} < 3u; {i}++)"))  # fmt: skip
        state = self.enter(head, i)
        self.block(depth - 1)
        self.leave_loop(state)

    def do_while_loop(self, depth: int) -> None:
        i = self.name("i")
        self.say(f"int {i} = 0;")
        state = self.enter(f"while ({i} < 5 && {self.condition()})", i)
        self.say(f"{i}++;")
        self.block(depth - 1)
        self.leave_loop(state)

    def do_do_loop(self, depth: int) -> None:
        i = self.name("i")
        self.say(f"int {i} = 0;")
        state = self.enter("do", i)
        self.say(f"{i}++;")
        self.block(depth - 1)
        test = self.condition()
        self.leave_loop(state, f"}} while ({i} < 3 && {test});" if not set(test.split()) & set() else "} while (0);")

    def do_choice(self, depth: int) -> None:
        on = self.index(4)
        outer = self.open(f"switch ({on})")
        self.scope.loops = 0
        for case in (0, 2, 3):
            self.say(f"case {case}:;")
            self.block(0)
            if self.chance(0.6):
                self.say("break;")
        self.say("default:;")
        self.block(depth - 1)
        self.close(outer)


def random_function(seed: int, prefix: str, *, fixed: bool = False) -> str:
    """The text of one function with all that it uses, without HEAD. `fixed`: y is only read."""
    return Generator(seed, prefix, fixed=fixed).program()
