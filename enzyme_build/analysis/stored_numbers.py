"""The memory in which a function, or what it calls, stores numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.rules.memory import Transfer

from .known import call_effects
from .regions import holds_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .memory import Memory
    from .regions import Region
    from .summary import Summary


def stores_numbers(copy: Summary) -> set[Region]:
    """The (representative) regions of a caller in which a callee stores numbers."""
    stored = {region.root for region in _stored(copy.source)}
    return {mine.root for theirs, mine in copy.regions.items() if theirs.root in stored}


def _stored(memory: Memory) -> frozenset[Region]:
    """Those of a function and of what it calls; functions that call each other have their regions in common."""
    if memory.stored_numbers is None:
        component = {memory, *(model for model in memory.others.values() if model.graph is memory.graph)}
        found = frozenset(region for model in component for region in _stored_by(model))
        for model in component:
            model.stored_numbers = found
    assert memory.stored_numbers is not None
    return memory.stored_numbers


def _stored_by(memory: Memory) -> Iterable[Region]:
    for i in memory.function.instructions():
        place = memory.place(i.pointer) if isinstance(i, ir.Store) and i.value.type.is_float_like else None
        if place is not None:
            yield place.region
        elif isinstance(i, ir.CallBase):
            copy = memory.handed.get(i)
            yield from stores_numbers(copy) if copy is not None else _copied(memory, i)


def _copied(memory: Memory, call: ir.CallBase) -> Iterable[Region]:
    """Where a call that copies or fills memory puts numbers."""
    known = call_effects(memory.module, call)
    if known is not None and isinstance(known.known, Transfer):
        place = memory.place(call.arguments[known.known.destination])
        if place is not None and holds_numbers(place.region):
            yield place.region
