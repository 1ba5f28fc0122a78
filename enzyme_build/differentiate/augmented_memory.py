"""Memory that is copied, allocated and freed in the forward sweep of reverse mode.

What the reverse sweep may still read stays until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.needed import Item, ItemKind
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.types import I64, PTR, VOID, function_type
from enzyme_build.ir.values import Constant, Value, const_int, null, zero
from enzyme_build.rules.memory import Allocation, Deallocation, Transfer

from .allocations import allocation_size, moved_shadow, present_size, shadow_arguments, shadow_size
from .constant_memory import look_at_copy
from .foreign_bytes import check_source, clear_text, every_element, stop_at_numbers, whole_elements
from .forward import repeat_call, stored_allocation
from .heap import Release, is_arena_release
from .noted import copy_noted_pointers
from .runtime import ARENA_TYPE, runtime_function
from .sweep import shadow_name

if TYPE_CHECKING:
    from enzyme_build.analysis.known import CallEffects
    from enzyme_build.ir import instructions as ir

    from .augmented import AugmentedSweep


class AugmentedMemory:
    """What a sweep does with calls that copy, allocate and free."""

    def __init__(self, sweep: AugmentedSweep) -> None:
        self.sweep = sweep

    def transfer(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        """A call that copies or fills memory, and what it does to shadows."""
        sweep = self.sweep
        assert effects is not None
        assert isinstance(effects.known, Transfer)
        destination = i.arguments[effects.known.destination]
        if not sweep.activity.has_shadow(destination):
            sweep.clone(i)
            return
        found = sweep.transfers.moved_fields(i, effects)
        if found.doubtful and effects.copies is not None:
            length = sweep.value(i.arguments[effects.known.length])
            for _ in sweep.lanes.each():
                every = every_element(sweep.b, found, length)
                check_source(sweep, i, i.arguments[effects.copies[1]], found.doubtful, every)
                clear_text(sweep, i, destination, found.doubtful, every)
        if found.shared and effects.copies is not None and sweep.activity.memory_active(destination):
            source, length = i.arguments[effects.copies[1]], sweep.value(i.arguments[effects.known.length])
            for _ in sweep.lanes.each():
                for pointer in (destination, source) if sweep.activity.has_shadow(source) else (destination,):
                    stop_at_numbers(sweep, i, sweep.shadow(pointer), found, length)
        sweep.clone(i)
        for _ in sweep.lanes.each():
            look_at_copy(sweep, i, effects)
            sweep.transfers.augmented(i, effects, found)
            if sweep.has_shadow(i):
                sweep.shadows[i] = sweep.copied_end(i, effects.known)

    def allocation(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        """A call that allocates, and the shadow of its memory."""
        sweep = self.sweep
        assert effects is not None
        known = effects.known
        assert isinstance(known, Allocation)
        if known.reallocated is not None:
            self._reallocation(i, known)
            return
        sweep.clone(i)
        if known.stored is not None:
            if sweep.activity.has_shadow(i.arguments[known.stored]):
                for _ in sweep.lanes.each():
                    stored_allocation(sweep, i, known)
        elif sweep.kept.owns(i) and sweep.has_shadow(i):
            for _ in sweep.lanes.each():
                sweep.shadows[i] = sweep.kept.take_beside(i, known, shadow_size(sweep, i, known))
        elif sweep.has_shadow(i):
            for _ in sweep.lanes.each():
                size = shadow_size(sweep, i, known)
                shadow = repeat_call(sweep, i, shadow_arguments(sweep, i, known, size))
                shadow.name = shadow_name(i)
                sweep.shadows[i] = shadow
                if not known.zeroed:
                    sweep.transfers.clear(shadow, size)

    def _reallocation(self, i: ir.CallBase, known: Allocation) -> None:
        """New memory and a copy: the old memory may be read in the reverse sweep."""
        sweep = self.sweep
        assert known.reallocated is not None
        old = i.arguments[known.reallocated]
        size = allocation_size(sweep, i, known)
        reserve = runtime_function(sweep.module, "reserve")
        in_arena = (getattr(i.callee, "name", None) or "") == "enzyme_build.arena_grow"
        if in_arena:
            # The tape of a derivative that is differentiated again: its arena keeps the old memory, too.
            sweep.clone(i)
            moved = sweep.value(i.arguments[2])
        else:
            new = sweep.b.call(reserve, [null(PTR), size], name=i.name)
            sweep.values[i] = new
            present = present_size(sweep, i, known)
            moved = sweep.b.select(sweep.b.icmp("ult", present, size), present, size)
            sweep.transfers.copy(new, sweep.value(old), moved)
        if sweep.has_shadow(i) and not in_arena:
            for _ in sweep.lanes.each():
                moved = moved_shadow(sweep, i, known, sweep.shadow(old), moved)
        sweep.keep(Item(ItemKind.TAPE, i), moved)
        if sweep.has_shadow(i):
            take = runtime_function(sweep.module, "arena_take") if in_arena else reserve
            size = shadow_size(sweep, i, known)
            for _ in sweep.lanes.each():
                if sweep.kept.owns(i):
                    shadow: Value = sweep.kept.take(size)
                else:
                    shadow = sweep.b.call(take, [sweep.arena if in_arena else null(PTR), size], name=shadow_name(i))
                    sweep.transfers.clear(shadow, size)
                sweep.shadows[i] = shadow
                for found, at, length in sweep.transfers.parts(sweep.b, i, [i, old], moved):
                    if not isinstance(old, Constant):
                        # Behind the last element there may be more room, of which the shadow has none.
                        check_source(sweep, i, old, found.doubtful, whole_elements(sweep.b, found, length))
                    if found.noted:
                        own = sweep.value(old)
                        copy_noted_pointers(sweep.context, sweep.b, i, shadow, sweep.shadow(old), own, length)
                    elif found.has_pointers:
                        to, source = (sweep.b.ptradd(pointer, at) for pointer in (shadow, sweep.shadow(old)))
                        sweep.transfers.copy_pointers(found, to, source, length)
                if not in_arena and not sweep.kept.owns(i):
                    own = sweep.transfers.own_shadow(sweep.b, old, sweep.shadow(old), sweep.value(old))
                    self._defer(sweep.kept.to_free(old, own), "free")
        if not in_arena:
            self._defer(sweep.value(old), "free")

    def deallocation(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        """A call that frees: now, or when the derivative is done."""
        sweep = self.sweep
        assert effects is not None
        release = sweep.prepared.heap.releases.get(i, Release.DEFERRED)
        pointer = i.arguments[effects.frees[0]]
        if release is Release.IMMEDIATE:
            sweep.clone(i)
        elif is_arena_release(i):
            self._defer_arena(sweep.value(pointer))
        elif release is Release.DEFERRED:
            known = effects.known
            assert isinstance(known, Deallocation)
            name = _deallocator_name(i)
            if len(i.arguments) > 1 and name in annotations_of(sweep.module).deallocators:
                raise UnsupportedError(
                    f"'{name}' frees memory that may be needed until the derivative is done, and takes more than the "
                    "memory",
                    location=sweep.context.location(i),
                    hint="free the memory in the function that allocates it, once for each allocation",
                    code="E0337",
                )
            self._defer(sweep.value(pointer), name)
            if sweep.activity.has_shadow(pointer) and not sweep.kept.owns(pointer):
                for _ in sweep.lanes.each():
                    shadow = sweep.shadow(pointer)
                    shadow = sweep.transfers.own_shadow(sweep.b, pointer, shadow, sweep.value(pointer))
                    self._defer(sweep.kept.to_free(pointer, shadow), name)

    def _defer_arena(self, arena: Value) -> None:
        """Give back what an arena holds, of shadows, too, at the end of the outermost derivative call. The arena is
        emptied: in the next iteration it is another one, and the memory that it lies in may be freed before."""
        b, sweep = self.sweep.b, self.sweep
        size = const_int(I64, sweep.context.layout.alloc_size(ARENA_TYPE))
        held = b.call(runtime_function(sweep.module, "arena_take"), [sweep.arena, size])
        b.store(b.load(ARENA_TYPE, arena), held)
        b.store(zero(ARENA_TYPE), arena)
        self._defer(held, "enzyme_build.release")

    def _defer(self, memory: Value, deallocator: str) -> None:
        """Give memory back at the end of the outermost derivative call."""
        sweep = self.sweep
        assert sweep.arena is not None

        free = sweep.module.declare(deallocator, function_type(VOID, (PTR,)))
        sweep.b.call(runtime_function(sweep.module, "defer"), [sweep.arena, memory, free])


def _deallocator_name(call: ir.CallBase) -> str:
    """The deallocator with the pointer as its only argument."""
    name: str = call.callee.name  # type: ignore[attr-defined]
    if name.startswith("_ZdaPv"):
        return "_ZdaPv"
    return "_ZdlPv" if name.startswith("_ZdlPv") else name
