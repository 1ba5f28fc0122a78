"""Random C programs in the manner of `tests/programs`: every seed gives one `objective(double *x, int n)`.

Values stay bounded (each assignment goes through a bounded function), indices stay inside their arrays, loops end. What
varies: nesting of loops and branches, trip counts that depend on data, exits, local and heap arrays, pointers into
them, in-place updates, helper functions (inlined or not, recursive, writing through pointers), structs, globals.
"""

from __future__ import annotations

import random

LENGTH = 6
SCALARS = ("a", "b", "c", "d")
ARRAYS = {"u": 5, "v": 8, "heap": 7, "shared": 6}
UNARY = ("sin({})", "cos({})", "exp(-fabs({}))", "sqrt(1.0 + {0} * {0})", "tanh({})", "{0} / (1.0 + {0} * {0})",
         "log(2.0 + {0} * {0})", "atan({})", "0.5 * {}", "cbrt(3.0 + {})")  # fmt: skip
BINARY = (
    "{} + {}",
    "{} - {}",
    "{} * {}",
    "fmin({}, {})",
    "fmax({}, {})",
    "{} / (1.5 + fabs({}))",
    "hypot(1.0 + {}, {})",
)
SETTLE = ("sin({})", "tanh({})", "atan({})", "{0} / (1.0 + fabs({0}))")
HEAD = """#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int tag;
    double value, pair[2];
    float weight;
} record;

static double shared[6];
static double total;
"""


