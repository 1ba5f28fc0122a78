"""Fields of runs that were asked for before: one object is copied from many places, and each pass asks again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fields import Fields, fields

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.layout import DataLayout

    from .regions import Place


class KnownFields:
    """Those of one module, once all that callers and accesses say of its memory is known."""

    def __init__(self, layout: DataLayout) -> None:
        self._layout = layout
        self._found: dict[tuple[object, ...], Fields] = {}

    def of(self, places: Sequence[Place], length: int | None, *, loose: bool = False, every: bool = False) -> Fields:
        """As `fields` says."""
        resolved = tuple(place.resolved() for place in places)
        # Asking where pointers lead may add fields, which the graph counts.
        changes = tuple(place.region.graph.changes for place in resolved)
        key = (resolved, changes, length, loose, every)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = fields(self._layout, resolved, length, loose=loose, every=every)
        return found
