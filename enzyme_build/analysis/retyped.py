"""Memory that holds values of several types in turns: work arrays, arenas that are reset, objects made in place.

The type of memory without a declared one is that of the last store (C11 6.5p6), so what was read as one type may be
written as another later on. Within a function that is seen by the region. A function that is given two pointers to such
memory, or finds them in what it is given, sees two regions: its caller has to say that they may be one.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from .claims import overlap
from .kinds import Kind, number_bytes
from .regions import led_to
from .writes import may_be_used_again

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .kinds import Claim
    from .regions import Region

_POINTER: Final = 8
_MOST: Final = 400
"""Places of a region that are compared with each other; one with more counts as retyped."""


def leads_to_retyped(regions: Iterable[Region]) -> bool:
    """Is there such memory behind these pointers, and those that are found there?"""
    return any(map(is_retyped, led_to(regions)))


def is_retyped(region: Region) -> bool:
    """Is memory of this (representative) region used as of several types, as far as anybody's accesses say?"""
    known = region.graph.retyped.get(region)
    if known is None:
        known = region.graph.retyped[region] = _is_retyped(region)
    return known


def _is_retyped(region: Region) -> bool:
    if not may_be_used_again(region):
        return False
    places = [
        (offset, stride, claim, _width(claim, content.width))
        for offset, stride, content in region.entries()
        for claim in content.claims
    ]
    if len({claim for _, _, claim, _ in places}) < 2:
        return False
    if len(places) > _MOST:
        return True
    return any(
        claim != other and overlap(at - offset, gcd(stride, step), width, size)
        for number, (offset, stride, claim, width) in enumerate(places)
        for at, step, other, size in places[:number]
    )


def _width(claim: Claim, integer: int) -> int:
    """Bytes of what a claim is about."""
    if claim is Kind.POINTER:
        return _POINTER
    return max(integer, 1) if isinstance(claim, Kind) else number_bytes(claim)
