"""Text that library functions make, in memory of its own: copies of strings, what was printed to one, trimmed text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.rules.inactive_rows import Inactive, Why

from .known import call_effects

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .memory import Memory


def is_made_text(memory: Memory, pointer: Value) -> bool:
    """Does this lead only to text that library functions made, to which nobody writes anything else?"""
    place = memory.place(pointer)
    region = place.region.root if place is not None else None
    if region is None or not region.origins or region.globals or region.writes:
        return False
    return all(_makes_text(memory.module, origin) for origin in region.origins)


def _makes_text(module: Module, origin: Value) -> bool:
    known = call_effects(module, origin) if isinstance(origin, ir.CallBase) else None
    row = known.known if known is not None else None
    return isinstance(row, Inactive) and row.why is Why.TEXT and row.fresh
