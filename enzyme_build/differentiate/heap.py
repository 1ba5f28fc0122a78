"""When memory that the primal frees is given back.

The reverse sweep may read what the primal freed long ago, and adds to its shadow. A deallocation is *immediate* if
neither is so, *matched* if it frees what one allocation of the same function made in the same iteration: then the
reverse sweep frees both where it passes the allocation; otherwise it is *deferred* to the end of the outermost
derivative call. What a tape refers to that other passes read stays until the tape is given back.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir

from .calls import CallKind, classify

if TYPE_CHECKING:
    from enzyme_build.analysis.known import CallEffects

    from .context import Context


class Release(Enum):
    IMMEDIATE = "immediate"
    MATCHED = "matched"
    DEFERRED = "deferred"


class Heap:
    """Decisions about the allocations and deallocations of one function."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.releases: dict[ir.CallBase, Release] = {}
        self.matched: dict[ir.CallBase, ir.CallBase] = {}
        """Allocation to the deallocation that frees it."""
        frees: list[ir.CallBase] = []
        for block in context.facts.cfg.order:
            for i in block.instructions:
                if isinstance(i, ir.CallBase):
                    kind, _ = _quietly(context, i)
                    if kind is CallKind.DEALLOCATION:
                        frees.append(i)
        for call in frees:
            self.releases[call] = self._decide(call)

    def _decide(self, call: ir.CallBase) -> Release:
        _, effects = classify(self.context, call)
        assert effects is not None
        place = self.context.memory.place(call.arguments[effects.frees[0]])
        if place is None:
            return Release.IMMEDIATE
        if self.context.request.reusable or self.context.request.replayed or is_arena_release(call):
            return Release.DEFERRED
        region = place.region
        allocations = [a for a in region.allocations if isinstance(a, ir.CallBase)]
        if len(region.allocations) == 1 and len(allocations) == 1 and len(region.origins) == 1:
            allocation = allocations[0]
            freed = call.arguments[effects.frees[0]] is allocation
            if freed and self._same_lifetime(allocation, call) and allocation not in self.matched:
                self.matched[allocation] = call
                return Release.MATCHED
        return Release.DEFERRED

    def _same_lifetime(self, allocation: ir.CallBase, call: ir.CallBase) -> bool:
        """Does each allocation meet this deallocation, once?"""
        facts = self.context.facts
        if getattr(allocation, "block", None) is None or allocation.block not in facts.cfg.index:
            return False
        if allocation.block.function is not self.context.function:
            return False
        if call.block not in facts.returning.index:
            return False
        same_loop = facts.loops.loop_of(allocation.block) is facts.loops.loop_of(call.block)
        return (
            same_loop
            and facts.dominators.dominates(allocation.block, call.block)
            and facts.post_dominators.dominates(call.block, allocation.block)
        )


def is_arena_release(call: ir.CallBase) -> bool:
    """Does this give back what an arena of a derivative holds? The arena itself may be used again."""
    return getattr(call.callee, "name", None) == "enzyme_build.release"


def _quietly(context: Context, call: ir.CallBase) -> tuple[CallKind, CallEffects | None]:
    from enzyme_build.errors import UnsupportedError

    try:
        return classify(context, call)
    except UnsupportedError:
        return CallKind.PLAIN, None
