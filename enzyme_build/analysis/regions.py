"""Regions: the abstract memory objects of a function, what their bytes hold, and what points where.

A *region* stands for one or more objects (an alloca, the blocks of an allocation site, a global, what an argument
points to). A *place* is a region, a byte offset, and a stride: stride 0 means exactly that offset, stride s means
offset + k·s for some integer k (array elements). Pointers that may hold the same address are unified (Steensgaard's
unification, "Points-to analysis in almost linear time", 1996) with field sensitivity by byte offset, so that two
pointers of different regions can only alias if both regions are *external* (reachable by code we do not see).

What a field holds is a *content* (`contents.py`).
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass

from .contents import WORD, Content
from .kinds import Kind
from .spans import ANYWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir.values import Value

    from .contents import Graph


@dataclass(frozen=True, slots=True)
class Place:
    """Offset `offset` (+ k·`stride`) bytes into `region`, within a `span` of it where that is known."""

    region: Region
    offset: int
    stride: int
    span: Span = ANYWHERE

    def resolved(self) -> Place:
        """The same place named by its region's representative."""
        root, shift = self.region.find()
        if root is self.region:
            return self
        offset = self.offset + shift
        return Place(root, offset % self.stride if self.stride else offset, self.stride, self.span.moved(shift))

    def moved(self, by: int, stride: int = 0, *, ahead: bool = False) -> Place:
        """This place plus `by` plus any multiple of `stride` (0: none), with `ahead` one that is not negative. What
        is counted from an element of an array that is a member of a struct stays in the array, unless it is counted
        back by less than an element, or as an integer (by 1)."""
        step = gcd(self.stride, stride)
        offset = self.offset + by
        span = self.span
        if span is not ANYWHERE:
            inside = self.stride and stride != 1 and (by >= 0 or by % self.stride == 0)
            if not inside or (span.counted and stride and not ahead):
                span = ANYWHERE
            elif span.counted and by < 0:
                span = Span(None if span.low is None else span.low + by, span.high, counted=True)
        return Place(self.region, offset % step if step else offset, step, span)

    def within(self, span: Span) -> Place:
        """The same place, which is known to lie there."""
        return Place(self.region, self.offset, self.stride, span) if self.stride else self

    def join(self, other: Place) -> Place:
        """The place that covers both: unifies their regions."""
        a, b = self.resolved(), other.resolved()
        if a.region is not b.region:
            _merge(a, b)
            a, b = a.resolved(), b.resolved()
        stride = gcd(gcd(a.stride, b.stride), abs(a.offset - b.offset))
        if not stride:
            return a
        return Place(a.region, a.offset % stride, stride, _span_of_both(a, b))

    def is_among(self, other: Place) -> bool:
        """Is this one of the places that the other may be?"""
        a, b = self.resolved(), other.resolved()
        return a.region is b.region and a.join(b) == b

    @property
    def content(self) -> Content:
        """The content variable of what lies here."""
        one = self.resolved()
        return one.region.content(one.offset, one.stride, one.span)


_FLAGS: Final = (
    *("external", "reads", "writes", "freed", "kept", "handed", "doubtful", "owned", "open", "polymorphic", "linked"),
    *("apart", "shifted", "lent", "resized"),
)


