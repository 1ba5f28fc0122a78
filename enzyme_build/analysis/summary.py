"""What callers see of a callee: a copy of its argument, result and global regions, and what it does to them."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir

from .regions import Place, Region, may_hold_numbers
from .spans import ANYWHERE

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

    from .contents import Content
    from .memory import Memory


class Summary:
    """A callee's argument, result and global regions copied into a caller's graph."""

    def __init__(self, source: Memory, target: Memory) -> None:
        self.source = source
        self.target = target
        self.regions: dict[Region, Region] = {}
        self.contents: dict[Content, Content] = {}
        self._filled: dict[Region, None] = {}
        """Regions of which it was told what they hold."""
        self._strides: dict[Region, int] = {}
        """Callees say places as distances from an argument. Where that is a pointer to any of many elements here, every
        place in its region is as uncertain, and so is what the callee does there."""
        self._found: dict[Region, int] = {}
        """Likewise where the callee finds the pointer in memory. But only pointers there and back are counted as
        uncertain, not what kinds of bytes are where: many look so because unification makes one of several
        objects."""
        self._bound: dict[Region, Place] = {}
        """Where byte 0 of a region of the callee is, by the first of its pointers that was bound."""
        self._pointers: dict[Content, Content] = {}
        self._arrays: dict[Region, Place] = {}
        """Elements here that regions of the callee may be, where those lie in a known span."""

    def place(self, place: Place) -> Place:
        place = place.resolved()
        copy = Place(self._region(place.region), place.offset, place.stride, place.span)
        return self._element(place.region, copy, self._strides)

    def knows(self, place: Place) -> bool:
        """Is what lies there, in the callee, copied here?"""
        return place.resolved().region in self.regions

    def pointed(self, place: Place) -> Place:
        """The place that a pointer from the callee points to."""
        return self._element(place.resolved().region, self.place(place), self._found)

    def _element(self, region: Region, copy: Place, strides: dict[Region, int]) -> Place:
        """A place in the copy of a region, which stands for all elements that this may be."""
        array = self._arrays.get(region)
        span = array.resolved().span if array is not None else ANYWHERE
        stride = strides.get(region, 0)
        copy = copy.resolved().moved(0, stride)
        return copy.within(span) if stride or span is not ANYWHERE else copy

    def uncertainty(self, region: Region) -> int:
        """A region of the callee is where its copy is, give or take multiples of this."""
        return gcd(self._strides.get(region, 0), self._found.get(region, 0))

    def bind(self, place: Place, target: Place) -> None:
        """The callee's pointer to `place` is one to `target`."""
        place = place.resolved()
        known = self.regions.get(place.region)
        # Of one of many elements the callee tells what is where in that one, too, unless it is a part of more.
        if known is None and target.resolved().span is ANYWHERE:
            known = self._region(place.region)
        copy = known if known is not None else self._new_region(place.region)
        target.join(Place(copy, place.offset, place.stride, place.span))
        start = target.resolved().moved(-place.offset)
        first = self._bound.setdefault(place.region, start).resolved()
        self._lies_in(place.region, target)
        self._spread(place.region, gcd(start.stride, first.offset - start.offset), self._strides)
        if known is None:
            self._contents(place.region, copy)

    def _lies_in(self, source: Region, target: Place) -> None:
        """Note the span of what the callee is given or finds, which is the span of all that it may be."""
        known = self._arrays.get(source)
        both = target.resolved() if known is None else known.join(target)
        if known is None or both != known.resolved():
            self._arrays[source] = both
            self._contents_again(source)

    def update(self) -> None:
        """Take notice of what the pointers that the callee found in memory have turned out to point to."""
        for content, mine in list(self._pointers.items()):
            if content.target is not None and mine.target is not None:
                if mine.target.is_among(self.pointed(content.target)):
                    continue  # as the callee itself says
                self._lies_in(content.target.resolved().region, mine.target)
                self._spread(content.target.resolved().region, mine.target.stride, self._found)

    def _spread(self, source: Region, stride: int, strides: dict[Region, int]) -> None:
        known = strides.get(source, 0)
        step = gcd(known, stride)
        if step == known:
            return
        strides[source] = step
        self._contents_again(source)

    def _contents_again(self, source: Region) -> None:
        """A region of the callee may be other places here than before."""
        if source in self._filled:
            for region in list(self._filled):
                self._contents(region, self.regions[region])

    def _region(self, region: Region) -> Region:
        root = region.root
        known = self.regions.get(root)
        if known is not None:
            return known
        copy = self._new_region(root)
        self._contents(root, copy)
        return copy

    def _new_region(self, root: Region) -> Region:
        """The copy of a region, of which nothing is known yet."""
        if root.globals:
            copy = self._region_of_globals(root)
        else:
            # Memory the callee allocated or was given: whether outsiders see it is the caller's to say.
            copy = self.target.new_region(external=root.external and not _is_argument(root, self.source.function))
            copy.allocations |= root.allocations
            copy.origins |= {origin for origin in root.origins if _is_from_elsewhere(origin)}
        self.regions[root] = copy
        copy.root.declare(root.declared)
        for flag in ("polymorphic", "linked", "apart", "lent", "resized"):
            if getattr(root, flag):
                copy.set_flag(flag)
        return copy

    def _region_of_globals(self, root: Region) -> Region:
        """Each variable stands where the callee has it: its first byte need not be that of the region."""
        starts = {value: self._start(value) for value in root.globals}
        first = next(iter(starts))
        copy = self.target.global_region(first)  # type: ignore[arg-type]
        if starts[first]:
            moved = self.target.new_region(external=True)
            Place(copy, 0, 0).join(Place(moved, starts[first], 0))
            copy = moved
        for other, start in starts.items():
            Place(copy, start, 0).join(Place(self.target.global_region(other), 0, 0))  # type: ignore[arg-type]
        return copy

    def _start(self, value: Value) -> int:
        known = self.source.globals.get(value)
        return known.find()[1] if known is not None else 0

    def _contents(self, root: Region, copy: Region) -> None:
        self._filled[root] = None
        for offset, stride, content in root.entries():
            here = Place(copy, offset, stride).within(root.span(offset, stride))
            self._content(content, self._element(root, here, self._strides))
            if content.target is not None:
                self._pointer(content.target, self._element(root, here, self._found))

    def _content(self, content: Content, place: Place) -> None:
        mine = place.content
        mine.learn(content)
        if content.target is not None:
            mine.point_to(self.pointed(content.target))
            self._pointers[content.root] = mine
        self.share(content, mine)

    def _pointer(self, target: Place, place: Place) -> None:
        if place.stride:
            place.content.point_to(self.pointed(target))

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
            if _ends_with_call(source.root):
                continue
            place = Place(copy.root, 0, 1)
            if source.root.reads:
                reads.append(place)
            if source.root.writes:
                writes.append(place)
            if source.root.freed:
                frees.append(place)
        return reads, writes, frees


def _ends_with_call(region: Region) -> bool:
    """Is this the callee's stack alone? It may be copied here as what is moved to and from other memory."""
    return not region.external and bool(region.origins) and all(isinstance(o, ir.Alloca) for o in region.origins)


def _is_from_elsewhere(origin: Value) -> bool:
    """A call, or an address made from an integer."""
    return isinstance(origin, ir.CallBase | ir.Cast)


def _is_argument(region: Region, function: Function) -> bool:
    """Is everything in this region external only because it came in through an argument?"""
    del function
    return bool(region.origins) and not region.globals
