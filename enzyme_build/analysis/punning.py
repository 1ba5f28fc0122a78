"""Bytes that are used as numbers of different types.

Two accesses pun if they touch the same bytes as numbers of different type or at different offsets: the halves of a
double read as floats, a union used as two kinds of number. Adjoints of one type say nothing in the other.

An element at an unknown index may lie anywhere as far as its place says, also on the other members of a struct that
holds the array. Such an access is held against others only where it would have to lie across them (an odd half of the
elements), and not where strides show an array of structs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type

    from .regions import Place, Region


def punned(layout: DataLayout, place: Place, type_: Type) -> bool:
    """Are the numbers of `type_` at `place` read or written as others somewhere?"""
    place = place.resolved()
    size = layout.store_size(type_)
    longest = max((stride for _, stride in place.region.strided), default=0)
    for offset, stride, other in _numbers(place.region):
        width = layout.store_size(other)
        distance = offset - place.offset
        if other is type_ and stride == place.stride:
            continue
        if stride == place.stride and (distance % stride if stride else distance) == 0:
            return True
        if not stride and not place.stride:
            overlaps = -width < distance < size
        else:
            # Of a dense array everything else in the region must fall on the elements.
            dense = longest <= max(stride, place.stride) <= max(size, width)
            overlaps = dense and other is not type_ and distance % max(size, width) != 0
        if overlaps:
            return True
    return False


def _numbers(region: Region) -> Iterator[tuple[int, int, Type]]:
    for offset, content in region.fields.items():
        yield from ((offset, 0, type_) for type_ in content.float_types)
    for (offset, stride), content in region.strided.items():
        yield from ((offset, stride, type_) for type_ in content.float_types)
