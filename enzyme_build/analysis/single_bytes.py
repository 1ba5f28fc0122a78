"""Bytes that are alone: the operator in a node of a tree, the tag of a variant, where another has a number.

A number that is moved by its bytes is read and written at several places side by side, or along them. A member of a
struct, as access tags name it, beside which nobody accesses another byte is no part of one, whatever may lie there at
other times; at the lowest byte of what may lie there, that is: who changes the highest one alone may mean the sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import I8

from .accessed import accessed_content
from .claims import touched
from .copied import member_offsets, named_struct

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

    from .regions import Place

_ALIGNED: Final = 4
"""What sizes of all numbers but the shortest are multiples of."""


def _is_alone_in_struct(module: Module, metadata: str) -> bool:
    """Does the struct whose member a tag names have no other in the same four bytes, which others may access?"""
    struct, at = named_struct(module, metadata)
    if not struct or at % _ALIGNED:
        return False
    offsets = member_offsets(module, struct)
    return len(offsets) > 1 and not any(at < other < at + _ALIGNED for other in offsets)


def is_alone(module: Module, place: Place, type_: Type, metadata: str) -> bool:
    """Is what is accessed as this type, with this tag, such a byte, as far as accesses are known?"""
    place = place.resolved()
    if type_ is not I8 or place.stride % _ALIGNED or not _is_alone_in_struct(module, metadata):
        return False
    beside = (at for at in (place.offset - 1, place.offset + 1) if at // _ALIGNED == place.offset // _ALIGNED)
    if any(accessed_content(place.region, at, place.stride) is not None for at in beside):
        return False
    return all(not other.distance for other in touched(module.layout, place, 1))