class Generator:
    """Grows one program; `depth` bounds the nesting and `room` the number of statements left."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.indent = 1
        self.loops: list[str] = []
        self.names = 0
        self.room = self.random.randint(8, 30)
        self.scalars: list[str] = []
        self.arrays: dict[str, int] = {}
        self.helpers: list[str] = []

    def program(self) -> str:
        helpers = [self.helper(index) for index in range(self.random.randint(0, 3))]
        return "\n".join([HEAD, *helpers, self.objective()])

    # ---- functions

    def helper(self, index: int) -> str:
        name = f"helper{index}"
        keep = "__attribute__((noinline)) " if self.random.random() < 0.6 else ""
        self.lines, self.scalars, self.arrays = [], ["s", "t"], {"p": 5}
        room, self.room = self.room, self.random.randint(2, 6)
        if self.random.random() < 0.4:
            step = self.random.choice(("0.7 * s", "sin(s + t)", "s - 0.3 * t"))
            self.say(f"if (depth > 0)\n        s = {name}(p, {step}, t, depth - 1);")
        self.loops = ["depth"]
        self.block(2)
        self.loops = []
        self.say(f"return {self.settled(self.expression(1))};")
        self.room = room
        self.helpers.append(name)
        body = "\n".join(self.lines)
        return f"{keep}static double {name}(double *p, double s, double t, int depth)\n{{\n{body}\n}}\n"

    def objective(self) -> str:
        self.lines, self.scalars, self.arrays = [], list(SCALARS), dict(ARRAYS)
        for at, name in enumerate(SCALARS):
            self.say(f"double {name} = x[{at}];")
        self.say("double u[5], v[8] = {0}, *heap = malloc(7 * sizeof *heap);")
        self.say("record r = {2, x[4], {x[5], x[0]}, 0.5f};")
        self.say("total = 0.0;")
        self.say("for (int i = 0; i < 5; i++)\n        u[i] = x[i] * (i + 1) * 0.3;")
        self.say("for (int i = 0; i < 6; i++)\n        shared[i] = x[5 - i];")
        self.say("for (int i = 0; i < 7; i++)\n        heap[i] = i < 6 ? 0.5 * x[i] : 0.25;")
        self.scalars += ["r.value", "r.pair[0]", "r.pair[1]", "total"]
        while self.room > 0:
            self.statement(3)
        self.say("double sum = a + b * c + d + r.value * r.pair[1] + r.weight + total;")
        for name, length in self.arrays.items():
            self.say(f"for (int i = 0; i < {length}; i++)\n        sum += {name}[i] * (0.3 + 0.1 * i);")
        self.say("free(heap);\n    return sum;")
        body = "\n".join(self.lines)
        return f"double objective(const double *x, int n)\n{{\n{body}\n}}\n"

    # ---- statements

    def say(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def block(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        self.room -= 1
        simple = (self.assign, self.assign, self.assign, self.update, self.copy, self.call, self.local_array)
        nested = (self.branch, self.count_loop, self.count_loop, self.while_loop, self.choice)
        chosen = self.random.choice(simple if depth == 0 or self.room < 0 else simple + nested)
        chosen(depth)

    def assign(self, _depth: int) -> None:
        self.say(f"{self.place()} = {self.settled(self.expression(2))};")

    def update(self, _depth: int) -> None:
        place = self.place()
        self.say(f"{place} {self.random.choice(('+=', '-=', '*='))} 0.2 * {self.settled(self.expression(1))};")
        self.say(f"{place} = {self.settled(place)};")

    def copy(self, _depth: int) -> None:
        target, source = self.random.choice(list(self.arrays)), self.random.choice(list(self.arrays))
        count = self.random.randint(1, min(self.arrays[target], self.arrays[source]) - 1)
        if self.random.random() < 0.3:
            self.say(f"memset({target}, 0, {count} * sizeof(double));")
        else:
            shift = self.random.randint(0, 1)
            self.say(f"memmove({target} + {shift}, {source}, {count} * sizeof(double));")

    def call(self, depth: int) -> None:
        if not self.helpers or (self.arrays.keys() == {"p"} and self.random.random() < 0.5):
            return self.assign(depth)
        big = [name for name, length in self.arrays.items() if length >= 5]
        array = self.random.choice(big)
        offset = f" + {self.random.randint(0, self.arrays[array] - 5)}"
        arguments = f"{array}{offset}, {self.operand()}, {self.operand()}, {self.random.randint(0, 3)}"
        return self.say(f"{self.place()} = {self.random.choice(self.helpers)}({arguments});")

    def local_array(self, depth: int) -> None:
        if depth == 0:
            return self.assign(depth)
        name = f"w{self.names}"
        self.names += 1
        self.say("{")
        self.indent += 1
        self.say(f"double {name}[3] = {{{self.operand()}, {self.operand()}, {self.operand()}}};")
        self.arrays[name] = 3
        self.block(depth - 1)
        target = self.random.choice([s for s in self.scalars if s != name])
        self.say(f"{target} = {self.settled(f'{name}[0] * {name}[1] + {name}[2]')};")
        del self.arrays[name]
        self.indent -= 1
        return self.say("}")

    def branch(self, depth: int) -> None:
        self.say(f"if ({self.condition()}) {{")
        self.inside(depth)
        if self.random.random() < 0.6:
            self.say("} else {")
            self.inside(depth)
        self.say("}")

    def choice(self, depth: int) -> None:
        self.say(f"switch ({self.integer()} % 3) {{")
        for case in ("case 0:", "case 1:", "default:"):
            self.say(case)
            self.inside(depth)
            if case != "default:" and self.random.random() < 0.6:
                self.say("    break;")
        self.say("}")

    def count_loop(self, depth: int) -> None:
        name = f"i{self.names}"
        self.names += 1
        bound = self.random.choice(("0", "1", "2", "3", "5", "7", f"({self.integer()} % 4)", f"({self.integer()} % 3)"))
        if self.random.random() < 0.3:
            self.say(f"for (int {name} = {bound}; {name} > 0; {name}--) {{")
        else:
            self.say(f"for (int {name} = 0; {name} < {bound}; {name}++) {{")
        self.loop_body(depth, name)

    def while_loop(self, depth: int) -> None:
        name = f"k{self.names}"
        self.names += 1
        self.say(f"int {name} = 0;")
        form = self.random.choice(("while", "do"))
        condition = f"{name}++ < {self.random.randint(2, 9)} && {self.condition()}"
        self.say(f"while ({condition}) {{" if form == "while" else "do {")
        self.loop_body(depth, name, end="}" if form == "while" else f"}} while ({condition});")

    def loop_body(self, depth: int, name: str, end: str = "}") -> None:
        self.loops.append(name)
        self.inside(depth)
        if self.random.random() < 0.3:
            self.say(f"    if ({self.condition()})")
            self.say(f"        {self.random.choice(('break', 'continue'))};")
            self.inside(depth)
        self.loops.pop()
        self.say(end)

    def inside(self, depth: int) -> None:
        self.indent += 1
        self.block(depth - 1)
        self.indent -= 1

    # ---- expressions

    def integer(self) -> str:
        """Never negative."""
        own = [*self.loops, str(self.random.randint(0, 4)), f"(int)(3.0 * fabs({self.random.choice(self.scalars)}))"]
        return self.random.choice(own) + self.random.choice(("", " + 1", " + 2"))

    def element(self) -> str:
        name = self.random.choice(list(self.arrays))
        if self.loops and self.random.random() < 0.6:
            return f"{name}[({self.random.choice(self.loops)} + {self.random.randint(0, 3)}) % {self.arrays[name]}]"
        return f"{name}[{self.random.randrange(self.arrays[name])}]"

    def place(self) -> str:
        return self.element() if self.random.random() < 0.5 else self.random.choice(self.scalars)

    def operand(self) -> str:
        return self.place() if self.random.random() < 0.9 else self.random.choice(("0.5", "1.5", "-0.25"))

    def expression(self, depth: int) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.operand()
        if self.random.random() < 0.4:
            return self.random.choice(UNARY).format(f"({self.expression(depth - 1)})")
        if self.random.random() < 0.15:
            return f"({self.condition()} ? {self.expression(depth - 1)} : {self.expression(depth - 1)})"
        pair = self.expression(depth - 1), self.expression(depth - 1)
        return self.random.choice(BINARY).format(*(f"({side})" for side in pair))

    def settled(self, text: str) -> str:
        return self.random.choice(SETTLE).format(f"({text})")

    def condition(self) -> str:
        if self.loops and self.random.random() < 0.4:
            return f"{self.random.choice(self.loops)} % {self.random.randint(2, 3)} == {self.random.randint(0, 1)}"
        relation = self.random.choice(("<", ">", ">=", "<="))
        return f"{self.operand()} {relation} {self.random.choice(('0.1', '0.37', '-0.2', self.operand()))}"


def random_program(seed: int) -> str:
    return f"// check: array n={LENGTH} lenient=1 tol=1e-5 identity=1e-9 flags=-w\n{Generator(seed).program()}"


if __name__ == "__main__":
    import sys

    print(random_program(int(sys.argv[1])))
