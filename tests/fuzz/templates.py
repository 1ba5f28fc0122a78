"""Statements that are written as texts, with marks for what is chosen at random.

@          a number that makes names the statement's own
$…         a piece, which the language's generator chooses
«p|q»      one of these
?p text    the line stands there with probability p in ten
BLOCK      more statements; CHANGE: one that changes a container
+array v   v may be named from here to the end of the block; also +vector, +scalar; -array: no longer
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from generate import Generator, Scope


def texts(statements: str) -> list[str]:
    """The single statements of a list."""
    return [text.strip() for text in statements.split("---\n")]


class TextGenerator(Generator):
    """Writes statements that are such texts."""

    MARKS = ""
    """A pattern for the pieces that it knows."""
    OR = r"\|"
    """A pattern for what stands between alternatives."""

    def __init__(self, seed: int, prefix: str, *, fixed: bool = False) -> None:
        super().__init__(seed, prefix, fixed=fixed)
        self.vector_names: set[str] = set()
        self.arrays_of_text = ("", 0)

    @property
    def vectors(self) -> list[str]:
        """Variables in scope that are vectors of numbers, of three elements or more."""
        return [name for name in self.scope.arrays if name in self.vector_names]

    def add_vector(self, name: str) -> None:
        self.scope.arrays[name] = 3
        self.vector_names.add(name)

    def fill(self, text: str) -> str:
        """A line of a statement with everything chosen."""
        text = re.sub("«([^»]*)»", lambda m: self.pick(re.split(self.OR, m[1])), text)
        text = text.replace("$#", str(self.arrays_of_text[1]))
        while found := re.search(self.MARKS, text):
            text = text[: found.start()] + self.piece(found[0]) + text[found.end() :]
        return text

    def piece(self, mark: str) -> str:
        """What stands for one mark."""
        raise NotImplementedError

    def open_block(self, head: str) -> tuple[Scope, int]:
        """A line that ends with a brace, without it: the state that `leave_loop` takes."""
        raise NotImplementedError

    def write(self, statement: str, depth: int) -> None:
        """One of the statements, between braces."""
        outer = self.open("")
        own = str(self.names)
        self.names += 1
        self.arrays_of_text = chosen = self.pick(self.scope.arrays.items())
        states: list[tuple[Scope, int]] = []
        for line in statement.replace("@", own).split("\n"):
            chance, _, rest = line.partition(" ") if line.startswith("?") else ("?10", "", line)
            if self.chance(int(chance[1:]) / 10):
                self.arrays_of_text = chosen
                self._write_line(rest, depth, states)
        self.close(outer)

    def _write_line(self, line: str, depth: int, states: list[tuple[Scope, int]]) -> None:
        kind, _, name = line.partition(" ")
        match kind:
            case "BLOCK":
                self.block(depth - 1)
            case "CHANGE":
                self.do_change(depth)
            case "+array":
                self.scope.arrays[name] = 3
            case "-array":
                del self.scope.arrays[name]
            case "+vector":
                self.add_vector(name)
            case "+scalar":
                self.scope.scalars.append(name)
            case "}" if name:
                self.close(states.pop()[0], line)
                self.depth += 1
                states.append((self.scope, self.work))
                self.scope = self.scope.copy()
            case "}" | "};":
                self.leave_loop(states.pop(), kind)
            case _ if line.endswith(" {"):
                states.append(self.open_block(line[:-2]))
            case _ if "$W" not in line or self.vectors:
                self.say(self.fill(line))
