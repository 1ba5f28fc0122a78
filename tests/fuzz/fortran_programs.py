"""Random Fortran functions over what the language and its intrinsic functions offer.

Each stands in a module of its own, with its derived types and helpers, as `pK` with `bind(C)`, which C calls
`double pK(double *x, double *y, int n)`. The rules are those of `generate`: everything is initialised, indices are
inside, loops end, values stay bounded, one statement a line. Arguments of a call share no memory if one is written.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from fortran_generator import FortranGenerator, FortranScope
from fortran_types import needed
from generate import M, N


class Kind(NamedTuple):
    """Helpers of one kind: their dummies, what they return, declarations, and what they begin with."""

    dummies: str
    result: str
    declared: str
    first: str = "r = s"


_READ = "real(8), intent(in) :: q(:)"
_HELPERS = {
    "shape": Kind("p, q, s, n, k", "r", f"real(8), intent(inout) :: p(:)\n{_READ}"),
    "explicit": Kind("p, q, s, n, k", "r", "real(8), intent(inout) :: p(3)\nreal(8), intent(in) :: q(*)"),
    "counted": Kind("p, q, s, n, k", "r", "real(8), intent(inout) :: p(n - 2)\nreal(8), intent(in) :: q(0:2)"),
    "recursive": Kind("p, q, s, n, k", "r", f"real(8), intent(inout) :: p(:)\n{_READ}"),
    "pointed": Kind("p, q, s, n, k", "r", f"real(8), pointer, intent(in) :: p(:)\n{_READ}"),
    "options": Kind("s, n, k, p, w", "r", "real(8), optional, intent(inout) :: p(:)\n"
                    "real(8), optional, intent(in) :: w", "r = s\nif (present(w)) t = t + w"),
    "vector": Kind("v, q, s, n, k", "", f"real(8), allocatable, intent(inout) :: v(:)\n{_READ}"),
    "out": Kind("r, v, q, s, n, k", "", f"real(8), allocatable, intent(out) :: v(:)\n{_READ}",
                "r = s\nv = [s, t, q(1)]"),
    "made": Kind("q, s, n, k", "v", f"{_READ}\nreal(8), allocatable :: v(:)", "r = s\nv = [t, q(2), 0.3]"),
    "sized": Kind("q, s, n, k", "v", f"{_READ}\nreal(8) :: v(«3|n - 2|min(size(q), 3)»)", "r = s\nv = t"),
    "callable": Kind("f, s, n, k", "r", "procedure(curve) :: f", "r = 0.5 * f(s)\nt = sin(f(t))"),
    "matrix": Kind("m, s, n, k", "r", "real(8), intent(inout) :: m(«:, :|3, 3|n - 2, n - 2»)"),
    "class": Kind("c, s, n, k", "r", "class(shape_t), intent(inout) :: c", "call c%grow(s)\nr = c%measure(t)"),
}  # fmt: skip
_GLOBALS = frozenset(("kept", "level", "store", "shared_one", "shared_more"))


class FortranProgram(FortranGenerator):
    """Grows one function with all that it uses."""

    def __init__(self, seed: int, prefix: str, *, fixed: bool = False) -> None:
        super().__init__(seed, prefix, fixed=fixed)
        self.has_globals = self.chance(0.35)
        self.of_globals: set[str] = set()
        """Helpers that use the module's variables."""

    def program(self) -> str:
        parts = [self.helper() for _ in range(self.random.randint(0, 4))]
        parts.append(self.main())
        text = "\n".join(parts)
        before, behind = needed(text, self.prefix)
        parts = [f"module {self.prefix}_m", "implicit none", before, "contains", behind, text]
        return "\n".join(map(_marked, "\n".join([*filter(None, parts), f"end module {self.prefix}_m"]).split("\n")))

    def begin(self, room: int) -> None:
        super().begin(room)
        self.scope = FortranScope(scalars=["t"])
        self.heads, self.roots = ["real(8) :: t, got", "integer :: ii, jj, kk"], {}

    def unit(self, opening: str, declared: str, inside: list[str] | None = None) -> str:
        """The procedure around the lines said."""
        lines = [opening, *(f"  {line}" for line in [*declared.split("\n"), *self.heads]), *self.lines]
        lines += ["contains", *inside] if inside else []
        kind = "function" if "function" in opening else "subroutine"
        return "\n".join([*lines, f"end {kind}"])

    def use_globals(self) -> None:
        self.scope.scalars += ["level", "shared_one"]
        self.scope.arrays |= {"kept": 4, "shared_more": 3}
        self.add_vector("store")

    # ---- helpers

    def helper(self) -> str:
        name_of_kind = self.pick(_HELPERS)
        kind = _HELPERS[name_of_kind]
        name = f"{name_of_kind}{len(self.helpers)}"
        self.begin(self.random.randint(1, 5))
        number = self.pick(("real(8), value :: s", "real(8), intent(in) :: s"))
        declared = f"{self.fill(kind.declared)}\n{number}\ninteger, intent(in) :: n, k"
        declared += "" if name_of_kind == "out" else "\nreal(8) :: r"
        declared += "\nreal(8), intent(out) :: r" if name_of_kind == "out" else ""
        self.scope.scalars += ["r"] + ["s"] * ("value" in number)
        self.scope.indices = ["k"]
        self.say("t = 0.5 * s")
        for line in kind.first.split("\n"):
            self.say(line)
        self._dummies(name_of_kind)
        if self.has_globals and self.chance(0.5):
            self.of_globals.add(name)
            self.use_globals()
        self._locals()
        if name_of_kind == "recursive":
            self.say(f"if (k > 0) t = {name}(p, q, 0.6 * sin(s) + 0.1, n, k - 1)")
        if name_of_kind == "options":
            self._where_present()
        self.returns = "r = {}" if kind.result == "r" or name_of_kind == "out" else "v(1) = {}"
        self.statements(2)
        self.returns = None
        self.say(("v(2) = sin(r + {})" if kind.result == "v" else "r = {}").format(self.settled(1)))
        called = re.findall(r"\w+\d(?=\()", "\n".join(self.lines))
        if self.of_globals.intersection(called):
            self.of_globals.add(name)
        self.helpers.append((name_of_kind, name))
        prefix = "recursive " * (name_of_kind == "recursive")
        what = f"function {name}({kind.dummies}) result({kind.result})" if kind.result else ""
        return self.unit(f"{prefix}{what or f'subroutine {name}({kind.dummies})'}", declared)

    def _dummies(self, kind: str) -> None:
        scope = self.scope
        match kind:
            case "shape" | "explicit" | "counted" | "recursive" | "pointed":
                scope.arrays["p"] = scope.constants["q"] = 3
                scope.longer += ["q"] if kind in ("explicit", "counted") else ["p", "q"]
                scope.targets += ["p"] * (kind == "pointed")
            case "vector" | "out":
                self.add_vector("v")
                scope.constants["q"] = 3
                scope.longer.append("q")
            case "made" | "sized":
                scope.constants["q"] = 3
                scope.longer.append("q")
                if kind == "made":
                    self.add_vector("v")
                else:
                    scope.arrays["v"] = 3
            case "matrix":
                self.add_matrix("m")
            case "class":
                scope.scalars.append("c%size")
        if kind == "counted":
            scope.lower["q"] = 0

    def _locals(self) -> None:
        """Arrays that most procedures have."""
        if not self.scope.arrays or self.chance(0.5):
            length = self.pick(("3", "n - 2", "0:2"))
            self.heads.append(f"real(8), target :: e({length})")
            self.say("e = [t, 0.4, sin(0.5 * t)]")
            self.scope.arrays["e"] = 3
            self.scope.targets.append("e")
            if length == "0:2":
                self.scope.lower["e"] = 0
        if self.chance(0.4):
            self.heads.append("real(8) :: g(3, 3)")
            self.say("g = reshape([(sin(t * ii), ii = 1, 9)], [3, 3])")
            self.add_matrix("g")

    def _where_present(self) -> None:
        outer = self.open("if (present(p)) then")
        self.scope.arrays["p"] = 3
        self.scope.longer.append("p")
        self.block(1)
        self.close(outer, "end if")

    # ---- calls

    def do_call(self, depth: int) -> None:
        kind, name = self.pick(self.helpers)
        numbers = f"({self.value()}), n, {self.random.randint(0, 3 if self.scope.loops < 2 else 1)}"
        banned = _GLOBALS if name in self.of_globals else frozenset()
        self.work += 2
        free = [array for array in self.scope.arrays if not self.memory(array) & banned]
        match kind:
            case "inner":
                self._take(f"{name}(({self.value()}))")
            case "inner_sub":
                self.say(f"call {name}(({self.value()}))")
            case "callable":
                inner = [other for kind, other in self.helpers if kind == "inner"]
                f = self.pick(["soft", "wave", "bump", *inner])
                self._take(f"{name}({f}, {numbers})")
            case "matrix" if self.scope.matrices:
                self._take(f"{name}({self.pick(self.scope.matrices)}, {numbers})")
            case "class":
                self.write(f"type(«ball|ring») :: o@\no@%size = $V\no@%r = $V\ngot = {name}(o@, {numbers})\n"
                           "$P = tanh(got + o@%size)", depth)  # fmt: skip
            case "options":
                chosen = self.pick(free) if free else ""
                more = [f", p={self._actual(chosen)}"] * bool(chosen and self.chance(0.7))
                more += [f", w=({self.value()})"] * self.chance(0.5)
                self._take(f"{name}({numbers}{''.join(more)})")
            case "made" | "sized" if free:
                to = self.pick(free)
                whole = to in self.scope.vectors and kind == "made"
                to = to if whole else self.section(to, self.scope.arrays[to])
                text = f"{name}({self._other(set(), banned)}, {numbers})"
                self.say(f"{to} = {text}" if whole or kind == "sized" else f"{to} = reshape({text}, [3])")
            case "vector" | "out":
                self._allocated(kind, name, numbers, banned)
            case "shape" | "explicit" | "counted" | "recursive" | "pointed":
                free = [array for array in free if kind != "pointed" or array in self.scope.targets]
                if free:
                    array = self.pick(free)
                    other = self._other(self.memory(array), banned)
                    from_one = kind == "pointed" and array in self.scope.lower
                    actual = self.section(array, self.scope.arrays[array]) if from_one else self._actual(array)
                    self._take(f"{name}({actual}, {other}, {numbers})")
            case _:
                self.do_assign(depth)

    def _allocated(self, kind: str, name: str, numbers: str, banned: frozenset[str]) -> None:
        vectors = [vector for vector in self.scope.vectors if not self.memory(vector) & banned]
        if not vectors:
            self.say(f"{self.place()} = {self.settled()}")
            return
        vector = self.pick(vectors)
        other = self._other(self.memory(vector), banned)
        self.say(f"call {name}({'got, ' * (kind == 'out')}{vector}, {other}, {numbers})")
        if kind == "out":
            self.say(f"{self.place()} = got")

    def _take(self, text: str) -> None:
        """A function's result, where what it changes is not in the same statement."""
        self.say(f"got = {text}")
        self.say(f"{self.place()} = got")

    def _actual(self, array: str) -> str:
        return array if self.chance(0.5) else self.section(array, self.scope.arrays[array])

    def _other(self, written: set[str], banned: frozenset[str]) -> str:
        """An argument that is only read, and shares no memory with what is written."""
        known = self.scope.arrays | self.scope.constants
        free = [array for array in known if not self.memory(array) & (written | banned)]
        if not free or self.chance(0.3):
            return f"({self.fill('0.9 * ($E)')})"
        array = self.pick(free)
        return array if self.chance(0.5) and array not in self.unsized else self.section(array, known[array], read=True)

    @property
    def unsized(self) -> list[str]:
        """Dummies that cannot be passed as a whole."""
        return [name for name in self.scope.longer if name == "q"]

    # ---- the function itself

    def main(self) -> str:
        room = self.random.randint(4, 14)
        self.begin(room)
        low = self.pick(("4", "4", "n - 1", "-1:2", "0:n - 2"))
        declared = (f"integer, value :: n\nreal(8), intent(inout), target :: x({self.pick('n5')})\n"
                    f"real(8), intent({'in' if self.fixed else 'inout'}), target :: y({low})\n"
                    "real(8) :: r, a, b, c")  # fmt: skip
        self._main_scope(low)
        heads, lines, scope = self.heads, self.lines, self.scope
        inside = [self.inner(scope) for _ in range(self.random.randint(1, 2))] if self.chance(0.4) else []
        self.begin(room)
        self.heads, self.lines, self.scope = heads, lines, scope
        self.returns = None if self.has_globals else "r = {}"
        self.statements(3)
        self.returns = None
        self.say("r = a * b + c")
        for name, length in self.scope.arrays.items():
            self.say(f"do kk = 1, {length}")
            self.say(f"  r = r + {self.at(name, 'kk')} * (0.3 + 0.17 * kk)")
            self.say("end do")
        if self.has_globals:
            self.say("r = r + level * shared_one")
            self.say("deallocate (store)")
        return self.unit(f'function {self.prefix}(x, y, n) result(r) bind(C, name="{self.prefix}")', declared, inside)

    def _main_scope(self, low: str) -> None:
        """What all of the function, with its internal procedures, may name."""
        scope = self.scope
        scope.scalars = ["a", "b", "c"]
        scope.arrays["x"] = N
        (scope.constants if self.fixed else scope.arrays)["y"] = M
        scope.lower |= {"y": int(low.split(":", maxsplit=1)[0])} if ":" in low else {}
        scope.targets += ["x"] if self.fixed else ["x", "y"]
        self.say("a = x(1)")
        self.say("b = sin(x(2) * x(3))")
        self.say("c = 0.4")
        for chance, name, declaration, value in (
            (0.5, "u", "real(8), target :: u(6)", "[x, 0.3]"),
            (0.6, "va", "real(8), allocatable :: va(:)", "x"),
            (0.4, "wa", "real(8), allocatable :: wa(:)", "[x(2), 0.7, x(4)]"),
            (0.5, "g", "real(8), target :: g(3, 3)", "reshape([(x(mod(ii, 5) + 1) * ii * 0.2, ii = 1, 9)], [3, 3])"),
        ):
            if self.chance(chance):
                self.heads.append(declaration)
                self.say(f"{name} = {value}")
                if name == "g":
                    self.add_matrix(name)
                    scope.targets += ["g(2, :)", "g(:, 1)"]
                elif name == "u":
                    scope.arrays[name] = 6
                    scope.targets.append(name)
                else:
                    self.add_vector(name)
        if self.has_globals:
            for line in ("kept = 0.3 * x(1:4)", "level = x(3)", "store = [x(2), 0.4, x(5)]", "shared_one = x(4)",
                         "shared_more = x(1:5:2)"):  # fmt: skip
                self.say(line)
            self.use_globals()

    def inner(self, host: FortranScope) -> str:
        """An internal procedure, which uses the variables of its host."""
        result = self.chance(0.6)
        name = f"inner{len(self.helpers)}"
        self.begin(self.random.randint(1, 4))
        self.scope = host.copy()
        self.scope.scalars.append("t")
        self.say("t = tanh(v)")
        self.returns = "r = {}"
        self.statements(1)
        self.returns = None
        self.say(f"r = {self.settled(1)}" if result else f"a = {self.settled(1)}")
        self.helpers.append(("inner" if result else "inner_sub", name))
        opening = f"function {name}(v) result(r)" if result else f"subroutine {name}(v)"
        return self.unit(opening, "real(8), intent(in) :: v\nreal(8) :: r")


def _marked(line: str) -> str:
    """A line that opens or closes a procedure, a type or an interface, with a comment that says so."""
    if re.match(r"\s*end (function|subroutine|type|interface)", line):
        return f"{line} ! }}"
    opens = r"\s*((recursive|elemental|pure) )*(function|subroutine) \w|\s*(abstract )?interface\b|type\b(?! *\().*::"
    return f"{line} ! {{" if re.match(opens, line) else line


def random_fortran(seed: int, prefix: str, *, fixed: bool = False) -> str:
    """The text of one module. `fixed`: y is only read."""
    return FortranProgram(seed, prefix, fixed=fixed).program()