class Region:
    """Union-find node of memory objects; `shift` is where this region's byte 0 lies in its parent."""

    __slots__ = (
        "_parent",
        "_shift",
        "allocations",
        "apart",
        "declared",
        "doubtful",
        "external",
        "fields",
        "freed",
        "globals",
        "graph",
        "handed",
        "hidden",
        "kept",
        "lent",
        "linked",
        "open",
        "origins",
        "owned",
        "polymorphic",
        "reads",
        "resized",
        "shifted",
        "spans",
        "strided",
        "strides",
        "told",
        "writes",
    )

    def __init__(self, graph: Graph, *, external: bool = False) -> None:
        self.graph = graph
        self._parent: Region | None = None
        self._shift = 0
        self.fields: dict[int, Content] = {}
        self.strided: dict[tuple[int, int], Content] = {}
        self.strides: set[int] = set()
        """Those among the keys of `strided`: few, where these are many."""
        self.spans: dict[tuple[int, int], Span] = {}
        """Where the places of `strided` lie, if they do not lie anywhere."""
        self.declared: list[tuple[int, int, object]] = []  # offset, stride, type descriptor
        self.external = external
        self.globals: set[Value] = set()
        self.allocations: set[Value] = set()
        self.origins: set[Value] = set()
        self.reads = False
        self.writes = False
        self.freed = False
        self.hidden = False
        """External to its function only: all callers are known, and keep it to themselves."""
        # See `kept`
        self.kept = False
        self.handed = False
        self.doubtful = False
        self.owned = False
        self.open = False
        self.polymorphic = False
        """Does it hold objects that are copied as their class at run time says?"""
        self.apart = False
        """Are elements of its arrays told apart by small indices?"""
        self.shifted = False
        """Do some of its objects begin elsewhere than at multiples of a word from others?"""
        self.linked = False
        """Does a library change links in it?"""
        self.lent = False
        """Does a library keep it, and write it in calls that are not given it (see `rules.library_memory`)?"""
        self.resized = False
        """Is it given back for more or less room, perhaps elsewhere?"""
        self.told: frozenset[Value] = frozenset()
        """Global variables that callers know to be here."""

    def find(self) -> tuple[Region, int]:
        """Representative, and this region's byte 0 in it."""
        node, shift = self, 0
        while node._parent is not None:
            shift += node._shift
            node = node._parent
        if node is not self:
            self._parent, self._shift = node, shift
        return node, shift

    @property
    def root(self) -> Region:
        return self.find()[0]

    def content(self, offset: int, stride: int, span: Span = ANYWHERE) -> Content:
        """The content variable at a place of this (representative) region."""
        if stride == 0:
            found = self.fields.get(offset)
            if found is None:
                found = self.fields[offset] = Content(self.graph)
                self.graph.changes += 1
            return found
        key = (offset % stride, stride)
        found = self.strided.get(key)
        if found is None:
            found = self.strided[key] = Content(self.graph)
            self.strides.add(stride)
            if span is not ANYWHERE:
                self.spans[key] = span
            if stride % WORD:
                found.scatter()
            self.graph.changes += 1
        elif key in self.spans:
            self._widen(key, span)
        return found

    def _widen(self, key: tuple[int, int], span: Span) -> None:
        known = self.spans[key]
        wider = known.around(span)
        if wider is ANYWHERE:
            del self.spans[key]
        else:
            self.spans[key] = wider
        if wider != known:
            self.graph.changes += 1

    def span(self, offset: int, stride: int) -> Span:
        """Where what is known at an offset (plus multiples of the stride) lies."""
        return self.spans.get((offset, stride), ANYWHERE) if stride else Span(offset, offset + 1)

    def declare(self, entries: Iterable[tuple[int, int, object]]) -> None:
        """Add declared types: (offset, stride, type)."""
        self.declared = list(dict.fromkeys([*self.declared, *entries]))

    def set_flag(self, name: str) -> None:
        """Set one of the boolean facts of the representative."""
        root = self.root
        if not getattr(root, name):
            setattr(root, name, True)
            self.graph.changes += 1

    @property
    def ends(self) -> bool:
        """May it end while the function runs?"""
        return self.freed or self.resized

    @property
    def is_visible(self) -> bool:
        """May code that is not seen use this memory?"""
        return self.external and not self.hidden

    def targets(self) -> list[Place]:
        """Where the pointers stored in this region point."""
        return [c.target.resolved() for c in self.root.contents() if c.target is not None]

    def contents(self) -> list[Content]:
        """What this (representative) region holds at each place."""
        return [*self.fields.values(), *self.strided.values()]

    def entries(self) -> list[tuple[int, int, Content]]:
        """The same with offset and stride."""
        return [
            *((offset, 0, content) for offset, content in self.fields.items()),
            *((offset, stride, content) for (offset, stride), content in self.strided.items()),
        ]


def led_to(regions: Iterable[Region]) -> dict[Region, None]:
    """The (representative) regions, and what pointers in them lead to, in the order of their discovery."""
    found: dict[Region, None] = {}
    pending = [*regions]
    while pending:
        region = pending.pop().root
        if region not in found:
            found[region] = None
            pending += [place.region for place in region.targets()]
    return found


def may_hold_numbers(region: Region) -> bool:
    """Not so the objects that exceptions are, and what libraries keep for themselves."""
    return any(content.kind not in (Kind.POINTER, Kind.INTEGER) for content in region.contents())


def holds_numbers(region: Region) -> bool:
    """Does anything say that there are numbers in it?"""
    counted = (Kind.POINTER, Kind.INTEGER, Kind.UNKNOWN)
    return any(c.kind not in counted or c.claimed_numbers or c.may_carry_numbers for c in region.contents())


def _span_of_both(a: Place, b: Place) -> Span:
    """Single bytes are not all that a pointer comes to which is counted from there, if they are not in a known span."""
    if a.stride and b.stride:
        return a.span.around(b.span)
    array, single = (a, b) if a.stride else (b, a)
    inside = array.stride and array.span.meets(Span(single.offset, single.offset + 1))
    return array.span if inside else ANYWHERE


def _merge(a: Place, b: Place) -> None:
    """Make b's region part of a's so that both places coincide."""
    keep, gone = a.region, b.region
    shift = a.offset - b.offset
    keep.graph.changes += 1
    gone._parent, gone._shift = keep, shift  # noqa: SLF001
    for flag in _FLAGS:
        if getattr(gone, flag):
            setattr(keep, flag, True)
    if shift % WORD:
        keep.shifted = True
    keep.globals |= gone.globals
    keep.told |= gone.told
    keep.allocations |= gone.allocations
    keep.origins |= gone.origins
    keep.declare([(offset + shift, stride, what) for offset, stride, what in gone.declared])
    fields, strided, spans = gone.fields, gone.strided, gone.spans
    gone.fields, gone.strided, gone.strides, gone.spans, gone.declared = {}, {}, set(), {}, []
    for offset, content in fields.items():
        root, extra = keep.find()
        root.content(offset + shift + extra, 0).unify(content)
    for (offset, stride), content in strided.items():
        root, extra = keep.find()
        span = spans.get((offset, stride), ANYWHERE).moved(shift + extra)
        root.content(offset + shift + extra, stride, span).unify(content)
