"""What a run of copied bytes holds: its numbers and pointers by offset.

Evidence is what accesses of either memory say, then declared types. A run of one kind is *homogeneous* and may have
any length; a mixed run needs a constant length, or repeats with the stride of the array it lies in. Bytes that nobody
accesses and that no outsider can see hold nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field, replace
from itertools import islice
from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.ir.types import DOUBLE, FloatType, PointerType, Type
from enzyme_build.records import dataclass

from .accessed import accessed_content, accessed_kind, beginning_at
from .claims import ClaimedNumbers, touches_number, touches_pointer
from .kinds import LONGEST_NUMBER, Kind
from .leaves import distinct_leaves, padding_at, scalar_at
from .periods import of_shortest_period
from .single_fields import untold_fields
from .writes import is_constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from enzyme_build.ir.layout import DataLayout

    from .contents import Content
    from .kinds import Claim
    from .regions import Place, Region

_LONGEST_WALK = 1 << 16
_WORD = 8
_ADDRESS = frozenset((Kind.POINTER, Kind.INTEGER, Kind.MIXED))
_LONGEST_ELEMENT = 16
"""So many fields of one type may an element have for its repetitions to be seen as such."""

ONCE = 1 << 40
"""A period longer than any run: of fields that lie once in a run, as far as it reaches."""


@dataclass(frozen=True, slots=True)
class Fields:
    """`numbers` and `pointers` by byte offset, once (`period` 0) or every `period` bytes. `unknown` lists offsets of
    bytes that outsiders can see and that nothing gives a type; `mixed` those that are used as different types; `words`
    those aligned eight bytes that hold a pointer in some objects and a double in others. `plain`: no numbers, but there
    may be pointers anywhere among integers. `anywhere`: all aligned words are such, wherever the run begins.
    `doubtful`: begin and size of bytes that a struct declares as such, and of which nothing else is known. `assumed`:
    bytes behind an integer, in the same aligned eight, that are taken for the rest of it or padding. `shared`: those
    pointers that may be numbers in other objects, as members of unions. `adrift`: numbers may lie elsewhere, too.
    `noted`: all of this is told by what is noted while the derivative runs."""

    period: int
    numbers: tuple[tuple[int, Type], ...]
    pointers: tuple[int, ...]
    unknown: tuple[int, ...] = ()
    mixed: tuple[int, ...] = ()
    words: tuple[int, ...] = ()
    plain: bool = False
    anywhere: bool = False
    doubtful: tuple[tuple[int, int], ...] = ()
    assumed: tuple[int, ...] = field(default=(), compare=False)
    shared: tuple[int, ...] = field(default=(), compare=False)
    adrift: bool = field(default=False, compare=False)
    noted: bool = False

    def size(self, length: int | None) -> int | None:
        """Of the bytes that have all fields (of one period): as many as the run has, if nothing repeats; None where
        nobody knows."""
        if self.period != ONCE:
            return self.period or length
        starts = [*(at for at, _ in self.numbers), *self.pointers, *self.words]
        return max(starts, default=0) + _WORD

    @property
    def has_pointers(self) -> bool:
        """May there be any?"""
        return bool(self.pointers or self.words or self.plain or self.anywhere or self.noted)

    @property
    def has_numbers(self) -> bool:
        """May there be any, or what nobody knows?"""
        return bool(self.numbers or self.unknown or self.mixed or self.words or self.anywhere or self.noted)

    def inside(self, layout: DataLayout, start: int, end: int, *, doubtful: bool = False) -> Fields | None:
        """The fields of a run without repetitions between two offsets; None where something there is not known (but for
        bytes that are taken as `doubtful`), or sticks out."""
        width = layout.pointer_size()
        spans = [(at, at + layout.store_size(type_)) for at, type_ in self.numbers]
        spans += [(at, at + width) for at in self.pointers]
        if self.plain or self.anywhere or any(at < border < to for at, to in spans for border in (start, end)):
            return None
        if any(start <= at < end for at in (*(() if doubtful else self.unknown), *self.mixed, *self.words)):
            return None
        numbers = tuple((at, type_) for at, type_ in self.numbers if start <= at < end)
        pointers = tuple(at for at in self.pointers if start <= at < end)
        return Fields(0, numbers, pointers, self.unknown_in(start, end))

    def untold(self, length: int | None) -> list[tuple[int, int]]:
        """Begin and size of the runs of bytes of which nothing tells what they are, of one period or of a run of a
        constant length: what is used as different types reaches to the next that is known, but no number is longer
        than the longest."""
        end = self.period or length
        others = [*(at for at, _ in self.numbers), *self.pointers, *self.words, *self.mixed, *self.unknown]
        begins = sorted({*others, *(() if end is None else (end,))})
        found = dict.fromkeys(self.unknown, 1)
        for at in self.mixed:
            behind = bisect_right(begins, at)
            end_here = begins[behind] if behind < len(begins) else at + LONGEST_NUMBER
            found[at] = min(end_here - at, LONGEST_NUMBER)
        return joined(sorted(found.items()))

    def unknown_in(self, start: int, end: int) -> tuple[int, ...]:
        """Those of the unknown bytes that lie between two offsets."""
        return tuple(at for at in self.unknown if start <= at < end)


def fields(
    layout: DataLayout, places: Sequence[Place], length: int | None, *, loose: bool = False, every: bool = False
) -> Fields:
    """The fields of `length` bytes at places that hold the same (None: a length known at run time only).

    `loose` takes bytes that nothing gives a type for what all others are. With `every`, bytes that nobody accesses may
    hold something even where no outsider sees them: what was copied there.
    """
    places = [place.resolved() for place in places]
    kinds = {(content.kind, content.float_type) for place in places for content in _contents(place)} - {
        (Kind.UNKNOWN, None)
    }
    kinds |= set(_declared_kinds(places))
    period = _period(places)
    if len(kinds) == 1:
        ((kind, type_),) = kinds
        size = layout.alloc_size(type_) if type_ is not None else layout.pointer_size()
        hidden = not every and not any(_may_be_filled(place.region) for place in places)
        # Accesses at single offsets say nothing of the bytes between: another member may be there.
        sure = loose or _dense(layout, places, size) or (length is None and not period)
        sure = sure and _types_claimed(places) <= {type_}
        if kind is Kind.INTEGER and (sure and (loose or period or hidden)):
            return Fields(0, (), ())
        if kind is Kind.POINTER and (sure and (loose or period or hidden)):
            return Fields(size, (), (0,))
        if kind is Kind.FLOAT and type_ is not None and sure and _aligned(layout, places, type_):
            return Fields(size, ((0, type_),), ())
    if length is None or length > _LONGEST_WALK:
        if not period:
            return Fields(0, (), (), unknown=(0,))
        return _with_beginning(layout, places, _walk(layout, places, period, period, every=every), every=every)
    return _walk(layout, places, length, 0, every=every)


def _with_beginning(layout: DataLayout, places: Sequence[Place], found: Fields, *, every: bool) -> Fields:
    """The fields of an array, and what lies in front of it in the same run."""
    single = untold_fields(places, found)
    if not single:
        return found
    end = max(at + size for at, size in single)
    if found.has_numbers or found.has_pointers or end > _LONGEST_WALK:
        return replace(found, mixed=tuple(sorted({*found.mixed, *(at % found.period for at, _ in single)})))
    return replace(_walk(layout, places, end, 0, every=every), period=ONCE)


def _may_be_filled(region: Region) -> bool:
    """May code that is not seen keep something there? In constant variables there is what they begin with."""
    return region.is_visible and not is_constant(region)


def _dense(layout: DataLayout, places: Sequence[Place], size: int) -> bool:
    """Are accesses seen at every element, or does a declared type cover them?"""
    strides = {stride for place in places for _, stride in place.region.strided}
    if strides:
        return max(strides) <= size
    return any(
        isinstance(declared, Type)
        and layout.alloc_size(declared) > size
        and any(True for _ in distinct_leaves(declared))
        for place in places
        for _, _, declared in place.region.declared
    )


def _contents(place: Place) -> Iterable[Content]:
    yield from place.region.fields.values()
    yield from place.region.strided.values()


def _aligned(layout: DataLayout, places: Sequence[Place], type_: Type) -> bool:
    """Do all accesses fall on elements counted from the places?"""
    size = layout.alloc_size(type_)
    return all(
        (offset - place.offset) % size == 0
        for place in places
        for offset in [*place.region.fields, *(at for at, _ in place.region.strided)]
    )


def _period(places: Sequence[Place]) -> int:
    strides = {stride for place in places for _, stride in place.region.strided}
    strides |= {stride for place in places for _, stride, _ in place.region.declared if stride}
    longest = max(strides, default=0)
    return longest if all(longest % stride == 0 for stride in strides) else 0


def _walk(layout: DataLayout, places: Sequence[Place], length: int, period: int, *, every: bool = False) -> Fields:
    numbers: list[tuple[int, Type]] = []
    pointers: list[int] = []
    unknown: list[int] = []
    mixed: list[int] = []
    words: list[int] = []
    assumed: list[int] = []
    visible = every or any(_may_be_filled(place.region) for place in places)
    types = _types_claimed(places)
    claimed = {place.region: ClaimedNumbers(layout, place.region) for place in places}
    at = 0
    integer_until = padding_until = 0
    while at < length:
        kind, type_ = kind_at(layout, places, at, period)
        if kind is not Kind.UNKNOWN and (places[0].offset + at) % 8 == 0 and _is_word(layout, places, at, period, kind):
            if length - at >= 8:  # less is neither
                words.append(at)
            at += 8
        elif kind in {Kind.FLOAT, Kind.MIXED} and type_ is not None:
            # An integer at other times has no adjoint: where the shadow is zero, nothing is moved.
            others = types != {type_} and _others_claimed(layout, claimed, places, at, period, type_)
            size = layout.store_size(type_)
            pointed = bool(period) and any(touches_pointer(place.moved(at, period), size) for place in places)
            if others or pointed or _is_long_pointer(layout, places, at, period, type_):
                mixed.append(at)
            numbers.append((at, type_))
            if kind is Kind.FLOAT:
                padding_until = at + layout.alloc_size(type_)  # of ten bytes there are sixteen
            at += size
        elif kind is Kind.POINTER:
            if types and _others_claimed(layout, claimed, places, at, period):
                mixed.append(at)
            pointers.append(at)
            at += layout.pointer_size()
        elif kind is Kind.INTEGER and types and (told := _begins(claimed, places, at, period)):
            mixed += [at] if len(told) > 1 else []
            numbers += [(at, float_type) for float_type in told]
            at += max(map(layout.store_size, told))
        elif length - at >= layout.pointer_size() and _may_point(layout, places, at, period, kind):
            # The shadow of an integer may be moved like that of a pointer.
            pointers.append(at)
            at += layout.pointer_size()
        elif kind is Kind.MIXED:
            mixed.append(at)
            at += 1
        elif kind is Kind.INTEGER:
            # An integer of unknown width, and padding behind it.
            integer_until = max(integer_until, at - at % 8 + 8)
            at += 1
        else:
            if visible and at >= padding_until and not _is_padding(layout, places, at, period):
                (unknown if at >= integer_until else assumed).append(at)
            at += 1
    # What sticks out of the run, or of one of its repetitions, is not what lies there.
    width = layout.pointer_size()
    mixed += [start for start, type_ in numbers if start + layout.store_size(type_) > length]
    mixed += [start for start in (*pointers, *words) if start + width > length]
    numbers = [(start, type_) for start, type_ in numbers if start + layout.store_size(type_) <= length]
    pointers = [start for start in pointers if start + width <= length]
    words = [start for start in words if start + width <= length]
    found = Fields(
        period, tuple(numbers), tuple(pointers), tuple(unknown), tuple(mixed), tuple(words), assumed=tuple(assumed)
    )
    return of_shortest_period(found) if period else found


def integers_at(layout: DataLayout, places: Sequence[Place], found: Fields, length: int) -> list[tuple[int, int]]:
    """Where in a run (in each of its periods) integers lie."""
    width = layout.pointer_size()
    taken = {*found.unknown, *found.mixed}
    for start, size in (
        *((at, layout.store_size(type_)) for at, type_ in found.numbers),
        *((at, width) for at in (*found.pointers, *found.words)),
        *found.doubtful,
    ):
        taken.update(range(start, start + size))
    integers: list[tuple[int, int]] = []
    at = 0
    while at < length:
        if at in taken or kind_at(layout, places, at, found.period)[0] is not Kind.INTEGER:
            at += 1
            continue
        until = min(at + _width(places, at, found.period), length)
        end = next((to for to in range(at, until) if to in taken), until)
        integers.append((at, end - at))
        at = end
    return integers


def _width(places: Sequence[Place], at: int, period: int) -> int:
    """How many bytes an integer has; up to the next word where callers tell that it is one."""
    contents = (accessed_content(p.region, p.offset, p.stride) for place in places for p in [place.moved(at, period)])
    return max((content.width for content in contents if content is not None), default=0) or _WORD - at % _WORD


def joined(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges (begin and size) in order, neighbours as one."""
    found: list[tuple[int, int]] = []
    for at, size in ranges:
        if found and sum(found[-1]) == at:
            found[-1] = (found[-1][0], found[-1][1] + size)
        else:
            found.append((at, size))
    return found


