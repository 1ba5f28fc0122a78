"""What callers see of a callee: a copy of its argument, result and global regions, and what it does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir

from .regions import Content, Place, Region, join, may_hold_numbers

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

    from .memory import Memory


class Summary:
    """A callee's argument, result and global regions copied into a caller's graph."""

    def __init__(self, source: Memory, target: Memory) -> None:
        self.source = source
        self.target = target
        self.regions: dict[Region, Region] = {}
        self.contents: dict[Content, Content] = {}

    def place(self, place: Place) -> Place:
        place = place.resolved()
        return Place(self._region(place.region), place.offset, place.stride)

    def _region(self, region: Region) -> Region:
        root = region.root
        known = self.regions.get(root)
        if known is not None:
            return known
        if root.globals:
            first = next(iter(root.globals))
            copy = self.target.global_region(first)  # type: ignore[arg-type]
            self.regions[root] = copy
            for other in root.globals:
                join(Place(copy, 0, 0), Place(self.target.global_region(other), 0, 0))  # type: ignore[arg-type]
        else:
            # Memory the callee allocated or was given: whether outsiders see it is the caller's to say.
            copy = self.target.new_region(external=root.external and not _is_argument(root, self.source.function))
            copy.allocations |= root.allocations
            copy.origins |= {origin for origin in root.origins if _is_from_elsewhere(origin)}
        self.regions[root] = copy
        copy.root.declare(root.declared)
        for offset, content in root.fields.items():
            self._content(content, copy, offset, 0)
        for (offset, stride), content in root.strided.items():
            self._content(content, copy, offset, stride)
        return copy

    def _content(self, content: Content, region: Region, offset: int, stride: int) -> None:
        root, shift = region.find()
        mine = root.content(offset + shift, stride)
        mine.learn(content)
        if content.target is not None:
            mine.point_to(self.place(content.target))
        self.share(content, mine)

    def share(self, content: Content, mine: Content) -> None:
        """What the callee moved from one place to another holds the same here, too."""
        known = self.contents.setdefault(content.root, mine)
        if known.root is not mine.root:
            known.unify(mine)

    def effects(self) -> tuple[list[Place], list[Place], list[Place]]:
        for region, summary in self.source.globals.items():
            del region
            self._region(summary)
        for root in dict.fromkeys(region.root for region in self.source.regions):
            # Memory from code that is not seen: others may have it from there, too.
            elsewhere = (origin for origin in root.origins - root.allocations if _is_from_elsewhere(origin))
            if root.external and (root.reads or root.writes) and any(elsewhere) and may_hold_numbers(root):
                self._region(root)
        reads, writes, frees = [], [], []
        for source, copy in self.regions.items():
            place = Place(copy.root, 0, 1)
            if source.root.reads:
                reads.append(place)
            if source.root.writes:
                writes.append(place)
            if source.root.freed:
                frees.append(place)
        return reads, writes, frees


def _is_from_elsewhere(origin: Value) -> bool:
    """A call, or an address made from an integer."""
    return isinstance(origin, ir.CallBase | ir.Cast)


def _is_argument(region: Region, function: Function) -> bool:
    """Is everything in this region external only because it came in through an argument?"""
    del function
    return bool(region.origins) and not region.globals
