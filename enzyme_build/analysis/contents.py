"""Contents: what the fields of memory objects and moved integers hold.

A *content* is a union-find variable with a kind (integer, pointer, float of a type) and, for pointers, the place they
point to. Integers moved without being computed with share the content of the field they came from, so that a double
carried by an i64 is known to be a double.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from .kinds import Claim, Kind, Trust, number_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.types import Type

    from .regions import Place, Region

WORD: Final = 8
_CLAIMED: Final = frozenset((Kind.INTEGER, Kind.POINTER, Kind.MIXED))
_NUMBER_OR_INTEGER: Final = frozenset((Kind.INTEGER, Kind.FLOAT))
_ANY_KIND: Final = frozenset(Kind)
_NONE: Final[frozenset[Any]] = frozenset()
_SETS: Final[dict[frozenset[Any], frozenset[Any]]] = {_NONE: _NONE}
_Item = TypeVar("_Item")


def _both(a: frozenset[_Item], b: frozenset[_Item]) -> frozenset[_Item]:
    """The union of two sets, of which there are few different ones: each stands once. Python makes a set of 216 bytes
    of any two, and hundreds of thousands of contents with three sets each were most of the memory of the analysis."""
    if a is b or not b:
        return a
    union = a | b
    return _SETS.setdefault(union, union)


class Graph:
    """Counts unions and new facts, so that a fixed point can be told."""

    __slots__ = ("changes", "retyped")

    def __init__(self) -> None:
        self.changes = 0
        self.retyped: dict[object, bool] = {}
        """What was found of regions once nothing changed: every call that leads to one asks (see `retyped`)."""


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
        self._kinds: frozenset[Kind] = _NONE
        self._target: Place | None = None
        self._told: frozenset[Claim] = _NONE
        self._moved = 0
        self._carried = False
        self._disputed = False
        self._suspected = False
        self._loose = False
        self._scattered = False
        self._names: frozenset[str] = _NONE
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
    def number(self) -> Type | None:
        """The type of the numbers that are held here, be it at some times only."""
        root = self.root
        return self.only_number if root._kind is Kind.MIXED else root._float  # noqa: SLF001

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
        root = self.root
        root._told = _both(root._told, claims)  # noqa: SLF001

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
        words = all(stride % WORD == 0 for stride in strides)
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
            root._names = _both(root._names, frozenset((name,)))  # noqa: SLF001
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
            root._kinds = _both(root._kinds, frozenset((kind,)))  # noqa: SLF001
        elif kind is Kind.MIXED:
            root._kinds = _both(root._kinds, _NUMBER_OR_INTEGER if float_type is not None else _ANY_KIND)  # noqa: SLF001
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
        kinds = _both(a._kinds, b._kinds)  # noqa: SLF001
        a._told = _both(a._told, b._told)  # noqa: SLF001
        a._moved = max(a._moved, b._moved)  # noqa: SLF001
        a._width = max(a._width, b._width)  # noqa: SLF001
        a._carried |= b._carried  # noqa: SLF001
        a._suspected |= b._suspected  # noqa: SLF001
        a._loose |= b._loose  # noqa: SLF001
        a._scattered |= b._scattered  # noqa: SLF001
        a._disputed |= b._disputed  # noqa: SLF001
        a._names = _both(a._names, b._names)  # noqa: SLF001
        a._words |= b._words  # noqa: SLF001
        a.mark(b._kind, b._float)  # noqa: SLF001
        a._kinds = kinds  # noqa: SLF001
        if target is not None:
            a.point_to(target)

    def point_to(self, place: Place) -> None:
        root = self.root
        known = root._target  # noqa: SLF001
        joined = place.resolved() if known is None else known.join(place)
        if known is None or joined != known.resolved():
            root._target = joined  # noqa: SLF001
            self._graph.changes += 1
