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
    "c.{w} = {wide} (0.125 * (c.n % 5) + 0.5);", "if (k & 1) c.{w} = {wide} (0.5 * k);",
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
            f"NOINLINE void {p}_put({p}_C *to, {p}_C c) {{ *to = c; }}\n"
        )

    def do_counted(self, depth: int) -> None:
        c, i, k, t, m = (self.name(name) for name in "ciktm")
        type_, put = f"{self.prefix}_C", f"{self.prefix}_put"
        outer = self.open("")
        storage = self.pick((f"{type_} {c}[4];", f"static {type_} {c}[4];", "", ""))
        # How many there are in memory of the heap, the optimiser does not know.
        self.say(storage or f"int {m} = 2 + n % 3; {type_} *{c} = malloc({m} * sizeof *{c});")
        end = "4" if storage else m
        numbers = " ".join(f"{c}[i].{name} = 0.4 * {self.value()};" for name in self.numbers_of_counted)
        counts = " ".join(f"{c}[i].{name} = i;" for name in self.counts_of_counted)
        self.say(f"for (int i = 0; i < {end}; i++) {{ {numbers} {counts} }}")
        state = self.enter(f"for (int {k} = 0; {k} < {self.pick(('2', '3', 'n / 2'))}; {k}++)", k)
        self.scope.loops = 0
        inner = self.enter(f"for (int {i} = 0; {i} < {end}; {i}++)", i)
        made = f"{self.prefix}_counted({{}}, {self.value()}, {self.pick((k, i))})"
        self.say(self.pick((
            f"{c}[{i}] = {made.format(f'{c}[{i}]')};",
            f"{type_} {t} = {made.format(f'{c}[{i}]')}; {c}[({i} + 1) % {end}] = {t};",
            f"if ({c}[{i}].n % 2 == {k} % 2) {c}[{i}] = {made.format(f'{c}[{i}]')};",
            f"{type_} {t} = {c}[{i}]; for (int rr = 0; rr < 2; rr++) {t} = {made.format(t)}; {c}[{i}] = {t};",
            f"{type_} {t} = {c}[{i}]; {c}[{i}] = {c}[({i} + 2) % {end}]; {c}[({i} + 2) % {end}] = {made.format(t)};",
            f"{put}(&{c}[{i}], {self._new_counted(i, k)});",
            f"if ({i} != {k}) {put}({c} + ({i} + 1) % {end}, {self._new_counted(i, k)}); else {c}[{i}].n++;",
        )))  # fmt: skip
        self.leave_loop(inner)
        if storage and self.chance(0.5):
            self.block(depth - 2)  # which may return, without freeing anything
        self.leave_loop(state)
        for name in self.numbers_of_counted:
            self.say(f"for (int i = 0; i < {end}; i++) {self.place()} += 0.1 * {c}[i].{name} * ({c}[i].n % 3 + 1);")
        if not storage:
            self.say(f"free({c});")
        self.close(outer)

    def _new_counted(self, i: str, k: str) -> str:
        """A struct of numbers with a derivative and of others."""
        numbers = [
            f".{name} = {self.pick((f'0.25 * {i} + 0.5', '0.75', f'0.4 * {self.value()}', f'0.5 * {k}'))}"
            for name in self.numbers_of_counted
        ]
        counts = [f".{name} = {self.pick((i, k, '2', f'{i} + {k}'))}" for name in self.counts_of_counted]
        return f"({self.prefix}_C) {{{', '.join(numbers + counts)}}}"
