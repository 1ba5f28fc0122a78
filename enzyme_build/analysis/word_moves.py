"""Where words are moved in memory, by a function or by those that it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64

from .claims import accessed, places_meet
from .strings import is_transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .memory import Memory
    from .regions import Place, Region

Move = tuple["Place", "Place", int]
"""To where, from where, and how many bytes."""
_MOVED: Final = (I32, I64, FLOAT, DOUBLE)


def word_moves(memory: Memory, i: ir.Instruction) -> Iterator[Move]:
    """What an instruction moves."""
    if is_transfer(i):
        to, source = (memory.place(pointer) for pointer in i.arguments[:2])
        if to is not None and source is not None:
            yield to.moved(0, 1), source.moved(0, 1), 1
    elif isinstance(i, ir.CallBase):
        summary = memory.handed.get(i)
        if summary is not None:
            for to, source, size in _all_moves(summary.source):
                if summary.knows(to) and summary.knows(source):
                    yield summary.place(to), summary.place(source), size
    elif isinstance(i, ir.Store):
        at = accessed(memory, i)
        for load in merged_from(i.value):
            source = memory.place(load.pointer) if isinstance(load, ir.Load) and load.type in _MOVED else None
            if at is not None and source is not None:
                yield at[0], source, at[1]


def _all_moves(memory: Memory) -> Sequence[Move]:
    """What a function moves, as far as is known of functions that call each other."""
    if memory.word_moves is None:
        memory.word_moves = ()
        memory.word_moves = tuple(move for i in memory.function.instructions() for move in word_moves(memory, i))
    return memory.word_moves


class Moves:
    """What functions move, to be asked where words come to."""

    def __init__(self, moves: Iterable[Move]) -> None:
        self._from: dict[Region, list[Move]] = {}
        for to, source, size in dict.fromkeys(moves):
            self._from.setdefault(source.resolved().region, []).append((to, source, size))

    def reached(self, places: Iterable[tuple[Place, int]]) -> list[tuple[Place, int]]:
        """Where words come to that were in one of these places."""
        pending = [*places]
        found: dict[tuple[Place, int], None] = {}
        left: dict[Region, list[Move]] = {}
        while pending:
            at = pending.pop()
            region = at[0].resolved().region
            moves = left.get(region, self._from.get(region, ()))
            left[region] = []
            for move in moves:
                to, source, size = move
                if not places_meet(source, size, *at):
                    left[region].append(move)
                elif (to, size) not in found:
                    found[to, size] = None
                    pending.append((to, size))
        return [*found]

    def sources(self) -> Iterator[tuple[Region, Sequence[Move]]]:
        """What is moved from each part of memory."""
        yield from self._from.items()
