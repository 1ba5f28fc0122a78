"""Where nothing but a few accesses tells where the numbers lie in an array of bytes, others may lie between them.

A copy of `period` 8 moves numbers at multiples of eight bytes from its begin. If code puts numbers at places of which
only a smaller distance is known (behind two characters, or where a size tells), some may lie across two of these.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from .fields import ONCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from enzyme_build.ir.layout import DataLayout

    from .fields import Fields
    from .regions import Place, Region


def may_be_askew(regions: Iterable[Region]) -> bool:
    """Is any number at places that are no multiples of a word apart, as far as is known?"""
    return any(content.is_scattered and content.claimed_numbers for region in regions for content in region.contents())


def adrift(layout: DataLayout, places: Sequence[Place], found: Fields, length: int | None) -> bool:
    """May there be numbers elsewhere in the run than where the fields say, as accesses or callers tell?"""
    known, size = set(found.numbers), found.size(length)
    period = 0 if found.period == ONCE else found.period
    for place in (place.resolved() for place in places):
        for offset, stride, content in place.region.entries():
            apart, step = offset - place.offset, gcd(stride, place.stride)
            for type_ in content.claimed_numbers:
                bytes_ = layout.store_size(type_)
                if not step and (apart + bytes_ <= 0 or (size is not None and not period and apart >= size)):
                    continue
                if period:
                    step = gcd(step, period)
                    starts = range(apart % step, period, step)
                elif step:
                    starts = range(apart % step, size or 0, step)
                else:
                    starts = range(apart, apart + 1)
                if any((at, type_) not in known for at in starts):
                    return True
    return False
