"""Hash tables of libstdc++: the one bucket that a small table has in itself.

`std::unordered_map` keeps its buckets in an array, or a single one in the table object where more are not needed. What
is written to buckets at any index would, by the addresses alone, be written to all that follows the table in its
object.

Source: libstdc++, `bits/hashtable.h` (members of `_Hashtable`; functors without state take no room).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir

from .copied import accessed_object
from .offsets import fixed_base

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_TABLE: Final = "_ZTSSt10_HashtableI"
"""Beginning of the names that accesses to members have."""
_SINGLE_BUCKET: Final = 48


def single_buckets(module: Module, function: Function) -> set[ir.Instruction]:
    """The addresses of buckets that tables have in themselves, computed in this function."""
    accesses = (i for i in function.instructions() if isinstance(i, ir.Load | ir.Store) and i.metadata)
    buckets = set()
    for i in accesses:
        name, offset = accessed_object(module, i.metadata)
        if name.startswith(_TABLE):
            base, at = fixed_base(module.layout, i.pointer)
            buckets.add((base, at - offset + _SINGLE_BUCKET))
    if not buckets:
        return set()
    addresses = (i for i in function.instructions() if isinstance(i, ir.GetElementPtr))
    return {i for i in addresses if fixed_base(module.layout, i) in buckets}
