"""Places of a pointer one by one, where its region knows but the distance between them."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir

from .bits import last_value
from .offsets import element_offset

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Place

_POINTER: Final = 8
_MOST: Final = 64


def spread(model: Memory, pointer: Value) -> list[Place]:
    """The places that a pointer may be: those of single elements, where an index counts up to a small number."""
    place = model.place(pointer)
    if place is None or not 0 < place.stride < _POINTER or not isinstance(pointer, ir.GetElementPtr):
        return [place] if place is not None else []
    moved = element_offset(model.layout, pointer)
    offsets, stride = {moved.constant}, 0
    for value, scale in moved.terms:
        last = _last(value)
        if last is None or len(offsets) * (last + 1) > _MOST:
            stride = gcd(stride, scale)
        else:
            offsets = {offset + scale * at for offset in offsets for at in range(last + 1)}
    bases = spread(model, pointer.operands[0])
    return [base.moved(offset, stride) for base in bases for offset in sorted(offsets)] or [place]


def _last(index: Value) -> int | None:
    """The largest value of an index that counts up from zero or more to a constant."""
    while isinstance(index, ir.Cast) and index.op in ("zext", "sext"):
        index = index.operands[0]
    return last_value(index) if isinstance(index, ir.Phi) else None
