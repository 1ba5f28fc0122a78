"""Bytes that are used as numbers of different types.

Two accesses pun if they touch the same bytes as numbers of different type or at different offsets: the halves of a
double read as floats, a union used as two kinds of number. Adjoints of one type say nothing in the other.

An element at an unknown index may lie anywhere as far as its place says, also on the other members of a struct that
holds the array. Where two accesses could touch by their offsets and strides, they do unless the language forbids it:
its rules say that numbers of two types do not share memory, except for the members of a union, of which at most one has
the declared type (see `shapes`). So both must be typed, or one typed and the other made through a bare pointer; what
variables are declared as counts where the pointer says nothing. At one and the same offset the rules count where
the region is several objects, or allocated memory. Of Fortran's accesses they count nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.types import I8, ArrayType, FloatType, Type

from .claims import Other, touch
from .kinds import Trust
from .regions import Place
from .shapes import declared_member, declared_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.layout import DataLayout

    from .regions import Region


def punned(layout: DataLayout, place: Place, type_: Type) -> bool:
    """Are the numbers of `type_` at `place` read or written as others somewhere?"""
    return any(True for _ in others_at(layout, place, type_))


def others_at(layout: DataLayout, place: Place, type_: Type) -> Iterator[Type]:
    """The types of the numbers as which those of `type_` at `place` are read or written somewhere, too; `type_` itself
    where that may be at bytes of two of them."""
    place = place.resolved()
    known = place.content.float_types.get(type_, Trust.BARE)
    own = _trust(layout, place, type_, known)
    mixed = of_several_objects(place.region)
    classes = (mixed or place.region.polymorphic) and not _is_storage(place.region)

    def apart(other: Other) -> bool:
        if other.type is type_:
            return False
        if own is Trust.SAID and other.trust is Trust.SAID:
            return classes
        if own is Trust.TYPED and other.trust is Trust.TYPED and is_allocated(place.region):
            return True
        return (mixed or not other.same) and _apart(own, other.trust)

    declared = declared_at(layout, place)
    if declared not in {None, type_}:
        yield declared
    yield from (other.type for other in _touched(layout, place, type_) if not apart(other))


def declared_at(layout: DataLayout, place: Place) -> FloatType | None:
    """The type of the numbers that a variable has at a place, if that is in no other object."""
    place = place.resolved()
    if of_several_objects(place.region):
        return None
    return declared_number(layout, place.region, place.offset, place.stride)


def _touched(layout: DataLayout, place: Place, type_: Type) -> Iterator[Other]:
    """Other numbers whose bytes may be those of a number of `type_` at the place."""
    size = layout.store_size(type_)
    # Numbers of one type that all lie at multiples of its size are apart, however far they may have been copied.
    aligned = all(content.is_aligned for content in place.region.contents())
    for offset, stride, other, trust in _numbers(place.region):
        if other is type_ and (aligned or stride != place.stride):
            continue
        found = Other(place, offset, stride, other, trust, layout.store_size(other))
        if (other is not type_ or found.distance) and touch(found, size):
            found.trust = _trust(layout, Place(place.region, offset, stride), other, trust)
            yield found


def _trust(layout: DataLayout, place: Place, type_: Type, trust: Trust) -> Trust:
    """What an access is worth, also where the pointer was bare but the variable that it points into is declared."""
    if trust in {Trust.SAID, Trust.BARE} and declared_member(layout, place.region, place.offset, place.stride, type_):
        return Trust.TYPED
    return trust


def _apart(a: Trust, b: Trust) -> bool:
    return Trust.TYPED in (a, b) and Trust.OTHER not in (a, b)


def of_several_objects(region: Region) -> bool:
    """May the same place be in different objects? They are one region if pointers lead to either.

    The links of a hash table lead to its nodes, whose value lies where the table itself has its load factor.
    """
    return len(region.origins) > 1 or any(target.region is region for target in region.targets())


def is_allocated(region: Region) -> bool:
    """Is all of this allocated memory? There, what is written last says of which type it is, also if it is a copy; bits
    that are copied to a declared variable may be read as its type."""
    return not region.external and bool(region.origins) and all(isinstance(o, CallBase) for o in region.origins)


def _is_storage(region: Region) -> bool:
    """Is this memory of which the program says only how much there is, as of Fortran's COMMON and EQUIVALENCE?"""
    return any(isinstance(declared, ArrayType) and declared.element is I8 for _, _, declared in region.declared)


def _numbers(region: Region) -> Iterator[tuple[int, int, Type, Trust]]:
    for offset, stride, content in region.entries():
        for type_, trust in content.float_types.items():
            yield offset, stride, type_, trust