def runs(offsets: Iterable[int], shortest: int) -> list[tuple[int, int, int]]:
    """Offsets as runs of equal distance: start, distance, count. What would make a shorter one stands alone."""
    found: list[tuple[int, int, int]] = []
    left = dict.fromkeys(sorted(offsets))
    while left:
        nearest = list(islice(left, _LONGEST_ELEMENT + 1))
        start, count, step = nearest[0], 1, 1
        for other in nearest[1:]:
            length = 1
            while start + length * (other - start) in left:
                length += 1
            if length > count:
                count, step = length, other - start
        if count < shortest:
            count, step = 1, 1
        found.append((start, step, count))
        for at in range(start, start + count * step, step):
            del left[at]
    return found


def _types_claimed(places: Sequence[Place]) -> set[Type]:
    """The types of all numbers in the memory, as accesses or callers say."""
    return {type_ for place in places for content in _contents(place) for type_ in content.claimed_numbers}


def _others_claimed(  # noqa: PLR0913, PLR0917
    layout: DataLayout,
    claimed: Mapping[Region, ClaimedNumbers],
    places: Sequence[Place],
    at: int,
    period: int,
    type_: Type | None = None,
) -> bool:
    """Does anybody say, accesses or callers, that the bytes of a number (None: a pointer) are part of one of another
    type?

    Callers know more: objects that look alike where bytes are moved only may be of several classes.
    """
    size = layout.store_size(type_) if type_ is not None else layout.pointer_size()
    return any(claimed[place.region].touched(place.moved(at, period), size) - {type_} for place in places)


