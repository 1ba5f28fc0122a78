"""Random C functions with requests of every form: signatures, activities, results and modes.

`pK_inner` has a random signature; `pK` fills its arguments from x and y and writes back what it changed, and
`pK_reverse`, `pK_forward` do the same with shadows and a request of one form. The rules are those of `generate`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from generate import Generator, M, N

_KINDS = ("scalar", "scalar", "pair", "given", "array", "array", "rows", "record", "record", "records", "view", "list",
          "out", "integer", "floats", "constant")  # fmt: skip

# Members that nothing but copies of whole records touches: what they are called, and how a record is given one.
_EXTRAS = (("char label[12];", 'strcpy({}.label, "hydrogen");'), ("char kind[7];", 'strcpy({}.kind, "ion");'),
           ("unsigned char rgb[3];", "{}.rgb[1] = 200;"), ("long ids[2];", "{0}.ids[0] = {0}.ids[1] = 1L << 40;"),
           ("union {{ int i; float f; }} u;", "{}.u.i = 77;"), ("short codes[3];", "{}.codes[2] = 5;"),
           ("char *name;", "{}.name = 0;"), ("int grid[2][2];", "{}.grid[1][0] = 9;"))  # fmt: skip
_GIVEN = (*(f"x[{i}]" for i in range(N)), *(f"y[{i}]" for i in range(M)))


@dataclass
class Part:
    """An argument of the inner function: how it is declared, made and taken apart again, in each mode."""

    declared: str
    value: str
    shadow: str = ""
    marker: str = "enzyme_dup"
    adjoint: str = ""
    """The type of what reverse mode returns for it."""
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    reverse_before: list[str] = field(default_factory=list)
    reverse_after: list[str] = field(default_factory=list)
    forward_before: list[str] = field(default_factory=list)
    forward_after: list[str] = field(default_factory=list)
    tail: str = ""
    """What it adds to the result of pK; `forward_tail`: to the tangent."""
    forward_tail: str = ""

    def make(self, text: str, shadow: str) -> None:
        self.before.append(text)
        self.reverse_before.append(shadow)
        self.forward_before.append(shadow)

    def bind(self, member: str, element: str, *, back: bool) -> None:
        """A member of a local object starts as an element of x or y and, with `back`, is written there at the end."""
        self.before.append(f"{member} = {element};")
        self.forward_before.append(f"d{member} = d{element};")
        if back:
            self.after.append(f"{element} = {member};")
            self.forward_after.append(f"d{element} = d{member};")
            self.reverse_before += [f"d{member} = d{element};", f"d{element} = 0;"]
        self.reverse_after.append(f"d{element} += d{member};")


class RequestGenerator(Generator):
    """Grows one function, its helpers, and the requests for its derivatives."""

    def __init__(self, seed: int, prefix: str) -> None:
        super().__init__(seed, prefix)
        self.precise = True
        self.constants: list[str] = []
        self.ends: list[str] = []
        self.free: list[str] = []
        self.rounds = False
        self.extras = self.random.sample(_EXTRAS, self.pick((0, 0, 1, 2)))

    def constant(self) -> str:
        return self.pick((f"{self.prefix}_ct", *self.constants))

    # ---- arguments

    def given(self) -> str:
        """An element of x or y."""
        return self.pick(_GIVEN)

    def bind(self, part: Part, member: str) -> None:
        """A member from an element: written back only to one that no other argument is written back to."""
        back = bool(self.free) and self.chance(0.5)
        element = self.free.pop() if back else self.given()
        part.bind(member, element, back=back)

    def array(self) -> tuple[str, int]:
        return self.pick((("x", 5), ("y", 4), ("x + 1", 4), ("x + 2", 3), ("y + 1", 3)))

    def part(self, kind: str) -> Part:
        name = self.name("q")
        return getattr(self, "part_" + kind)(name, f"l{name}")

    def part_scalar(self, name: str, local: str) -> Part:
        part = Part(f"double {name}", local, f"d{local}", "enzyme_out", "double")
        part.make(f"double {local};", f"double d{local} = 0;")
        part.bind(local, self.given(), back=False)
        self.scope.scalars.append(name)
        return part

    def part_given(self, name: str, _: str) -> Part:
        self.ends.append(f"{name} = 0;")
        return Part(f"double {name}", "0.37", marker="enzyme_const")

    def part_pair(self, name: str, local: str) -> Part:
        type_ = f"struct {self.prefix}_in"
        part = Part(f"{type_} {name}", local, f"d{local}", "enzyme_out", type_)
        part.make(f"{type_} {local};", f"{type_} d{local} = {{0}};")
        for member in "pq":
            part.bind(f"{local}.{member}", self.given(), back=False)
        self.scope.scalars += [f"{name}.p", f"{name}.q"]
        return part

    def part_array(self, name: str, _: str) -> Part:
        array, length = self.array()
        self.scope.arrays[name] = length
        return Part(f"double *{name}", array, f"d{array}")

    def part_rows(self, name: str, local: str) -> Part:
        (one, long), (two, short) = self.array(), self.array()
        part = Part(f"double **{name}", local, f"d{local}")
        part.make(f"double *{local}[2] = {{{one}, {two}}};", f"double *d{local}[2] = {{d{one}, d{two}}};")
        self.scope.arrays |= {f"{name}[0]": long, f"{name}[1]": short, f"{name}[n % 2]": min(long, short)}
        return part

    def fill(self, part: Part, record: str) -> None:
        """A record, all of it; its pointer leads to x or y."""
        array, _ = self.array()
        part.make(f"{record}.ptr = {array};", f"d{record}.ptr = d{array};")
        part.before.append(f"{record}.tag = 3;")
        for _, given in self.extras:
            part.before.append(given.format(record))
            if "strcpy" in given and self.chance(0.3):  # a shadow that was made by copying the object
                part.reverse_before.append(given.format(f"d{record}"))
        for member in ("v", "a[0]", "a[1]", "a[2]", "in.p", "in.q"):
            if self.chance(0.3):
                part.before.append(f"{record}.{member} = 0.4;")
            else:
                self.bind(part, f"{record}.{member}")

    def part_record(self, name: str, local: str) -> Part:
        part = Part(f"{self.prefix}_S *{name}", f"&{local}", f"&d{local}")
        part.make(f"{self.prefix}_S {local};", f"{self.prefix}_S d{local} = {{0}};")
        self.fill(part, local)
        self.scope.records.append(f"{name}->")
        return part

    def part_records(self, name: str, local: str) -> Part:
        part = Part(f"{self.prefix}_S *{name}", local, f"d{local}")
        part.make(f"{self.prefix}_S {local}[2];", f"{self.prefix}_S d{local}[2] = {{{{0}}}};")
        for at in range(2):
            self.fill(part, f"{local}[{at}]")
        self.scope.records += [f"{name}[0].", f"{name}[1].", f"{name}[n % 2]."]
        return part

    def part_view(self, name: str, local: str) -> Part:
        (one, long), (two, short) = self.array(), self.array()
        type_ = f"struct {self.prefix}_view"
        part = Part(f"{type_} {name}", local, f"d{local}")
        part.make(f"{type_} {local} = {{{one}, 3, {two}}};", f"{type_} d{local} = {{d{one}, 3, d{two}}};")
        self.scope.arrays |= {f"{name}.lo": long, f"{name}.hi": short}
        return part

    def part_list(self, name: str, local: str) -> Part:
        type_ = f"{self.prefix}_N"
        part = Part(f"{type_} *{name}", local, f"d{local}")
        part.make(_chain(type_, local), _chain(type_, f"d{local}"))
        for at in range(3):
            self.bind(part, f"{local}[{at}].v")
        self.scope.scalars += [f"{name}->v", f"{name}->next->v", f"{name}->next->next->w"]
        return part

    def part_out(self, name: str, local: str) -> Part:
        part = Part(f"double *{name}", f"&{local}", f"&d{local}", self.pick(("enzyme_dup", "enzyme_dupnoneed")))
        part.before.append(f"double {local} = 0;")
        part.reverse_before.append(f"double d{local} = 0.7;")
        part.forward_before.append(f"double d{local} = 0;")
        part.tail, part.forward_tail = f" + 0.7 * {local}", f" + 0.7 * d{local}"
        self.ends.append(f"*{name} = $X;")
        return part

    def part_integer(self, name: str, _: str) -> Part:
        self.scope.indices.append(name)
        return Part(f"int {name}", "2", marker=self.pick(("enzyme_const", "")))

    def part_floats(self, name: str, local: str) -> Part:
        self.rounds = True
        part = Part(f"float *{name}", local, f"d{local}")
        part.make(f"float {local}[2];", f"float d{local}[2] = {{0}};")
        for at in range(2):
            part.bind(f"{local}[{at}]", self.given(), back=False)
        self.scope.floats += [f"{name}[0]", f"{name}[1]"]
        return part

    def part_constant(self, name: str, local: str) -> Part:
        self.constants.append(name)
        part = Part(f"const double *{name}", local, marker="enzyme_const")
        part.before.append(f"double {local}[4] = {{0.2, 0.8, 0.5, 1.1}};")
        return part

    # ---- whole functions

    def members(self) -> list[str]:
        return [member.format() for member, _ in self.extras]

    def types(self) -> str:
        return super().types() + f"struct {self.prefix}_view {{ double *lo; int len; double *hi; }};\n"

    def main(self) -> str:
        p = self.prefix
        self.begin(self.random.randint(3, 14))
        self.lines, self.ends = [], []
        self.free = list(_GIVEN)
        self.random.shuffle(self.free)
        parts = [self.part(self.pick(_KINDS)) for _ in range(self.random.randint(1, 5))]
        parts.append(self.part(self.pick(("array", "record", "rows", "scalar"))))
        result = self.pick(("double", "double", "double", f"struct {p}_in", "void"))
        if result == "void" and not any(part.tail for part in parts):
            parts.append(self.part("out"))
        self.random.shuffle(parts)
        text = self.inner(result, parts)
        requests = Requests(self, result, parts)
        rounds = "/* ; rounds */\n" if self.rounds else ""
        return text + rounds + requests.primal() + requests.derivatives()

    def inner(self, result: str, parts: list[Part]) -> str:
        p = self.prefix
        declared = ", ".join([*(part.declared for part in parts), "int n"])
        self.say("double e0[3] = {0.3, 0.6, 0.2}, a = 0.5, b = 0.7;")
        self.scope.arrays["e0"] = 3
        self.scope.scalars += ["a", "b"]
        if self.rounds:
            self.say("float f = 0.4f;")
            self.say("long double l = 0.3L;")
            self.scope.floats += ["f", "l"]
        for name in self.scope.arrays:
            self.say(f"e0[1] += 0.1 * {name}[0];")
        self.say(f"{p}_g = {self.value()};")
        self.say(f"{p}_gp = {self.pick([a for a, length in self.scope.arrays.items() if length >= 3])};")
        self.say(f"for (int i = 0; i < 4; i++) {p}_ga[i] = 0.3 * {self.value()} + 0.1 * i;")
        if self.chance(0.6):
            self.globals()
        self.returns = "return {};" if result == "double" and not self.ends and self.chance(0.5) else None
        self.statements(3)
        self.returns = None
        self.say("double sum = a * b;")
        for name, length in self.scope.arrays.items():
            self.say(f"for (int i = 0; i < {length}; i++) sum += {name}[i] * (0.3 + 0.17 * i);")
        for r in self.scope.records:
            self.say(f"sum += {r}v * {r}in.p + {r}a[1] - {r}in.q * {r}a[2] + {r}ptr[0];")
        for end in self.ends:
            self.say(end.replace("$X", self.settled()))
        if result == "double":
            self.say("return sum;")
        elif result != "void":
            self.say(f"return ({result}){{{self.settled()}, sum}};")
        body = "\n".join(self.lines)
        return f"{self.pick(('NOINLINE ', ''))}static {result} {p}_inner({declared}) {{\n{body}\n}}\n"


def _chain(type_: str, name: str) -> str:
    """Three nodes of a list, one behind the other."""
    nodes = ", ".join(f"{{0, {name} + {i}, 0}}" for i in (1, 2))
    return f"{type_} {name}[3] = {{{nodes}, {{0, 0, 0}}}};"


class Requests:
    """The function with its arguments made from x and y, and its derivatives."""

    def __init__(self, generator: RequestGenerator, result: str, parts: list[Part]) -> None:
        self.generator = generator
        self.result = result
        self.parts = parts
        self.name = generator.prefix

    def all(self, which: str) -> list[str]:
        return [line for part in self.parts for line in getattr(part, which)]

    @property
    def tail(self) -> str:
        return "".join(part.tail for part in self.parts)

    def value_of(self, variable: str) -> str:
        """A number from the result, or from its tangent."""
        return {"double": variable, "void": "0.0"}.get(self.result, f"{variable}.p + 0.3 * {variable}.q")

    def primal(self) -> str:
        values = ", ".join([*(part.value for part in self.parts), "n"])
        kept = "" if self.result == "void" else f"{self.result} r_ = "
        lines = [*self.all("before"), f"{kept}{self.name}_inner({values});", *self.all("after"),
                 f"return {self.value_of('r_')}{self.tail};"]  # fmt: skip
        return _function(f"double {self.name}(double *x, double *y, int n)", lines)

    def derivatives(self) -> str:
        g, p = self.generator, self.name
        both = [g.chance(0.3), g.chance(0.3)]
        reverse, forward = self.reverse(split=both[0]), self.forward(split=both[1])
        heads = [f"static {type_} {p}_{mode}(double *x, double *dx, double *y, double *dy, int n)"
                 for type_, mode in (("void", "reverse"), ("double", "forward"))]  # fmt: skip
        return (f"#ifdef PRIMAL_ONLY\n{heads[0]} {{ }}\n{heads[1]} {{ return 0; }}\n#else\n"
                f"{self.types}\n{_function(heads[0], reverse)}{_function(heads[1], forward)}#endif\n")  # fmt: skip

    types = ""

    def declare(self, request: str, type_: str) -> str:
        """A declaration of a request with a result of its own."""
        name = f"__enzyme_{request}_{self.name}"
        self.types += f"extern {type_} {name}(void *, ...);\n"
        return name

    def struct(self, of: str, members: list[str]) -> str:
        """Nothing, one type, or a struct of several."""
        if len(members) < 2:
            return members[0] if members else "void"
        text = " ".join(f"{type_} m{i};" for i, type_ in enumerate(members))
        self.types += f"typedef struct {{ {text} }} {self.name}_{of};\n"
        return f"{self.name}_{of}"

    def arguments(self, *, forward: bool) -> list[str]:
        words = []
        for part in self.parts:
            marker = "enzyme_dup" if forward and part.marker == "enzyme_out" else part.marker
            words += [marker] if marker else []
            words.append(part.value)
            if part.shadow and marker != "enzyme_out":
                words.append(part.shadow)
        return [f"(void *){self.name}_inner", *words, "enzyme_const", "n"]

    def reverse(self, *, split: bool) -> list[str]:
        g = self.generator
        outs = [part for part in self.parts if part.adjoint]
        seeded = self.result != "void"
        is_struct = seeded and self.result != "double"
        lines = [*self.all("before"), *self.all("reverse_before")]
        seed = "1.0"
        if is_struct:
            lines.append(f"{self.result} seed_ = {{1.0, 0.3}};")
            seed = "&seed_"
        words = self.arguments(forward=False)
        primal = seeded and not split and g.chance(0.3)
        type_ = self.struct("bar", [self.result] * primal + [part.adjoint for part in outs])
        kept = f"{type_} bar_ = " if type_ != "void" else ""
        if split:
            lines.append(f"void *tape_ = {self.declare('augmentfwd', 'void *')}({', '.join(words)});")
            words += [seed] * seeded + ["tape_"]
            lines.append(f"{kept}{self.declare('reverse', type_)}({', '.join(words)});")
        else:
            words[1:1] = ["enzyme_primal_return"] * primal
            words += ["enzyme_seed", seed] if is_struct or (seeded and g.chance(0.3)) else []
            lines.append(f"{kept}{self.declare('autodiff', type_)}({', '.join(words)});")
        lines += self.all("after")
        for at, part in enumerate(outs, primal):
            got = f"bar_.m{at}" if len(outs) + primal > 1 else "bar_"
            lines.append(f"{part.shadow} = {got};")
        return lines + self.all("reverse_after")

    def forward(self, *, split: bool) -> list[str]:
        g = self.generator
        lines = [*self.all("before"), *self.all("forward_before")]
        words = self.arguments(forward=True)
        tangent = "" if self.result == "void" else "t_"
        primal = tangent and not split and g.chance(0.3)
        type_ = self.struct("dot", [self.result] * (2 if primal else 1)) if tangent else "void"
        kept = f"{type_} t_ = " if tangent else ""
        if split:
            reverse = self.arguments(forward=False)
            lines.append(f"void *more_ = {self.declare('augmentfwd_more', 'void *')}({', '.join(reverse)});")
            lines.append(f"{kept}{self.declare('fwdsplit', type_)}({', '.join([*words, 'more_'])});")
        else:
            words[1:1] = ["enzyme_primal_return"] if primal else []
            lines.append(f"{kept}{self.declare('fwddiff', type_)}({', '.join(words)});")
        lines += [*self.all("after"), *self.all("forward_after")]
        value = self.value_of("t_.m1" if primal else "t_")
        return [*lines, f"return {value}{''.join(part.forward_tail for part in self.parts)};"]


def _function(head: str, lines: list[str]) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"{head} {{\n{body}\n}}\n"


def random_request(seed: int, prefix: str) -> str:
    """The text of one function with all that it uses and the requests for its derivatives, without HEAD."""
    return RequestGenerator(seed, prefix).program()
