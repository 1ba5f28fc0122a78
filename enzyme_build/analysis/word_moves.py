"""Where words are moved in memory, by a function or by those that it calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64

from .claims import accessed, places_meet
from .strings import is_transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .memory import Memory
    from .regions import Place

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


def reached(
    moves: Iterable[Move], places: Iterable[tuple[Place, int]], begins: Callable[[Place], bool] = lambda _: False
) -> list[tuple[Place, int]]:
    """Where words come to that were in one of these places, or in one where such words begin."""
    found, known = [], list(places)
    left = list(moves)
    while left:
        next_ = [m for m in left if begins(m[1]) or any(places_meet(m[1], m[2], *one) for one in known)]
        if not next_:
            break
        known = [(to, size) for to, _, size in next_]
        found += known
        left = [move for move in left if move not in next_]
    return found
