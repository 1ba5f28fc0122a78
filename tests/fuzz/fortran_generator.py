"""Grows random Fortran: expressions, statements and blocks, of which `fortran_programs` makes functions.

Lines that open and close blocks say so in comments, for the reducer.
"""

from __future__ import annotations

import copy
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from fortran_objects import OBJECTS
from fortran_statements import ARRAYS, CHANGES, GRIDS, POINTERS, SIMPLE, texts
from generate import Generator, Scope

_UNARY = (
    "sin({})", "cos({})", "exp(-abs({}) * 0.5)", "sqrt(1.3 + {0} ** 2)", "tanh({})", "{0} / (1.7 + {0} * {0})",
    "log(2.0 + {0} * {0})", "atan({})", "0.5 * {}", "asinh({})", "erf({})", "(-{})", "0.3 * {} ** 3", "abs({})",
    "gamma(1.6 + 0.5 * sin({}))", "log_gamma(2.5 + sin({}))", "bessel_j0({})", "bessel_jn(2, {})", "soften({})",
    "aint({}) * 0.1", "anint({}) * 0.1", "real(nint({}), 8) * 0.1", "floor({}) * 0.1", "ceiling({}) * 0.1",
    "fraction(1.5 + 0.4 * sin({}))", "scale(sin({}), -1)", "acosh(1.5 + {0} ** 2)", "atanh(0.5 * sin({}))",
    "erfc({})", "asin(0.7 * sin({}))", "acos(0.6 * cos({}))", "sinh(0.7 * tanh({}))", "log10(2.0 + {0} ** 2)",
    "exponent(1.2 + {0} ** 2) * 0.1", "set_exponent(1.5 + 0.4 * sin({}), 1)", "(1.4 + {0} ** 2) ** (-2)",
)  # fmt: skip
_BINARY = (
    "{} + {}", "{} - {}", "{} * {}", "{} / (1.6 + abs({}))", "hypot(1.1 + {}, {})", "atan2(1.0 + {0} * {0}, {1})",
    "(1.5 + 0.3 * sin({})) ** (1.0 + {})", "min({}, {})", "max({}, {}, 0.1)", "dim({}, {})", "sign({}, {})",
    "mod({}, 1.7 + abs({}))", "modulo({}, 1.3 + abs({}))", "merge({0}, {1} * {1}, {0} > {1})", "soften({}, {})",
)  # fmt: skip
_SETTLE = ("sin({})", "tanh({})", "0.8 * atan({})", "({0}) / (1.0 + abs({0}))")
_ARRAYS = (
    "sin({})", "{} * {}", "{} + {}", "{} - {}", "{} / (1.6 + abs({}))", "0.4 * {}", "merge({}, {}, $L)", "(-{})",
    "cshift({}, 1)", "cshift({}, 2)", "eoshift({}, 1)", "eoshift({}, 1, $V)", "[$V, $V, $V]",
    "[(sin($V * ii), ii = 1, 3)]", "matmul(reshape([{}, {}, {}], [3, 3]), {})", "pack({}, $L, {})",
    "unpack({}, $L, {})", "spread($V, 1, 3)", "sum(spread({}, 1, 2), dim=1)", "sum(reshape([{}, {}], [3, 2]), dim=2)",
    "maxval(reshape([{}, {}], [2, 3]), dim=1)", "product(reshape([{}, {}], [3, 2]), dim=2)", "max({}, $V)",
    "min({}, {})", "soften({})", "soften({}, $V)", "real((0.6_8, 0.3_8) * cmplx({}, {}, 8), 8)", "blend({}, {})",
    "abs(cmplx(1.2 + {} ** 2, {}, 8))", "reshape(transpose(reshape([{}, {}], [3, 2])), [3])", "[{}]",
    "reshape({}, [3], pad=[$V])", "merge({}, $V, $B)", "norm2(reshape([1.5 + {} ** 2, {}], [2, 3]), dim=1)",
    "matmul({}, $M)", "$M(:, $I)", "$M($I, :)", "reshape(pack($M, $M > $V, reshape($M, [9])), [3])",
)  # fmt: skip
_MASKS = ("{} > 0.3", "{} < {}", "[.true., $B, .false.]", ".not. ({} > 0.6)", "{} > 0.2 .and. {} < 1.1")
_REDUCTIONS = (
    "sum({})", "product(0.5 + 0.3 * sin({}))", "dot_product({}, {})", "maxval({})", "minval({})", "sum({}, mask=$L)",
    "norm2(1.5 + sin({}))", "count($L) * 0.1", "merge($V, $V, any($L))", "merge($V, $V, all($L))",
    "sum(maxloc({})) * 0.1", "sum(matmul(reshape([{}, {}], [2, 3]), {}))", "maxval({}, mask=$L .or. .true.)",
    "sum(pack({}, $L))", "sum([{}, {}])", "findloc($L, .true., dim=1) * 0.1", "sum(sin({}) * [0.3, 0.2, 0.5])",
    "product(cos({}), mask=$L)", "sum({} ** 2) * $V", "sum([($V * ii, ii = 1, n)])",
)  # fmt: skip
_OWN = ("assign", "assign", "assign", "update", "swap", "element_loop", "simple", "simple", "simple", "simple",
        "simple", "simple")  # fmt: skip
