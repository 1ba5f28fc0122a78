"""Copies of arrays that the forward sweep keeps where a loop is entered; `analysis.snapshots` says of which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.snapshots import own_allocation
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import I1, I64, PTR
from enzyme_build.ir.values import Value, const_int, null

from .allocations import allocation_size
from .runtime import runtime_function

if TYPE_CHECKING:
    from enzyme_build.analysis.snapshots import Snapshot

    from .augmented import AugmentedSweep


def copy_of(sweep: AugmentedSweep, snapshot: Snapshot) -> Value:
    """Memory of the arena that holds what the object holds now."""
    base = sweep.value(snapshot.base)
    size = _size(sweep, snapshot.base, base)
    memory = sweep.b.call(runtime_function(sweep.module, "arena_take"), [sweep.arena, size])
    move = intrinsic(sweep.module, "memcpy", PTR, PTR, I64)
    sweep.b.call(move, [memory, base, size, const_int(I1, 0)])
    return memory


def _size(sweep: AugmentedSweep, object_: ir.Instruction, base: Value) -> Value:
    if isinstance(object_, ir.Alloca):
        return sweep.alloca_size(object_)
    assert isinstance(object_, ir.CallBase)
    known = own_allocation(sweep.module, object_)
    assert known is not None
    # Where the allocation failed, the program does not enter the loop, or reads nothing there.
    failed = sweep.b.icmp("eq", base, null(PTR))
    return sweep.b.select(failed, const_int(I64, 0), allocation_size(sweep, object_, known))