def _begins(claimed: Mapping[Region, ClaimedNumbers], places: Sequence[Place], at: int, period: int) -> set[Type]:
    """The types of numbers that begin exactly here, as callers say."""
    return {t for place in places for t in claimed[place.region].beginning(place.moved(at, period))}


def _is_word(layout: DataLayout, places: Sequence[Place], at: int, period: int, kind: Kind) -> bool:
    """Are the eight bytes at `at` (of kind `kind` here) a pointer in some objects, a number in others?

    Objects of different classes, reached by the same pointer, are one region: then accesses and declared types
    contradict each other.
    """
    found: set[Claim] = set()
    for place in places:
        moved = place.moved(at, period)
        if moved.offset % 8 or moved.stride % 8:
            return False
        region = moved.region
        for offset, stride, content in region.entries():
            step = gcd(stride, moved.stride)
            distance = offset - moved.offset
            if step:
                distance %= step
            if not 0 <= distance < 8 and not (step and step < 8):
                continue
            claims = content.claims
            if any(isinstance(claim, Type) and claim is not DOUBLE for claim in claims):
                return False
            if DOUBLE in claims and distance:
                return False
            found |= claims
        declared = [_declared_at(layout, place, entry, at, period) for entry in region.declared]
        for type_ in declared:
            if isinstance(type_, FloatType):
                if type_ is not DOUBLE:
                    return False
                found.add(DOUBLE)
            elif isinstance(type_, PointerType):
                found.add(Kind.POINTER)
    if Kind.POINTER in found:
        return DOUBLE in found or Kind.MIXED in found
    return kind is Kind.INTEGER and DOUBLE in found


