"""Statements of the random functions that sweep over grids whose rows lie one after the other.

How many elements a row has is known at run time only. What a sweep reads again or keeps depends on proofs that later
steps write elsewhere, so sweeps read and write the grid at neighbouring, mirrored and transposed places, in triangles
and backwards, and time steps repeat them.
"""

from __future__ import annotations

_ROWS = ("int {0} = 1; {0} < {1} - 1; {0}++", "int {0} = {1} - 2; {0} > 0; {0}--",
         "long {0} = 1; {0} < {1} - 1; {0} += 2", "unsigned {0} = 1; {0} + 1 < (unsigned){1}; {0}++")  # fmt: skip
_COLUMNS = ("int {0} = 1; {0} < (int){2}; {0}++", "int {0} = {2}; {0} < {1} - 1; {0}++",
            "int {0} = {1} - 2; {0} > (int){2}; {0}--", "int {0} = {2} + 1; {0} < {1}; {0}++")  # fmt: skip
_UPDATES = ("{0} = sin({1} * {2})", "{0} = tanh({0} * {1} + {2})", "{0} -= 0.4 * sin({1} * {2})",
            "{0} *= cos({1} * {0})", "{0} = {1} / (1.2 + {2} * {2})")  # fmt: skip


class GridStatements:
    """Mixed into the generator, whose scope and vocabulary they use."""

    def do_grid(self, _: int) -> None:
        g, q = self.name("g"), self.name("q")
        returns, self.returns = self.returns, None
        outer = self.open("")
        on_heap = self.chance(0.6)
        self.say(f"int {q} = n - {self.random.randint(0, 1)};")
        self.say(f"double *{g} = malloc({q} * {q} * sizeof *{g});" if on_heap else f"double {g}[{q} * {q}];")
        self.say(f"for (int i = 0; i < {q} * {q}; i++) {g}[i] = {self.value()} + 0.1 * i;")
        t = self.name("t")
        steps = self.enter(f"for (int {t} = 0; {t} < {self.random.randint(1, 3)}; {t}++)", t)
        self.scope.loops = 0
        for _each in range(self.random.randint(1, 3)):
            self.say(self._sweep(g, q))
        if self.chance(0.4):
            self.say(f"{g}[{self.random.randint(0, 8)}] += {self.value()};")
        self.leave_loop(steps)
        self.say(f"{self.place()} = tanh({g}[{q}] * {g}[1] + {g}[{q} + 1]);")
        self.say(f"for (int i = 0; i < {q} * {q}; i++) {self.pick(self.scope.scalars)} += 0.01 * {g}[i] * {g}[i];")
        if on_heap:
            self.say(f"free({g});")
        self.close(outer)
        self.returns = returns

    def _sweep(self, g: str, q: str) -> str:
        loops = [self.pick(_ROWS).format("i", q), self.pick(_COLUMNS).format("j", q, "i")]
        if self.chance(0.5):
            loops.append(self.pick(_COLUMNS).format("k", q, self.pick("ij")))
        names = "ijk"[: len(loops)]
        elements = [self._element(g, q, names) for _ in range(3)]
        when = self.pick(("", "", "if (i != j) ", f"if ({g}[i] > 0.1) "))
        return "".join(f"for ({loop}) " for loop in loops) + when + self.pick(_UPDATES).format(*elements) + ";"

    def _element(self, g: str, q: str, names: str) -> str:
        # The first counter stays off the border, the others may reach the last column.
        row, column = self.pick(names), self.pick(names)
        near = self.pick(("i", "i - 1", "i + 1", f"{q} - 1 - i"))
        back = self.pick((column, column, f"{column} - 1", f"{q} - 1 - {column}"))
        at = self.pick((f"({near}) * {q} + {back}", f"({near}) * {q} + {back}", f"{row} * {q} + {back}", back,
                        f"{row} * {q} + {near}"))  # fmt: skip
        return f"{g}[{at}]"
