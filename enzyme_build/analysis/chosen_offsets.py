"""Which bytes an access is to whose address is counted by a choice among constants.

The optimiser turns `left ? node->left : node->right` into one load at `node + (left ? 16 : 24)`. As far as scales tell,
that is any multiple of eight bytes behind the node, its value as well: the links of a tree would lead to whatever its
values lead to. What is read or written at the address that is chosen lies between the first and the last of the bytes
that may be. (Nothing is told of pointers that are moved on, passed on or copied from: these lead to more.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.instructions import Cast, Freeze, Load, Phi, Select, Store, merged
from enzyme_build.ir.types import I1
from enzyme_build.ir.values import ConstantInt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.values import Value

    from .offsets import Linear

_DEPTH: Final = 4


def chosen_distances(offset: Linear) -> tuple[int, int] | None:
    """The least and the most bytes that the terms of an offset add; None where they are not chosen among constants."""
    least = most = 0
    for value, scale in offset.terms:
        distances = [scale * constant for constant in _constants(value, _DEPTH)]
        if not distances:
            return None
        least, most = least + min(distances), most + max(distances)
    return (least, most) if offset.terms else None


def accessed_bytes(layout: DataLayout, pointer: Value, users: Iterable[Instruction]) -> int | None:
    """How many bytes the largest access at a pointer reads or writes; None where others use it, too."""
    size = 0
    for user in users:
        match user:
            case Load():
                size = max(size, layout.store_size(user.type))
            case Store() if user.value is not pointer:
                size = max(size, layout.store_size(user.value.type))
            case _:
                return None
    return size


def _constants(value: Value, depth: int) -> set[int]:
    """All that an integer may be; nothing where that is not a choice among constants."""
    match value:
        case ConstantInt():
            return {value.value}
        case Cast(op="zext") if value.operands[0].type is I1:
            return {0, 1}
        case Phi() | Select() | Freeze() if depth:
            each = [_constants(one, depth - 1) for one in merged(value)]
            return set().union(*each) if all(each) else set()
    return set()