def _may_point(layout: DataLayout, places: Sequence[Place], at: int, period: int, kind: Kind) -> bool:
    """May the aligned eight bytes at `at` (of kind `kind` here) be a pointer, and no number: an element of an array of
    pointers where some accesses say that an integer is there, or a member of a union with integers?"""
    if kind not in {Kind.INTEGER, Kind.MIXED} or (places[0].offset + at) % _WORD:
        return False
    moved = [place.moved(at, period) for place in places]
    if kind is Kind.INTEGER:
        points = any(map(_is_pointer_of_array, moved))
    else:
        points = all(content.claims <= _ADDRESS for place in moved for _, content in beginning_at(place))
    return points and not any(touches_number(layout, place, _WORD) for place in moved)


def _is_long_pointer(layout: DataLayout, places: Sequence[Place], at: int, period: int, type_: Type) -> bool:
    """Is what is a number of more than a word here a pointer at other times? No word tells which it is."""
    if layout.store_size(type_) <= layout.pointer_size():
        return False
    moved = (place.moved(at, period) for place in places)
    return any(Kind.POINTER in content.claims for place in moved for _, content in beginning_at(place))


def _is_pointer_of_array(place: Place) -> bool:
    return any(stride and Kind.POINTER in content.claims for stride, content in beginning_at(place))


