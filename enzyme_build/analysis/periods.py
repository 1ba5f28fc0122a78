"""After how many bytes the fields of an array repeat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import DOUBLE

from .kinds import Kind

if TYPE_CHECKING:
    from .fields import Fields

_WORD: Final = 8
_LONG: Final = 512
"""From so many bytes on, a period is worth being made shorter."""


def of_shortest_period(found: Fields) -> Fields:
    """Blocks of an array are no longer than its elements: 28 structs at a time have 28 times their fields."""
    offsets = [found.pointers, found.unknown, found.mixed, found.words, found.assumed]
    numbers = set(found.numbers)
    for period in range(1, found.period // 2 + 1):
        if found.period % period or any(((at + period) % found.period, type_) not in numbers for at, type_ in numbers):
            continue
        if all((at + period) % found.period in group for group in map(set, offsets) for at in group):
            pointers, unknown, mixed, words, assumed = (tuple(at for at in group if at < period) for group in offsets)
            first = tuple((at, type_) for at, type_ in found.numbers if at < period)
            return replace(
                found,
                period=period,
                numbers=first,
                pointers=pointers,
                unknown=unknown,
                mixed=mixed,
                words=words,
                assumed=assumed,
            )
    return found if found.period < _LONG or not found.words else _as_any(found)


def _as_any(found: Fields) -> Fields:
    """Structs in blocks, as a sort merges them, of which some have been seen to hold a pointer where others only have a
    number there: each is as any of them, if all have a field in the same places."""
    kinds: dict[int, object] = {at: type_ for at, type_ in found.numbers if type_ is DOUBLE}
    kinds |= dict.fromkeys(found.pointers, Kind.POINTER) | dict.fromkeys(found.words, Kind.MIXED)
    if found.unknown or found.mixed or len(kinds) < len(found.numbers) + len(found.pointers) + len(found.words):
        return found
    shorter: list[Fields] = []
    for period in range(_WORD, _LONG // 2 + 1, _WORD):
        if found.period % period or {(at + period) % found.period for at in kinds} != kinds.keys():
            continue
        each = {at: {kinds[k] for k in range(at, found.period, period)} for at in sorted(kinds) if at < period}
        folded = replace(
            found,
            period=period,
            numbers=tuple((at, DOUBLE) for at, told in each.items() if told == {DOUBLE}),
            pointers=tuple(at for at, told in each.items() if told == {Kind.POINTER}),
            words=tuple(at for at, told in each.items() if told not in ({DOUBLE}, {Kind.POINTER})),
            assumed=tuple(sorted({at % period for at in found.assumed})),
        )
        shorter.append(folded)
    return min(shorter, key=lambda one: (len(one.words) / one.period, one.period), default=found)
