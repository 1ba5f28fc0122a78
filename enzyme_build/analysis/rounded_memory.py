"""Memory in which numbers are rounded to integers, and read as numbers again, or as integers that become bits of such.

The fraction of such a number grows with the one that was rounded (see `mantissas`), and nothing of its derivative is
left. Where numbers are also written as such there, it may be a union that is used one way or the other: what is read
there as a number was written as one. Not so where a number is rounded that was scaled to where another has its bits.
"""

from __future__ import annotations

from itertools import chain
from math import gcd
from typing import TYPE_CHECKING, Final, NamedTuple

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import Constant, Value
from enzyme_build.records import dataclass

from .bit_sources import Varied, gives_rounded
from .claims import accessed, places_meet, touches_number
from .mantissas import fraction_grows, has_rounded_bits
from .roundings import NUMBERS, is_scaled, rounded_number
from .strings import is_transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from .memory import Memory
    from .regions import Place

_MOST: Final = 64
"""Places that are told apart of what one copy moves."""


@dataclass(frozen=True, slots=True)
class RoundedMemory:
    """What is read of such memory."""

    numbers: frozenset[Value]
    """Numbers on which a result depends, and calls that read such."""
    words: frozenset[Value]
    """Integers."""


class _Written(NamedTuple):
    """Where an integer is stored that a number was rounded to, of how many bytes, and was that number scaled?"""

    place: Place
    size: int
    scaled: bool


_NOTHING: Final = RoundedMemory(frozenset(), frozenset())


def read_as_numbers(
    memory: Memory,
    instructions: Sequence[ir.Instruction],
    varied: Varied,
    useful: Collection[Value],
) -> RoundedMemory:
    """What is read where integers were written that varied numbers were rounded to."""
    given = {i for i in instructions if gives_rounded(memory, i, varied)}
    rounded = given.union(i for i in instructions if rounded_number(i) in varied.values)
    filled = [place for i in instructions if isinstance(i, ir.CallBase) for place in _filled_by(memory, i)]
    if not rounded and not filled:
        return _NOTHING
    written, words = _written(memory, instructions, rounded, given, filled)
    if not written:
        return _NOTHING
    found = [i for i in instructions if i in useful and i.type.is_float_like and isinstance(i, (ir.Load, ir.CallBase))]
    untold = _without_numbers(memory, instructions, written)
    numbers: set[Value] = {
        i for i in found if isinstance(i, ir.Load) and i not in varied.values and _reads(memory, i, untold)
    }
    scaled = [one for one in written if one.scaled]
    numbers |= {i for i in found if scaled and _reads(memory, i, scaled)}
    return RoundedMemory(frozenset(numbers), frozenset(words))


def _written(
    memory: Memory,
    instructions: Sequence[ir.Instruction],
    rounded: Collection[Value],
    scaled: Collection[Value],
    filled: Sequence[Place],
) -> tuple[list[_Written], set[Value]]:
    """Where such integers are stored, here or by callees that have `filled` places with scaled ones, and the integers
    that are read there and are as good as rounded themselves."""
    stores = [i for i in instructions if isinstance(i, ir.Store) and isinstance(i.value.type, IntType)]
    loads = [i for i in instructions if isinstance(i, ir.Load) and isinstance(i.type, IntType)]
    copies = [i for i in instructions if is_transfer(i)]
    words: set[Value] = set()
    written: dict[ir.Instruction, dict[_Written, None]] = {copy: {} for copy in copies}
    by_callees = dict.fromkeys(_Written(place, 8, scaled=True) for place in filled)
    fresh = [*by_callees]
    """Of these, what copies have not moved yet."""

    def grown(value: Value) -> bool:
        return value in rounded or value in words

    more = True
    while more:
        more = False
        for i in stores:
            if i not in written and _grows(i.value, grown) and (place := accessed(memory, i)) is not None:
                fresh.append(_Written(*place, i.value in scaled or bool(is_scaled(i.value, 8 * place[1]))))
                written[i] = {fresh[-1]: None}
        while fresh:
            now, fresh = fresh, []
            for copy in copies:
                there = written[copy]
                if len(there) > _MOST:  # round and round
                    continue
                moved = dict.fromkeys(at for one in now if (at := _moved(memory, copy, one)) is not None)
                fresh += [at for at in moved if at not in there]
                there |= moved
        known = [*by_callees, *_all(written)]
        new = {i for i in loads if i not in words and _reads(memory, i, known)}
        words |= new
        more |= bool(new)
    return list(dict.fromkeys([*by_callees, *_all(written)])), words


def _all(written: Mapping[ir.Instruction, Mapping[_Written, None]]) -> list[_Written]:
    return list(dict.fromkeys(chain.from_iterable(written.values())))


def _moved(memory: Memory, copy: ir.CallBase, written: _Written) -> _Written | None:
    """Where a copy moves what is written."""
    target, source = (memory.place(pointer) for pointer in copy.arguments[:2])
    at = written.place.resolved()
    if target is None or source is None or source.resolved().region is not at.region:
        return None
    target, source = target.resolved(), source.resolved()
    distance = target.offset - source.offset if target.region is source.region else 0
    place = target.moved(at.offset - source.offset, gcd(at.stride, source.stride, distance))
    return _Written(place, written.size, written.scaled)


def _grows(value: Value, rounded: Callable[[Value], bool]) -> bool:
    if isinstance(value, Constant):
        return False
    type_ = NUMBERS.get(value.type)
    return has_rounded_bits(value, rounded) if type_ is None else fraction_grows(value, type_, rounded)


def _without_numbers(
    memory: Memory, instructions: Sequence[ir.Instruction], written: Sequence[_Written]
) -> list[_Written]:
    """Where such integers are stored, and no number as such."""
    stores = [i for i in instructions if isinstance(i, ir.Store) and i.value.type.is_float_like]
    numbers = [at for i in stores if (at := accessed(memory, i)) is not None]
    return [one for one in written if not any(places_meet(one.place, one.size, *number) for number in numbers)]


def _reads(memory: Memory, i: ir.Instruction, written: Sequence[_Written]) -> bool:
    """Does an instruction read there, a call a number?"""
    if isinstance(i, ir.Load):
        at = accessed(memory, i)
        return at is not None and any(places_meet(*at, one.place, one.size) for one in written)
    if not isinstance(i, ir.CallBase) or i not in memory.effects:
        return False
    read = {place.resolved().region for place in memory.effects[i].reads}
    return any(
        one.place.resolved().region in read and touches_number(memory.layout, one.place, one.size) for one in written
    )


def _filled_by(memory: Memory, call: ir.CallBase) -> Iterator[Place]:
    """Where a callee stores integers that scaled numbers were rounded to, and numbers are in turns."""
    summary = memory.handed.get(call)
    if summary is None:
        return
    for place in _filled(summary.source):
        if summary.knows(place):
            here = summary.place(place)
            if touches_number(memory.layout, here, 8):
                yield here


def _filled(memory: Memory) -> tuple[Place, ...]:
    """Where a function, or what it calls, stores such integers."""
    if memory.rounded is None:
        memory.rounded = ()  # as far as is known of functions that call each other
        instructions = [*memory.function.instructions()]
        given = {i for i in instructions if gives_rounded(memory, i, None)}
        rounded = given.union(i for i in instructions if rounded_number(i) is not None)
        inner = [place for i in instructions if isinstance(i, ir.CallBase) for place in _filled_by(memory, i)]
        own = _written(memory, instructions, rounded, given, inner)[0] if rounded or inner else []
        memory.rounded = tuple(one.place for one in own if one.scaled)
    return memory.rounded