def _declared_at(layout: DataLayout, place: Place, entry: tuple[int, int, object], at: int, period: int) -> Type | None:
    """The scalar that a declared type says is at byte `at` behind a place."""
    offset, stride, declared = entry
    if not isinstance(declared, Type):
        return None
    relative = place.offset + at - offset
    size = stride or (layout.alloc_size(declared) if place.stride or period else 0)
    return scalar_at(layout, declared, relative % size if size else relative)


def kind_at(layout: DataLayout, places: Sequence[Place], at: int, period: int) -> tuple[Kind, Type | None]:
    """What the byte `at` behind the places holds: accesses first, then declared types."""
    for place in places:
        moved = place.moved(at, period)
        found = accessed_kind(moved.region, moved.offset, moved.stride)
        if found[0] is not Kind.UNKNOWN:
            return found
    return declared_kind(layout, places, at, period)


def declared_kind(layout: DataLayout, places: Sequence[Place], at: int, period: int) -> tuple[Kind, Type | None]:
    """What declared types say that this byte holds."""
    for place in places:
        for entry in place.region.declared:
            type_ = _declared_at(layout, place, entry, at, period)
            if type_ is not None:
                return _kind_of(type_)
    return Kind.UNKNOWN, None


def _is_padding(layout: DataLayout, places: Sequence[Place], at: int, period: int) -> bool:
    """Does a declared type say that nothing is at this byte?"""
    for place in places:
        for offset, stride, declared in place.region.declared:
            if isinstance(declared, Type):
                relative = place.offset + at - offset
                size = stride or (layout.alloc_size(declared) if place.stride or period else 0)
                if padding_at(layout, declared, relative % size if size else relative):
                    return True
    return False


def _kind_of(type_: Type) -> tuple[Kind, Type | None]:
    if isinstance(type_, FloatType):
        return Kind.FLOAT, type_
    if isinstance(type_, PointerType):
        return Kind.POINTER, None
    return Kind.INTEGER, None


def _declared_kinds(places: Sequence[Place]) -> Iterable[tuple[Kind, Type | None]]:
    for place in places:
        for _, _, declared in place.region.declared:
            if isinstance(declared, Type):
                yield from (_kind_of(leaf) for leaf in distinct_leaves(declared))
