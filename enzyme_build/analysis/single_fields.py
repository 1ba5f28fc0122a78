"""What lies once in a run of copied bytes whose length is known at run time only, as what is in front of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .kinds import Kind, number_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from enzyme_build.ir.types import Type

    from .fields import Fields
    from .regions import Place

_POINTER = 8


def untold_fields(places: Sequence[Place], found: Fields) -> list[tuple[int, int]]:
    """Offset and size of numbers and pointers at single offsets that are none of those which repeat with a period."""
    numbers, others = set(found.numbers), {*found.words, *found.mixed, *found.unknown}
    pointers = {*found.pointers, *others}
    left: set[tuple[int, int]] = set()
    for at, type_ in _single(places):
        inside = at % found.period
        if inside not in (pointers if type_ is None else others) and (inside, type_) not in numbers:
            left.add((at, _POINTER if type_ is None else number_bytes(type_)))
    return sorted(left)


def _single(places: Sequence[Place]) -> Iterator[tuple[int, Type | None]]:
    """Numbers (with type) and pointers behind places at known offsets, counted from there."""
    for place in places:
        if place.stride:
            continue  # begins at any of several
        for offset, content in place.region.fields.items():
            if offset >= place.offset:
                for type_ in content.claimed_numbers:
                    yield offset - place.offset, type_
                # Bytes that are looked at one by one may be said to be any part of a pointer.
                is_whole = offset % _POINTER == 0 or content.kind is Kind.POINTER
                if is_whole and Kind.POINTER in content.claims:
                    yield offset - place.offset, None
