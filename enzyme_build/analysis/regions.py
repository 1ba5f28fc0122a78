"""Regions: the abstract memory objects of a function, what their bytes hold, and what points where.

A *region* stands for one or more objects (an alloca, the blocks of an allocation site, a global, what an argument
points to). A *place* is a region, a byte offset, and a stride: stride 0 means exactly that offset, stride s means
offset + k·s for some integer k (array elements). Pointers that may hold the same address are unified (Steensgaard's
unification, "Points-to analysis in almost linear time", 1996) with field sensitivity by byte offset, so that two
pointers of different regions can only alias if both regions are *external* (reachable by code we do not see).

What a field holds is a *content*: a union-find variable with a kind (integer, pointer, float of a type) and, for
pointers, the place they point to. Integers moved without being computed with share the content of the field they
came from, so that a double carried by an i64 is known to be a double.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Final

from .kinds import Claim, Kind, Trust, number_bytes
from .spans import ANYWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value


_WORD: Final = 8
_CLAIMED: Final = frozenset((Kind.INTEGER, Kind.POINTER, Kind.MIXED))
_NUMBER_OR_INTEGER: Final = frozenset((Kind.INTEGER, Kind.FLOAT))


class Graph:
    """Counts unions and new facts, so that a fixed point can be told."""

    __slots__ = ("changes",)

    def __init__(self) -> None:
        self.changes = 0


class Content:
    """Union-find variable: what a field or a moved integer holds."""

    __slots__ = (
        *(
            "_carried",
            "_disputed",
            "_float",
            "_floats",
            "_graph",
            "_kind",
            "_kinds",
            "_loose",
            "_moved",
            "_names",
            "_parent",
        ),
        *("_scattered", "_suspected", "_target", "_told", "_width", "_words"),
    )

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._parent: Content | None = None
        self._kind = Kind.UNKNOWN
        self._float: Type | None = None
        self._floats: dict[Type, Trust] = {}
        self._kinds: frozenset[Kind] = frozenset()
        self._target: Place | None = None
        self._told: frozenset[Claim] = frozenset()
        self._moved = 0
        self._carried = False
        self._disputed = False
        self._suspected = False
        self._loose = False
        self._scattered = False
        self._names: frozenset[str] = frozenset()
        self._width = 0
        self._words = False

    @property
    def root(self) -> Content:
        if self._parent is None:
            return self
        node = self
        while node._parent is not None:
            node = node._parent
        if node is not self:
            self._parent = node
        return node

    @property
    def kind(self) -> Kind:
        return self._kind if self._parent is None else self.root._kind  # noqa: SLF001

    @property
    def float_type(self) -> Type | None:
        return self.root._float  # noqa: SLF001

    @property
    def float_types(self) -> Mapping[Type, Trust]:
        """All scalar floating-point types that accesses said this is, and how much the least of them is worth."""
        return self.root._floats  # noqa: SLF001

    def trust(self, type_: Type | None) -> Trust:
        """How much it is worth that accesses find numbers of this type here."""
        return self.float_types.get(type_.scalar, Trust.TYPED) if type_ is not None else Trust.TYPED

    @property
    def only_number(self) -> Type | None:
        """The type of the numbers of a field that holds one type of number at some times and integers at others."""
        root = self.root
        if root._kind is Kind.MIXED and root._kinds <= _NUMBER_OR_INTEGER and len(root._floats) == 1:  # noqa: SLF001
            return next(iter(root._floats))  # noqa: SLF001
        return None

    @property
    def claims(self) -> frozenset[Claim]:
        """Everything that anybody says this holds, callers with objects of other classes included."""
        root = self.root
        kinds = root._kinds & _CLAIMED  # noqa: SLF001
        return root._told | kinds | frozenset(root._floats)  # noqa: SLF001

    @property
    def claimed_numbers(self) -> set[Type]:
        """The types of numbers among the claims."""
        root = self.root
        found = set(root._floats)  # noqa: SLF001
        if root._told:  # noqa: SLF001
            found.update(claim for claim in root._told if not isinstance(claim, Kind))  # noqa: SLF001
        return found

    @property
    def may_point(self) -> bool:
        """Do accesses say that this is a pointer, be it at some times only?"""
        return Kind.POINTER in self.root._kinds  # noqa: SLF001

    def tell(self, claims: frozenset[Claim]) -> None:
        """What callers say. It matters to copies of bytes; accesses are of what they say themselves."""
        self.root._told |= claims  # noqa: SLF001

    @property
    def moved(self) -> int:
        """How many bytes at once come here, or go from here, by accesses or copies that say nothing of their type."""
        return self.root._moved  # noqa: SLF001

    @property
    def carries_numbers(self) -> bool:
        """May such bytes be a number, whatever typed accesses say that this holds?"""
        root = self.root
        return root._carried or (Kind.POINTER not in root._kinds and root._moves_number)  # noqa: SLF001

    @property
    def may_carry_numbers(self) -> bool:
        """May they be one in some of the objects that look alike?"""
        return self.root._suspected or self.carries_numbers or self.root._moves_number  # noqa: SLF001

    @property
    def _moves_number(self) -> bool:
        return any(number_bytes(float_type) <= self._moved for float_type in self._floats)

    def carries_in(self, region: Region) -> bool:
        """Does it carry numbers in words of this region that hold pointers at other times?

        Characters at unknown places make one content of all members of an object: then nothing is said by it.
        """
        root = self.root
        strides = [stride for (_, stride), content in region.strided.items() if content.root is root]
        words = all(stride % _WORD == 0 for stride in strides)
        return self.carries_numbers or (words and root._moves_number)  # noqa: SLF001

    def move(self, count: int) -> None:
        """So many bytes come or go, nobody says of which type."""
        root = self.root
        if root._moved < count:  # noqa: SLF001
            root._moved = count  # noqa: SLF001
            self._graph.changes += 1

    @property
    def width(self) -> int:
        """How many bytes the largest access to an integer has here; 0 where none is seen."""
        return self.root._width  # noqa: SLF001

    def access_integer(self, size: int) -> None:
        """An integer of so many bytes is read or written here."""
        root = self.root
        if root._width < size:  # noqa: SLF001
            root._width = size  # noqa: SLF001
            self._graph.changes += 1

    @property
    def keeps_addresses(self) -> bool:
        """Do pointers lie here that the language calls integers (`uintptr_t`)?"""
        return self.root._words  # noqa: SLF001

    def keep_addresses(self) -> None:
        root = self.root
        if not root._words:  # noqa: SLF001
            root._words = True  # noqa: SLF001
            self._graph.changes += 1

    def set_carried(self) -> None:
        """Callers say that this may be the bytes of a number."""
        self.root._carried = True  # noqa: SLF001

    @property
    def is_disputed(self) -> bool:
        """Do some callers only tell what this is, and others do not?"""
        return self.root._disputed  # noqa: SLF001

    def dispute(self) -> None:
        self.root._disputed = True  # noqa: SLF001

    def suspect(self) -> None:
        """Callers say so of objects that look alike."""
        self.root._suspected = True  # noqa: SLF001

    @property
    def is_aligned(self) -> bool:
        """Do the numbers and pointers here lie at multiples of their size, wherever that may be?"""
        return not self.root._loose  # noqa: SLF001

    def access_unaligned(self) -> None:
        """A number or pointer is read or written here, at any address."""
        root = self.root
        if not root._loose:  # noqa: SLF001
            root._loose = True  # noqa: SLF001
            self._graph.changes += 1

    @property
    def is_scattered(self) -> bool:
        """Is this at places that are no multiples of a word apart?"""
        return self.root._scattered  # noqa: SLF001

    def scatter(self) -> None:
        self.root._scattered = True  # noqa: SLF001

    def access_as(self, name: str) -> None:
        """A pointer is read or written here, of the type that the language calls `name` (empty: untold)."""
        root = self.root
        if name not in root._names:  # noqa: SLF001
            root._names |= {name}  # noqa: SLF001
            self._graph.changes += 1

    def is_other_pointer(self, other: Content) -> bool:
        """Do all accesses here and there say that the pointers are of different types?"""
        a, b = self.root._names, other.root._names  # noqa: SLF001
        return bool(a and b) and "" not in a and "" not in b and a.isdisjoint(b)

    @property
    def target(self) -> Place | None:
        """Where the pointer held here points."""
        return self.root._target  # noqa: SLF001

    def mark(self, kind: Kind, float_type: Type | None = None, trust: Trust = Trust.TYPED) -> None:
        """Add the fact that this holds `kind`; contradictions give MIXED."""
        root = self.root
        if float_type is not None and root._floats.get(float_type.scalar, -1) < trust:  # noqa: SLF001
            root._floats[float_type.scalar] = trust  # noqa: SLF001
            self._graph.changes += 1
        if kind is not Kind.MIXED and kind is not Kind.UNKNOWN and kind not in root._kinds:  # noqa: SLF001
            root._kinds |= {kind}  # noqa: SLF001
        elif kind is Kind.MIXED:
            root._kinds |= _NUMBER_OR_INTEGER if float_type is not None else frozenset(Kind)  # noqa: SLF001
        if kind is Kind.MIXED:
            float_type = None
        if root._kind is kind and root._float is float_type:  # noqa: SLF001
            return
        if root._kind is Kind.MIXED or kind is Kind.UNKNOWN:  # noqa: SLF001
            return
        self._graph.changes += 1
        if root._kind is Kind.UNKNOWN:  # noqa: SLF001
            root._kind, root._float = kind, float_type  # noqa: SLF001
        else:
            root._kind, root._float = Kind.MIXED, None  # noqa: SLF001

    def learn(self, other: Content) -> None:
        """Add all facts of a content of another graph, but for what it points to."""
        source = other.root
        for float_type, trust in source._floats.items():  # noqa: SLF001
            self.mark(Kind.UNKNOWN, float_type, trust)
        self.mark(source._kind, source.only_number if source._kind is Kind.MIXED else source._float)  # noqa: SLF001
        self.move(source._moved)  # noqa: SLF001
        self.access_integer(source._width)  # noqa: SLF001
        if source._loose:  # noqa: SLF001
            self.access_unaligned()
        if source._words:  # noqa: SLF001
            self.keep_addresses()
        for name in source._names:  # noqa: SLF001
            self.access_as(name)

    def unify(self, other: Content) -> None:
        a, b = self.root, other.root
        if a is b:
            return
        self._graph.changes += 1
        b._parent = a  # noqa: SLF001
        target = b._target  # noqa: SLF001
        for float_type, trust in b._floats.items():  # noqa: SLF001
            a.mark(Kind.UNKNOWN, float_type, trust)
        kinds = a._kinds | b._kinds  # noqa: SLF001
        a._told |= b._told  # noqa: SLF001
        a._moved = max(a._moved, b._moved)  # noqa: SLF001
        a._width = max(a._width, b._width)  # noqa: SLF001
        a._carried |= b._carried  # noqa: SLF001
        a._suspected |= b._suspected  # noqa: SLF001
        a._loose |= b._loose  # noqa: SLF001
        a._scattered |= b._scattered  # noqa: SLF001
        a._disputed |= b._disputed  # noqa: SLF001
        a._names |= b._names  # noqa: SLF001
        a._words |= b._words  # noqa: SLF001
        a.mark(b._kind, b._float)  # noqa: SLF001
        a._kinds = kinds  # noqa: SLF001
        if target is not None:
            a.point_to(target)

    def point_to(self, place: Place) -> None:
        root = self.root
        known = root._target  # noqa: SLF001
        joined = place.resolved() if known is None else join(known, place)
        if known is None or joined != known.resolved():
            root._target = joined  # noqa: SLF001
            self._graph.changes += 1


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

    def moved(self, by: int, stride: int = 0) -> Place:
        """This place plus `by` plus any multiple of `stride` (0: none). What is counted from an element of an array
        that is a member of a struct stays in the array, unless it is counted back by less than an element, or as an
        integer (by 1)."""
        step = gcd(self.stride, stride)
        offset = self.offset + by
        inside = self.stride and stride != 1 and (by >= 0 or by % self.stride == 0)
        return Place(self.region, offset % step if step else offset, step, self.span if inside else ANYWHERE)

    def within(self, span: Span) -> Place:
        """The same place, which is known to lie there."""
        return Place(self.region, self.offset, self.stride, span) if self.stride else self

    def is_among(self, other: Place) -> bool:
        """Is this one of the places that the other may be?"""
        a, b = self.resolved(), other.resolved()
        return a.region is b.region and join(a, b) == b

    @property
    def content(self) -> Content:
        """The content variable of what lies here."""
        one = self.resolved()
        return one.region.content(one.offset, one.stride, one.span)


_FLAGS: Final = (
    *("external", "reads", "writes", "freed", "kept", "handed", "doubtful", "owned", "open", "polymorphic", "linked"),
    "apart",
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
        "linked",
        "open",
        "origins",
        "owned",
        "polymorphic",
        "reads",
        "spans",
        "strided",
        "told",
        "writes",
    )

    def __init__(self, graph: Graph, *, external: bool = False) -> None:
        self.graph = graph
        self._parent: Region | None = None
        self._shift = 0
        self.fields: dict[int, Content] = {}
        self.strided: dict[tuple[int, int], Content] = {}
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
        self.apart = False
        """Are elements of its arrays told apart by small indices?"""
        self.linked = False
        """Does a library change links in it?"""
        """Holds objects that are copied as their class at run time says."""
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
            if span is not ANYWHERE:
                self.spans[key] = span
            if stride % _WORD:
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


def join(a: Place, b: Place) -> Place:
    """The place that covers both: unifies their regions."""
    a, b = a.resolved(), b.resolved()
    if a.region is not b.region:
        _merge(a, b)
        a, b = a.resolved(), b.resolved()
    stride = gcd(gcd(a.stride, b.stride), abs(a.offset - b.offset))
    if not stride:
        return a
    return Place(a.region, a.offset % stride, stride, _span_of_both(a, b))


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
    keep.globals |= gone.globals
    keep.told |= gone.told
    keep.allocations |= gone.allocations
    keep.origins |= gone.origins
    keep.declare([(offset + shift, stride, what) for offset, stride, what in gone.declared])
    fields, strided, spans = gone.fields, gone.strided, gone.spans
    gone.fields, gone.strided, gone.spans, gone.declared = {}, {}, {}, []
    for offset, content in fields.items():
        root, extra = keep.find()
        root.content(offset + shift + extra, 0).unify(content)
    for (offset, stride), content in strided.items():
        root, extra = keep.find()
        span = spans.get((offset, stride), ANYWHERE).moved(shift + extra)
        root.content(offset + shift + extra, stride, span).unify(content)
