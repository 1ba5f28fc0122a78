"""Numbers that bytes may be part of, as accesses or callers say: which types they have, and where they lie."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.instructions import Load, Store

from .kinds import LONGEST_NUMBER, Kind, Trust
from .spans import ANYWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type

    from .contents import Content
    from .memory import Memory
    from .regions import Place, Region

_POINTER: Final = 8


def touches_number(layout: DataLayout, place: Place, size: int) -> bool:
    """May `size` bytes at `place` be part of a number, as accesses or callers say?"""
    return any(True for _ in touched(layout, place, size))


def touched(layout: DataLayout, place: Place, size: int) -> Iterator[Other]:
    """The numbers that `size` bytes at `place` may be part of."""
    return (other for other in _claimed(layout, place.resolved(), size) if touch(other, size))


def certainly_touches_number(layout: DataLayout, place: Place, size: int) -> bool:
    """Likewise, and is it not a member that elements of an array in the same object might reach, as far as nothing
    bounds the index?"""
    place = place.resolved()
    return any(touch(other, size) and (place.stride or not other.step) for other in _claimed(layout, place, size))


def claims_at(layout: DataLayout, place: Place, size: int) -> set[Type]:
    """The types of numbers that `size` bytes at `place` may be part of, as accesses or callers say."""
    return {other.type for other in touched(layout, place, size)}


def touches_pointer(place: Place, size: int) -> bool:
    """May `size` bytes at `place` be part of a pointer, as accesses or callers say?"""
    place = place.resolved()
    return any(
        Kind.POINTER in content.claims and overlap(at - place.offset, gcd(place.stride, stride), size, _POINTER)
        for at, stride, content in _reached(place, size)
    )


def lies_on_number(layout: DataLayout, place: Place, size: int) -> bool:
    """Are `size` bytes at `place` a whole number at some index, as accesses or callers say?

    Halves are not asked for: where nothing but the address tells members apart, a counter before an array would be one.
    """
    return any(
        not other.distance and other.width == size and not other.step % size
        for other in _claimed(layout, place.resolved(), size)
    )


def lies_on_numbers(layout: DataLayout, place: Place, size: int) -> bool:
    """The same, or are they several numbers of an array?"""
    return lies_on_number(layout, place, size) or any(
        not other.distance and other.width == other.step and not size % other.width
        for other in _claimed(layout, place.resolved(), size)
    )


def overlapped_numbers(layout: DataLayout, place: Place, size: int) -> set[Type]:
    """The types of numbers that `size` bytes at `place` are part of, or around, in the same object or element."""
    place = place.resolved()
    return {
        other.type
        for other in _claimed(layout, place, size)
        if other.step == place.stride and -other.width < other.apart < size
    }


def lies_on_moved_number(layout: DataLayout, place: Place, size: int) -> bool:
    """Are `size` bytes at `place` a number, more than one, or a part of one at a known offset or of an array that is
    walked in parts, that was moved untold of its type?"""
    place = place.resolved()
    return any(
        touch(other, size)
        and (
            not other.step
            or (not other.distance and other.width == size)
            or other.width < size
            or place.stride % other.width
        )
        for other in _claimed(layout, place, size, moved=True)
    )


def walks_parts(layout: DataLayout, place: Place, size: int) -> bool:
    """Are `size` bytes at `place` a part of numbers in an array that is walked in parts?"""
    place = place.resolved()
    return any(touch(other, size) and place.stride % other.width for other in _claimed(layout, place, size))


def _claimed(layout: DataLayout, place: Place, size: int, *, moved: bool = False) -> Iterator[Other]:
    for at, stride, content in _reached(place, size):
        for type_ in content.claimed_numbers:
            if not moved or content.may_carry_numbers:
                yield Other(place, at, stride, type_, Trust.BARE, layout.store_size(type_))


def _reached(place: Place, size: int) -> Iterator[tuple[int, int, Content]]:
    """Offset, stride and content of what `size` bytes at a place may be, as far as spans tell."""
    region = place.region
    if not region.spans:
        yield from region.entries()
        return
    near = _around(place, size)
    for at, stride, content in region.entries():
        if near.meets(region.span(at, stride)):
            yield at, stride, content


def _around(place: Place, size: int) -> Span:
    """Where numbers begin that `size` bytes at a place may be part of."""
    if not place.stride:
        return Span(place.offset - LONGEST_NUMBER + 1, place.offset + size)
    low, high = place.span.low, place.span.high
    return Span(None if low is None else low - LONGEST_NUMBER + 1, None if high is None else high + size)


class ClaimedNumbers:
    """The numbers of a (representative) region, looked up once for questions about many of its bytes."""

    def __init__(self, layout: DataLayout, region: Region) -> None:
        self._layout = layout
        self._at: dict[int, dict[int, set[Type]]] = {}
        """By stride and offset."""
        self._residues: dict[tuple[int, int], dict[int, set[Type]]] = {}
        self._bounded: list[tuple[int, int, Span, set[Type]]] = []
        """Offset, stride, span and types of what lies in a part of the region only."""
        for at, stride, content in region.entries():
            if not (types := content.claimed_numbers):
                continue
            if (at, stride) in region.spans:
                self._bounded.append((at, stride, region.spans[at, stride], set(types)))
            else:
                self._at.setdefault(stride, {}).setdefault(at, set()).update(types)

    def touched(self, place: Place, size: int) -> set[Type]:
        """The types of numbers that `size` bytes at `place` may be part of, as `claims_at` tells."""
        found: set[Type] = set()
        for stride in self._at:
            step = gcd(place.stride, stride)
            numbers = self._by_residue(stride, step)
            for distance in range(1 - LONGEST_NUMBER, size):
                at = place.offset + distance
                for type_ in numbers.get(at % step if step else at, ()):
                    if distance >= 0 or self._layout.store_size(type_) > -distance:
                        found.add(type_)
        for apart, step, types in self._near(place, size):
            found |= {type_ for type_ in types if overlap(apart, step, size, self._layout.store_size(type_))}
        return found

    def beginning(self, place: Place) -> set[Type]:
        """The types of numbers that begin at `place` at some index (see `lies_on_number`)."""
        found: set[Type] = set()
        for stride in self._at:
            step = gcd(place.stride, stride)
            for type_ in self._by_residue(stride, step).get(place.offset % step if step else place.offset, ()):
                if not step % self._layout.store_size(type_):
                    found.add(type_)
        for apart, step, types in self._near(place, 1):
            if apart % step == 0:
                found |= {type_ for type_ in types if not step % self._layout.store_size(type_)}
        return found

    def _near(self, place: Place, size: int) -> Iterator[tuple[int, int, set[Type]]]:
        """How far away what lies in a part of the region is, give or take multiples of the second number, where that
        part may have some of the bytes."""
        near = _around(place, size) if self._bounded else ANYWHERE
        for at, stride, span, types in self._bounded:
            if near.meets(span):
                yield at - place.offset, gcd(place.stride, stride), types

    def _by_residue(self, stride: int, step: int) -> dict[int, set[Type]]:
        """What lies at any of the places of one stride, by offset modulo `step`."""
        if not step:
            return self._at[stride]
        found = self._residues.get((stride, step))
        if found is None:
            found = self._residues[stride, step] = {}
            for at, types in self._at[stride].items():
                found.setdefault(at % step, set()).update(types)
        return found


class Other:
    """Numbers elsewhere in the region, `distance` away, give or take multiples of `step`."""

    def __init__(self, place: Place, offset: int, stride: int, type_: Type, trust: Trust, width: int) -> None:  # noqa: PLR0913, PLR0917
        self.type = type_
        self.trust = trust
        self.width = width
        self.step = gcd(place.stride, stride)
        self.apart = offset - place.offset
        self.distance = self.apart % self.step if self.step else self.apart
        self.same = stride == place.stride and self.distance == 0


def touch(other: Other, size: int) -> bool:
    """May `size` bytes at the place be part of those numbers?"""
    return overlap(other.distance, other.step, size, other.width)


def accessed(memory: Memory, i: Load | Store) -> tuple[Place, int] | None:
    """Where a load or store is, and of how many bytes."""
    place = memory.place(i.pointer)
    type_ = i.type if isinstance(i, Load) else i.value.type
    return (place, memory.layout.store_size(type_)) if place is not None else None


def places_meet(a: Place, size: int, b: Place, other_size: int) -> bool:
    """May runs of so many bytes at two places overlap?"""
    a, b = a.resolved(), b.resolved()
    return a.region is b.region and overlap(b.offset - a.offset, gcd(a.stride, b.stride), size, other_size)


def overlap(distance: int, step: int, size: int, width: int) -> bool:
    """May `size` bytes overlap `width` bytes `distance` behind them, give or take multiples of `step`?"""
    if not step:
        return -width < distance < size
    distance %= step
    return distance < size or step - distance < width
