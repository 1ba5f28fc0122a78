"""How large memory is that a program allocates or resizes, and how much of its shadow is cleared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import I64, PTR, IntType, function_type
from enzyme_build.rules.memory import ALLOCATIONS

if TYPE_CHECKING:
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value
    from enzyme_build.rules.memory import Allocation

    from .sweep import Sweep

_RESIZES: Final = "memory of unknown size is resized"


def allocation_size(sweep: Sweep, i: ir.CallBase, known: Allocation) -> Value:
    """Bytes that an allocation asks for."""
    total: Value | None = None
    for at in known.sizes:
        size = sweep.value(i.arguments[at])
        if isinstance(size.type, IntType) and size.type.bits < 64:
            size = sweep.b.cast("zext", size, I64)
        total = size if total is None else sweep.b.mul(total, size)
    assert total is not None
    return total


def present_size(sweep: Sweep, i: ir.CallBase, known: Allocation) -> Value:
    """Bytes of the memory that is resized, or at most those that the allocator has for it."""
    assert known.reallocated is not None
    if known.old_size is not None:
        return sweep.value(i.arguments[known.old_size])
    return _usable(sweep.module, sweep.b, sweep.value(i.arguments[known.reallocated]))


def clear_shadow(sweep: Sweep, shadow: Value, size: Value, known: Allocation) -> None:
    """Clear a shadow allocation of `size` bytes. Where memory is resized and nothing tells how large it is, the
    allocator's whole room counts as such: there, too, the shadow has neither numbers nor addresses."""
    if known.deallocator == "free" and known.stored is None and _resizes(sweep.module):
        sweep.transfers.clear(shadow, _usable(sweep.module, sweep.b, shadow))
    else:
        sweep.transfers.clear(shadow, size)


def _usable(module: Module, b: Builder, memory: Value) -> Value:
    return b.call(module.declare("malloc_usable_size", function_type(I64, (PTR,))), [memory])


def _resizes(module: Module) -> bool:
    if _RESIZES not in module.cache:
        names = {
            name for name, known in ALLOCATIONS.items() if known.reallocated is not None and known.old_size is None
        }
        module.cache[_RESIZES] = not names.isdisjoint(function.name for function in module.functions)
    return bool(module.cache[_RESIZES])
