"""Statements of the random functions about small structs by value, in which an integer that changes shares a register
with a number."""

from __future__ import annotations

_LAYOUTS = (
    "double x; int n; float w;", "float w; int n; double x;", "float w; int n;", "int n; float w;",
    "int n; int m; double x;", "double x; float w; int n;", "int n; float w; double x;",
    "float v; float w; int n; int m;",
    "short n; short m; float w;", "double x; short n; short m; float w;", "float w; char n; double x;",
    "unsigned n; float w; long m;", "int n; float w; int m; float v;", "double x; int n; int m;", "double x; char n;",
    "double x; float w; int n; double z;",
)  # fmt: skip
_COUNTS = (
    "c.n += 1;", "c.n = c.n * 3 + 1;", "c.n ^= 5;", "if (c.n > 3) c.n = 0; else c.n++;", "c.n = (c.n << 1) & 7;",
    "c.n = c.n % 3;", "c.n = -c.n;", "c.n = k;", "c.n = c.n > k ? c.n : k;", "",
    "for (int q = 0; q < k % 3; q++) c.n += q;",
)  # fmt: skip
_NUMBERS = (
    "c.{w} = {wide} (0.3 * c.{w} * c.{w} + 0.2);", "c.{w} += {wide} (0.1 * tanh(by));", "",
    "if (c.n & 1) c.{w} *= {wide} 0.7;",
    "c.{w} = {wide} (0.01 * (c.n % 5) + 0.5 * c.{w});", "c.{w} = {wide} sin(c.{w});",
)  # fmt: skip


class CountedStatements:
    """Mixed into the generator, whose scope and vocabulary they use."""

    def counted_types(self) -> str:
        """One of the structs, and functions that are given it."""
        p = self.prefix
        doubles = [layout for layout in _LAYOUTS if "float" not in layout]
        layout = self.pick(doubles if self.precise else _LAYOUTS)
        types = {name: type_ for type_, name in (member.split() for member in layout.rstrip(";").split(";"))}
        self.numbers_of_counted = [name for name, type_ in types.items() if type_ in {"double", "float"}]
        self.counts_of_counted = [name for name in types if name not in self.numbers_of_counted]
        body = [self.pick(_COUNTS)]
        wide = {name: "(float)" if types[name] == "float" else "" for name in self.numbers_of_counted}
        body += [self.pick(_NUMBERS).format(w=name, wide=cast) for name, cast in wide.items()]
        if "m" in types:
            body.append("c.m = c.n + 1;")
        self.random.shuffle(body)
        keep = self.pick(("NOINLINE ", "NOINLINE ", "static "))
        return (
            f"typedef struct {{ {layout} }} {p}_C;\n"
            f"{keep}{p}_C {p}_counted({p}_C c, double by, int k) {{ {' '.join(body)} return c; }}\n"
        )

    def do_counted(self, depth: int) -> None:
        c, i, k, t = (self.name(name) for name in "cikt")
        type_, first = f"{self.prefix}_C", self.numbers_of_counted[0]
        outer = self.open("")
        self.say(self.pick((f"{type_} {c}[4];", f"static {type_} {c}[4];")))
        numbers = " ".join(f"{c}[i].{name} = 0.4 * {self.value()};" for name in self.numbers_of_counted)
        counts = " ".join(f"{c}[i].{name} = i;" for name in self.counts_of_counted)
        self.say(f"for (int i = 0; i < 4; i++) {{ {numbers} {counts} }}")
        state = self.enter(f"for (int {k} = 0; {k} < {self.pick(('2', '3', 'n / 2'))}; {k}++)", k)
        self.scope.loops = 0
        inner = self.enter(f"for (int {i} = 0; {i} < 4; {i}++)", i)
        made = f"{self.prefix}_counted({{}}, {self.value()}, {self.pick((k, i))})"
        self.say(self.pick((
            f"{c}[{i}] = {made.format(f'{c}[{i}]')};",
            f"{type_} {t} = {made.format(f'{c}[{i}]')}; {c}[({i} + 1) % 4] = {t};",
            f"if ({c}[{i}].n % 2 == {k} % 2) {c}[{i}] = {made.format(f'{c}[{i}]')};",
            f"{type_} {t} = {c}[{i}]; for (int rr = 0; rr < 2; rr++) {t} = {made.format(t)}; {c}[{i}] = {t};",
            f"{type_} {t} = {c}[{i}]; {c}[{i}] = {c}[({i} + 2) % 4]; {c}[({i} + 2) % 4] = {made.format(t)};",
        )))  # fmt: skip
        self.leave_loop(inner)
        if self.chance(0.5):
            self.block(depth - 2)
        self.leave_loop(state)
        self.say(f"for (int i = 0; i < 4; i++) {self.place()} += 0.1 * {c}[i].{first} * ({c}[i].n % 3 + 1);")
        self.close(outer)