_BLOCKS = ("branch", "branch", "count_loop", "count_loop", "count_loop", "while_loop", "do_loop", "choice")
_OPENS = re.compile(r"(\w+: )?(do\b.*|if \(.*\) then|where (?!.* = ).*|forall \(jj = 1:3\)|select .*|associate .*)")
_TURNS = re.compile(r"else.*|case .*|type is .*|class is .*|class default")
_DECLARES = re.compile(r"(real|integer|type|class|complex|logical|character|procedure)\b.* :: ")


@dataclass
class FortranScope(Scope):
    """What may be named besides: arrays that are only read, reallocated or pointed to, matrices, loops' names."""

    constants: dict[str, int] = field(default_factory=dict)
    vectors: list[str] = field(default_factory=list)
    longer: list[str] = field(default_factory=list)
    """Arrays that may have more elements than is said."""
    targets: list[str] = field(default_factory=list)
    matrices: list[str] = field(default_factory=list)
    lower: dict[str, int] = field(default_factory=dict)
    loop_names: list[str] = field(default_factory=list)

    def copy(self) -> FortranScope:
        return copy.deepcopy(self)


class FortranGenerator(Generator):
    """Grows one function, its module and helpers."""

    def __init__(self, seed: int, prefix: str, *, fixed: bool = False) -> None:
        super().__init__(seed, prefix, fixed=fixed)
        self.precise = True
        self.heads: list[str] = []
        self.roots: dict[str, set[str]] = {}
        """Of pointers: what they may point to."""
        self.counted = ("", 0)
        self.changed = ""
        self.scope: FortranScope = FortranScope()

    # ---- pieces

    def say(self, text: str) -> None:
        super().say(re.sub(r"(?<![\w.])(\d+\.\d+)(?![\w.])", r"\1d0", text))

    def open(self, text: str) -> Scope:
        return super().open(text + " !")

    def close(self, outer: Scope, text: str = "end") -> None:
        super().close(outer, f"{text} ! }}")

    def turn(self, outer: Scope, text: str) -> None:
        """Another branch of the same construct."""
        self.close(outer, text)
        self.lines[-1] += "{"
        self.depth += 1
        self.scope = outer.copy()

    def at(self, name: str, index: str) -> str:
        """An element, counted from 1."""
        shift = 1 - self.scope.lower.get(name, 1)
        index = f"{index} - {shift}" if shift else index
        return name.replace(":", index, 1) if ":" in name else f"{name}({index})"

    def index(self, length: int) -> str:
        if self.scope.indices and self.chance(0.7):
            i = self.pick(self.scope.indices)
            form = self.pick(("{i}", "{i} + 1", "2 * {i}", "{i} * {i}", "{i} + n"))
            return f"mod({form.format(i=i)}, {length}) + 1"
        if self.chance(0.08):
            return f"mod(int(3 * abs({self.value()})), {length}) + 1"
        return str(self.random.randint(1, length))

    def element(self) -> str:
        name = self.pick(self.scope.arrays)
        return self.at(name, self.index(self.scope.arrays[name]))

    def section(self, name: str, length: int, *, read: bool = False) -> str:
        """Three elements of an array, counted from 1: pointers to a whole array take over its bounds."""
        forms = ["1:3", f"{length - 2}:{length}", "3:1:-1"]
        forms += ["1:5:2", "5:1:-2"] if length >= 5 else []
        forms += [name] * 2 if length == 3 and name not in {*self.scope.longer, *self.scope.lower} else []
        if self.scope.indices and length > 3:
            i = self.pick(self.scope.indices)
            forms += [f"mod({i}, {length - 2}) + 1:mod({i}, {length - 2}) + 3"]
        forms += ["[3, 1, 2]", f"[{length}, 1, 1]"] if read else []
        form = self.pick(forms)
        if form == name:
            return name
        shift = 1 - self.scope.lower.get(name, 1)
        if shift and form.startswith("["):
            form = f"{form} - {shift}"
        elif shift:
            first, last, *step = form.split(":")
            form = ":".join([f"{first} - {shift}", f"{last} - {shift}", *step])
        return name.replace(":", form, 1) if ":" in name else f"{name}({form})"

    def three(self) -> str:
        name, length = self.pick([*self.scope.arrays.items(), *self.scope.constants.items()])
        return self.section(name, length, read=True)

    def value(self) -> str:
        if self.scope.constants and self.chance(0.1):
            name, length = self.pick(self.scope.constants.items())
            return self.at(name, self.index(length))
        if self.scope.indices and self.chance(0.05):
            return f"0.2 * {self.pick(self.scope.indices)}"
        return self.place() if self.chance(0.85) else f"{self.random.uniform(0.2, 1.4):.3f}"

    def place(self) -> str:
        return self.element() if self.scope.arrays and self.chance(0.6) else self.pick(self.scope.scalars)

    def expression(self, depth: int) -> str:
        if depth == 0 or self.chance(0.2):
            return self.fill("0.4 * $R") if depth == 0 and self.chance(0.05) else self.value()
        forms = _UNARY if self.chance(0.4) else _BINARY
        return self.pick(forms).format(f"({self.expression(depth - 1)})", f"({self.expression(depth - 1)})")

    def settled(self, depth: int = 2) -> str:
        return self.pick(_SETTLE).format(self.expression(depth))

    def array(self, depth: int) -> str:
        """An expression of three numbers."""
        if depth == 0 or self.chance(0.3):
            return self.three()
        return self.of_arrays(_ARRAYS, depth)

    def of_arrays(self, forms: tuple[str, ...], depth: int) -> str:
        form = self.pick(f for f in forms if "$M" not in f or self.scope.matrices)
        parts = form.split("{}")
        text = parts[0] + "".join(f"({self.array(depth - 1)}){part}" for part in parts[1:])
        return self.fill(text)

    def condition(self) -> str:
        if self.scope.indices and self.chance(0.5):
            i = self.pick(self.scope.indices)
            return self.pick((f"mod({i}, 2) == 0", f"{i} > 1", f"{i} == 2", f"mod({i} + n, 3) /= 1"))
        test = self.pick(("{a} > {c}", "{a} < {c}", "{a} < {b} + {c}", "{a} * {b} > {c}", "{a} > {c} .or. {b} < 0.1",
                          "any([{a}, {b}] > {c})"))  # fmt: skip
        return test.format(a=self.value(), b=self.value(), c=f"{self.random.uniform(0.1, 0.9):.4f}")

    def count(self) -> str:
        return self.pick(("3", "2", "n", "n - 2", "n - 5", "4", f"mod(int(3 * abs({self.value()})), 5)", "n / 2",
                          *(self.scope.indices[-1:])))  # fmt: skip

    # ---- texts

    def fill(self, text: str) -> str:
        """A line of a statement with everything chosen."""
        text = re.sub("«([^»]*)»", lambda m: self.pick(m[1].split("|")), text).replace("$#", str(self.counted[1]))
        while found := re.search(r"\$[JN]\{([^{}]*)\}|\$[VPSXBC3ELTQRJWMGHYKID]", text):
            text = text[: found.start()] + self._piece(found[0][:2], found[1]) + text[found.end() :]
        return text

    def _piece(self, mark: str, index: str | None) -> str:
        scope = self.scope
        match mark:
            case "$V":
                return self.value()
            case "$P":
                return self.place()
            case "$S":
                return self.pick(scope.scalars)
            case "$B":
                return self.condition()
            case "$C":
                return self.count()
            case "$3":
                return self.three()
            case "$E":
                return self.array(2)
            case "$L":
                return self.of_arrays(_MASKS, 1)
            case "$R":
                return self.of_arrays(_REDUCTIONS, 2)
            case "$T":
                return self.section(*self.pick(scope.arrays.items()))
            case "$Q":
                name = self.pick(name for name in scope.arrays if name not in scope.lower)
                chosen = self.pick(("[3, 1, 2]", "[2, 3, 1]", "[1, 3, 2]"))
                return name.replace(":", chosen, 1) if ":" in name else f"{name}({chosen})"
            case "$J":
                return self.at(self.pick(scope.arrays), index or "jj")
            case "$N":
                return self.at(self.counted[0], str(index))
            case "$W":
                return self.changed
            case "$M":
                return self.pick(scope.matrices)
            case "$G":
                return self.pick(name for name in scope.targets if scope.arrays[name] > 3)
            case "$H":
                name = self.pick(scope.targets)
                return self.section(name, scope.arrays[name])
            case "$Y":
                name = self.pick(scope.targets)
                return self.at(name, self.index(scope.arrays[name]))
            case "$I":
                return self.index(3)
            case "$D":
                return str(self.random.randint(1, 2))
            case "$K":
                return str(self.random.randint(1, 3))
            case _:
                return self.settled(1)

    def fits(self, text: str) -> bool:
        """Is there what the text names?"""
        scope = self.scope
        return not (
            ("$M" in text and not scope.matrices)
            or (re.search(r"\$[HY]", text) and not scope.targets)
            or ("$Q" in text and scope.lower.keys() >= scope.arrays.keys())
            or ("$G" in text and not any(scope.arrays[name] > 3 for name in scope.targets))
            or (re.search(r"\bx\b", text) and "x" not in scope.arrays)
        )

    def write(self, statement: str, depth: int) -> None:
        """One of the statements, in a BLOCK construct if it declares something."""
        own = self.name("")
        chosen, changed = self.pick(self.scope.arrays.items()), self.pick(self.scope.vectors or [""])
        lines = [line for line in map(self._taken, statement.replace("@", own).split("\n")) if line]
        outer = self.open("block") if any(_DECLARES.match(line) for line in lines) else None
        before, states = self.scope.copy(), []
        for line in lines:
            self.counted, self.changed = chosen, changed
            kind, _, rest = line.partition(" ")
            if kind == "BLOCK":
                self.block(depth - 1)
            elif kind == "STAY":
                self.stay(depth - 1)
            elif kind == "CHANGE":
                self.do_change(depth)
            elif kind == "HEAD":
                self.heads.append(rest)
            elif kind == "SAME":
                a, b = rest.split()
                self.roots.setdefault(a, set()).add(b)
                self.roots.setdefault(b, set()).add(a)
            elif kind.startswith("+"):
                self._add(kind[1:], self.fill(rest))
            elif line.startswith("end "):
                self.leave_loop(states.pop(), line)
            elif _TURNS.fullmatch(line):
                self.turn(states[-1][0], self.fill(line))
            elif _OPENS.fullmatch(line):
                states.append(self._begin_block(self.fill(line)))
            else:
                self.say(self.pointing(self.fill(line)))
        if outer is None:
            self.scope = before
        else:
            self.close(outer, "end block")

    def _taken(self, line: str) -> str:
        """The line if it is chosen, without its probability."""
        if not line.startswith("?"):
            return line
        return line[3:] if self.chance(int(line[1]) / 10) else ""

    def _begin_block(self, text: str) -> tuple[Scope, int]:
        loop = re.match(r"(?:(\w+): )?do (?:while|(\w+) =)", text)
        if loop is None:
            return self.open(self.pointing(text)), self.work
        if loop[2]:
            self.counter(loop[2])
        return self.enter(text, loop[2])

    def _add(self, kind: str, text: str) -> None:
        """Something that may be named from now on."""
        parts = re.fullmatch(r"(.+?)(?: (\d+)(\+?)(?: (-?\d+))?)?", text)
        name, length, more, lower = parts.groups()  # type: ignore[union-attr]
        match kind:
            case "array":
                self.scope.arrays[name] = int(length)
                self.scope.longer += [name] * bool(more)
                if lower:
                    self.scope.lower[name] = int(lower)
            case "vector":
                self.add_vector(name)
            case "scalar":
                self.scope.scalars.append(name)
            case "matrix":
                self.add_matrix(name)

    def add_vector(self, name: str) -> None:
        self.scope.arrays[name] = 3
        self.scope.vectors.append(name)
        self.scope.longer.append(name)

    def add_matrix(self, name: str) -> None:
        self.scope.matrices.append(name)
        for part in ("(2, :)", "(:, 1)", "(:, 3)"):
            self.scope.arrays[name + part] = 3

    def counter(self, name: str) -> None:
        self.heads = [*dict.fromkeys([*self.heads, f"integer :: {name}"])]

    def pointing(self, text: str) -> str:
        """The text; what it makes pointers point to is noted."""
        for name, target in re.findall(r"(\w+)(?:\([^()]*\))?(?:%\w+)* => (?:part_of\()?(\w+)", text):
            self.roots.setdefault(name, set()).add(target)
            self.roots.setdefault(target, set()).add(name)
        return text

    def memory(self, name: str) -> set[str]:
        """Variables whose memory it may be part of."""
        found, left = set(), {re.match(r"\w+", name)[0]}  # type: ignore[index]
        while left:
            found |= left
            left = set().union(*(self.roots.get(root, ()) for root in left)) - found
        return found

    # ---- statements

    def stay(self, depth: int) -> None:
        """A block that neither leaves loops around it nor the procedure."""
        outer, returns = self.scope, self.returns
        self.scope, self.returns = self.scope.copy(), None
        self.scope.loops, self.scope.loop_names = 0, []
        self.block(depth)
        self.scope, self.returns = outer, returns

    def statement(self, depth: int) -> None:
        self.room -= 1
        deeper = depth > 0 and self.room >= 0 and self.work <= 40
        if deeper and self.chance(0.45):
            self.write(self.pick(text for text in _LONG if self.fits(text)), depth)
            return
        own = [*_OWN, *["leave"] * (self.scope.loops > 0), *["early"] * bool(self.returns)]
        own += ["call"] * (4 * bool(self.helpers)) + ["change"] * (3 * bool(self.scope.vectors))
        getattr(self, "do_" + self.pick([*own, *(_BLOCKS if deeper else ())]))(depth)

    def do_simple(self, depth: int) -> None:
        self.write(self.pick(text for text in _SIMPLE if self.fits(text)), depth)

    def do_change(self, depth: int) -> None:
        self.write(self.pick(_CHANGES) if self.scope.vectors else "$P = $X", depth)

    def do_assign(self, _: int) -> None:
        self.say(f"{self.place()} = {self.settled()}")

    def do_update(self, _: int) -> None:
        place = self.place()
        self.say(f"{place} = tanh({place} {self.pick('+-*')} (0.4 * {self.settled(1)}))")

    def do_swap(self, _: int) -> None:
        a, b = self.element(), self.element()
        self.say(f"got = {a}")
        self.say(f"{a} = {b}")
        self.say(f"{b} = got")

    def do_element_loop(self, _: int) -> None:
        a, b = self.pick(self.scope.arrays), self.pick(self.scope.arrays)
        count = min(self.scope.arrays[a], self.scope.arrays[b])
        i = self.name("i")
        self.counter(i)
        first, last, shift = self.random.randint(1, 2), self.random.randint(0, 1), self.random.randint(0, 1)
        bounds = self.pick((f"{first}, {count - last}", f"{count - last}, {first}, -1", f"{first}, {count}, 2"))
        here, there = self.at(a, i), self.at(b, f"{i} - {shift}" if first == 2 else i)
        text = self.pick(("sin({b})", "{b} * 0.5", "tanh({b} * {a})", "{b} / (2.0 + " + i + ")"))
        state = self.enter(f"do {i} = {bounds}", i)
        self.say(f"{here} = {text.format(a=here, b=there)}")
        self.leave_loop(state, "end do")

    def do_leave(self, _: int) -> None:
        name = self.pick(["", "", *self.scope.loop_names])
        self.say(f"if ({self.condition()}) {self.pick(('exit', 'cycle'))} {name}".rstrip())

    def do_early(self, _: int) -> None:
        outer = self.open(f"if ({self.condition()}) then")
        if self.returns != "return":
            self.say(str(self.returns).format(self.settled(1)))
        self.say("return")
        self.close(outer, "end if")

    def do_branch(self, depth: int) -> None:
        outer = self.open(f"if ({self.condition()}) then")
        self.block(depth - 1)
        if self.chance(0.5):
            self.turn(outer, self.pick(("else", f"else if ({self.condition()}) then")))
            self.block(depth - 1)
        self.close(outer, "end if")

    def do_count_loop(self, depth: int) -> None:
        i = self.name("i")
        self.counter(i)
        bounds = self.pick((f"1, {self.count()}", f"1, {self.count()}", f"{self.count()}, 1, -1", "0, 4, 2"))
        name = f"loop{i}" if self.chance(0.3) else ""
        state = self.enter(f"{name}: do {i} = {bounds}" if name else f"do {i} = {bounds}", i)
        self.scope.loop_names += [name] * bool(name)
        self.block(depth - 1)
        self.leave_loop(state, f"end do {name}".rstrip())

    def do_while_loop(self, depth: int) -> None:
        i = self.name("i")
        self.counter(i)
        self.say(f"{i} = 0")
        state = self.enter(f"do while ({i} < 5 .and. {self.condition()})", i)
        self.say(f"{i} = {i} + 1")
        self.block(depth - 1)
        self.leave_loop(state, "end do")

    def do_do_loop(self, depth: int) -> None:
        i = self.name("i")
        self.counter(i)
        self.say(f"{i} = 0")
        state = self.enter("do", i)
        self.say(f"{i} = {i} + 1")
        self.say(f"if ({i} > {self.random.randint(2, 4)}) exit")
        self.block(depth - 1)
        self.leave_loop(state, "end do")

    def do_choice(self, depth: int) -> None:
        outer = self.open(f"select case ({self.index(5)})")
        for case in ("case (1)", "case (2:3)", "case default"):
            self.turn(outer, case)
            self.block(depth - 1 if case == "case default" else 0)
        self.close(outer, "end select")


_SIMPLE, _CHANGES = texts(SIMPLE), texts(CHANGES)
_LONG = [*texts(ARRAYS), *texts(GRIDS), *texts(POINTERS), *texts(OBJECTS)]
