"""Which structs copied arrays consist of, where the length of a copy is not known.

Addresses of elements name the struct, and so do accesses to members, by their tags. A copy of a multiple of its size,
from an element or to one, is one of elements. A pointer leads to an element if it was computed as the address of one,
or others are counted from it, or if the language calls it a pointer to such a struct.

A part of an element that is copied alone is known by its address, too. An address that has no index is one of an
element where the memory was allocated as an array, or is a member that begins with the first one; and in the first one
itself, where an index begins with zero: where all begin later, another member of the object may lie there.

Of an element, its struct tells what each byte holds, if no access to the same byte of any element says something else.
Accesses at smaller distances say nothing here: those to an array in the struct, of which nothing bounds the index.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import users
from enzyme_build.ir.types import I8, ArrayType, FloatType, IntType, NamedStructType, PointerType, StructType, Type
from enzyme_build.ir.values import ConstantInt
from enzyme_build.records import dataclass

from .copied import accessed_struct, member_offsets, pointer_name
from .declared_bytes import declared_bytes
from .fields import Fields
from .kinds import Kind
from .multiples import NotReachedError, step_of
from .offsets import Linear, element_offset, fixed_base, linear
from .periods import of_shortest_period
from .regions import Place
from .source_structs import elements_in_rust

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from enzyme_build.ir.values import Value

    from .kinds import Claim
    from .memory import Memory
    from .regions import Region
    from .source_structs import Member

_WORD: Final = 8
_NO_NUMBERS: Final = frozenset((Kind.INTEGER, Kind.MIXED))


@dataclass(frozen=True)
class Element:
    """Size and members of a struct; is the memory an array of nothing else?"""

    size: int
    members: tuple[Member, ...]
    alone: bool = False

    @property
    def is_struct(self) -> bool:
        """Is it one, or the row of a table?"""
        return not any(isinstance(type_, ArrayType) for _, _, type_ in self.members)


class Elements:
    """Answers for one function."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._layout = memory.layout
        self._declared = declared_bytes(memory)
        self._users = users(memory.function)
        self._known: dict[Region, dict[tuple[int, Element], None]] = {}
        self._bases: dict[Place, dict[Element, None]] = {}
        self._first: dict[Place, dict[Element, None]] = {}
        self._arrays: dict[int, set[Region]] = {}
        self._members = self._members_told()
        told = list(self._told())
        addressed = dict.fromkeys(element for _, _, element, is_address in told if is_address)
        for pointer, start, found, _ in told:
            element = next((other for other in addressed if _is_said_better(found, other)), found)
            place = memory.place(pointer)
            if place is not None and place.stride == element.size:
                at = (place.offset - start) % element.size
                self._known.setdefault(place.region, {})[at, element] = None
            place, begins = self._counted_from(pointer, start, element.size)
            if place is not None:
                self._bases.setdefault(place, {})[element] = None
                if begins:
                    self._first.setdefault(place, {})[element] = None

    def _told(self) -> Iterator[tuple[Value, int, Element, bool]]:
        """Pointers into elements, how far into them, which these are, and whether addresses say it, not accesses."""
        for i in self._memory.function.instructions():
            match i:
                case ir.GetElementPtr():
                    element = self._addressed(i)
                    if element is not None:
                        yield i, 0, element, True
                case ir.Load() | ir.Store() if i.metadata:
                    node, start = accessed_struct(self._memory.module, i.metadata)
                    members = self._declared.accessed_members(node) if node else None
                    if members is not None:
                        yield i.pointer, start, Element(members[1], tuple(members[0])), False
                case _:
                    pass

    def _members_told(self) -> dict[Region, dict[tuple[int, int], None]]:
        """Where members of objects begin and end, as accesses to others of the same object say; not the last ones."""
        found: dict[Region, dict[tuple[int, int], None]] = {}
        for i in self._memory.function.instructions():
            node, at = (
                accessed_struct(self._memory.module, i.metadata) if isinstance(i, ir.Load | ir.Store) else ("", 0)
            )
            place = self._memory.place(i.pointer) if node and isinstance(i, ir.Load | ir.Store) else None
            if place is not None and not place.stride:
                starts = member_offsets(self._memory.module, node)
                begin = place.offset - at
                found.setdefault(place.region, {}).update(
                    ((begin + start, begin + end), None) for start, end in pairwise(starts) if start < end
                )
        return found

    def _addressed(self, i: ir.GetElementPtr) -> Element | None:
        """Of which elements this is the address of one, if its index is not known: structs, or rows of a table."""
        if i.source_type is None or all(isinstance(index, ConstantInt) for index in i.operands[1:]):
            return None
        type_ = _led_to(i, i.source_type)
        if not any(self._is_inside(user, self._layout.alloc_size(type_)) for user in self._users.get(i, ())):
            return None
        members = self._declared.members(type_)
        if members is None and isinstance(type_, ArrayType):
            return Element(self._layout.alloc_size(type_), ((0, self._layout.alloc_size(type_), type_),))
        return Element(members[1], tuple(members[0])) if members is not None else None

    def _is_inside(self, user: ir.Instruction, size: int) -> bool:
        """Does an address lead into the element that is used here, or to one in an array so far behind it?"""
        if not isinstance(user, ir.GetElementPtr):
            return True
        offset = element_offset(self._layout, user)
        return 0 <= offset.constant < size

    def _counted_from(self, pointer: Value, start: int, size: int) -> tuple[Place | None, bool]:
        """Where the element is from which on others are looked up, if this is so far in one of these; does the index
        begin with zero?"""
        pointer, at = fixed_base(self._layout, pointer)
        if not isinstance(pointer, ir.GetElementPtr):
            return None, False
        offset = element_offset(self._layout, pointer)
        place = self._memory.place(pointer.operands[0])
        if place is None or place.stride or len(offset.terms) != 1 or offset.terms[0][1] != size:
            return None, False
        index = offset.terms[0][0]
        while isinstance(index, ir.Cast):
            index = index.operands[0]
        begins = isinstance(index, ir.Phi) and any(isinstance(o, ConstantInt) and not o.value for o in index.operands)
        return place.moved(offset.constant + at - start), begins

    @cached_property
    def composed(self) -> frozenset[Region]:
        """Objects with several arrays."""
        return frozenset(region for region, known in self._known.items() if len(known) > 1)

    def copied(self, pointers: Sequence[Value], length: Value) -> Element | None:
        """The struct of which a copy moves elements, if all that is known agrees."""
        step = self.step(length)
        found = _agreed(
            (element, 0)
            for pointer in pointers
            for element, at in (*self._passed(pointer, near=True), *self._inside(pointer))
            if not at % element.size
        )
        return found[0] if found is not None and found[0].is_struct and not step % found[0].size else None

    def grown(self, call: ir.Instruction) -> Element | None:
        """The elements of a buffer of Rust's library that gets another size here."""
        told = elements_in_rust(self._memory.module, call)
        return Element(told[0], tuple(told[1]), alone=True) if told else None

    def may_be(self, pointers: Sequence[Value], length: Value, found: Fields) -> bool:
        """May a copy be one of elements of an array that nothing bounds, which hold more than is found?"""
        types = {type_ for _, type_ in found.numbers}
        step = self.step(length)
        return any(
            not (step % element.size or place.stride % element.size or (place.offset - at) % element.size)
            for place in filter(None, map(self._memory.place, pointers))
            for at, element in self._known.get(place.region, ())
            if element.size > found.period and element.is_struct
            if not types.issuperset(type_ for _, _, type_ in element.members)
        )

    def step(self, length: Value) -> int:
        """What divides the length of a copy."""
        bytes_ = linear(length)
        return gcd(self._step(bytes_), bytes_.constant)

    def _passed(self, pointer: Value, *, near: bool = False) -> Iterator[tuple[Element, int]]:
        """The elements that the computation of an address names, and how far behind their begin it leads: the address
        of one (or of one next to it: `near`), or a pointer that the language says is one to such a struct."""
        at = step = 0
        while True:
            place = self._memory.place(pointer)
            for element in self._bases.get(place, ()) if place is not None and near else ():
                if abs(at) <= element.size and not step % element.size:
                    yield element, at
            if not isinstance(pointer, ir.GetElementPtr):
                break
            named = self._addressed(pointer)
            if named is not None and not step % named.size and (abs(at) <= named.size if near else not step):
                yield named, at
                return
            offset = element_offset(self._layout, pointer)
            pointer, at, step = pointer.operands[0], at + offset.constant, gcd(step, self._step(offset))
        if isinstance(pointer, ir.MERGES):
            yield from ((element, at) for element in self._merged(pointer) if not step % element.size)
        name = pointer_name(self._memory.module, pointer.metadata) if isinstance(pointer, ir.Load) else ""
        struct = self._declared.named_members(name.split(" ", 1)[1]) if name.startswith("p1 ") else None
        if struct is not None and not step % struct[1]:
            yield Element(struct[1], tuple(struct[0])), at % struct[1]

    def _merged(self, pointer: Value) -> list[Element]:
        """The struct to elements of which all pointers lead that this may be, moved by multiples of its size."""
        found: dict[Element, None] = {}
        seen, pending, step = {pointer}, [pointer], 0
        while pending:
            for one in ir.merged(pending.pop()):
                base, moved = one, 0
                while isinstance(base, ir.GetElementPtr):
                    offset = element_offset(self._layout, base)
                    base, moved = base.operands[0], gcd(moved, self._step(offset), offset.constant)
                if isinstance(base, ir.MERGES):
                    step = gcd(step, moved)
                    pending += [] if base in seen else [base]
                    seen.add(base)
                else:
                    told = [element for element, at in self._passed(one) if not at % element.size]
                    if not told:
                        return []
                    found.update(dict.fromkeys(told))
        return [*found] if len(found) == 1 and not any(step % element.size for element in found) else []

    def part(self, pointers: Sequence[Value], size: int) -> tuple[list[Member], int] | None:
        """What lies in a part of an element that one of the pointers leads to, and how large elements are; None where
        that is not known."""
        found = _agreed(
            (element, at)
            for pointer in pointers
            for element, at in (*self._passed(pointer), *self._inside(pointer))
            if element.is_struct and at >= 0 and at + size <= element.size
        )
        if found is None:
            return next(filter(None, (self._declared.surely(pointer, size) for pointer in pointers)), None)
        element, at = found
        members = self._declared.part((list(element.members), element.size), at, size)
        return (members, element.size) if members is not None else None

    def _inside(self, pointer: Value) -> Iterator[tuple[Element, int]]:
        """The elements that a pointer leads into, and how far."""
        place = self._memory.place(pointer)
        if place is None:
            return
        known = self._known.get(place.region, {})
        for at, element in known:
            alone = len(known) == 1 and not place.stride % element.size and place.region in self._allocated(element)
            if alone and _agrees(place.region, at, element):
                yield element, (place.offset - at) % element.size
        if place.stride:
            return
        for first, told in self._first.items():
            at = place.offset - first.offset
            if first.region is place.region and not first.stride:
                yield from ((element, at) for element in told if 0 <= at < element.size)
        for start, end in self._members.get(place.region, ()):
            if start <= place.offset < end:
                for element in self._bases.get(Place(place.region, start, 0), ()):
                    if (end - start) % element.size < _WORD:
                        yield element, (place.offset - start) % element.size

    def _allocated(self, element: Element) -> set[Region]:
        """What is allocated as an array of an element, and nothing else."""
        if element.size not in self._arrays:
            found = {
                place.region
                for i in self._memory.function.instructions()
                if isinstance(i, ir.CallBase)
                and (place := self._memory.place(i)) is not None
                and i in place.region.allocations
                and any(
                    not self._step(linear(size)) % element.size
                    for size in i.arguments
                    if isinstance(size.type, IntType)
                )
                and not all(isinstance(size, ConstantInt) for size in i.arguments)
            }
            # Where what is known mixes them with other objects, nothing tells which of them a pointer leads to.
            self._arrays[element.size] = {
                region for region in found if not any(isinstance(made, ir.Alloca) for made in region.allocations)
            }
        return self._arrays[element.size]

    def _step(self, size: Linear) -> int:
        """What divides a number of bytes, but for its constant part."""
        try:
            return step_of(size, self._memory.place) if size.terms else size.constant
        except NotReachedError:
            return 1


def _agrees(region: Region, start: int, element: Element) -> bool:
    """May all that lies at fixed places of an object be members of such elements, rather than of a header in front of
    them that is as long as some?"""
    members = {at: type_ for at, _, type_ in element.members}
    for at, content in region.fields.items():
        type_ = members.get((at - start) % element.size)
        if not isinstance(type_, FloatType | PointerType | IntType):
            continue
        own: Claim = type_ if isinstance(type_, FloatType) else Kind.INTEGER
        if isinstance(type_, PointerType):
            own = Kind.POINTER
        if own not in content.claims and content.claims - {Kind.MIXED}:
            return False
    return True


def _agreed(told: Iterable[tuple[Element, int]]) -> tuple[Element, int] | None:
    """The only element that is told, and how far in it something is."""
    found = dict.fromkeys(told)
    best = [one for one in found if not any(one != two and _is_said_better(one[0], two[0]) for two in found)]
    return best[0] if len(best) == 1 else None


def _is_said_better(element: Element, other: Element) -> bool:
    """Has the other one all members of this one, of which only its access type is known, and characters beside them?"""
    rest = {*other.members} - {member for member in element.members if member[2] is not None}
    untold = any(type_ is None for _, _, type_ in element.members)
    size = element.size == other.size and len(other.members) - len(rest) == sum(
        type_ is not None for _, _, type_ in element.members
    )
    return untold and size and all(type_ is None or type_ is I8 for _, _, type_ in rest)


def fields_of_members(
    members: Sequence[Member],
    size: int,
    places: Sequence[Place],
    others: Collection[Region] = (),
    *,
    alone: bool = False,
) -> Fields | None:
    """What members of a struct of a size hold, at places; None where accesses contradict them. In objects that have
    arrays of `others`, too, accesses at unknown indices may be to those. With `alone`, all of the memory is an array of
    such structs."""
    numbers: list[tuple[int, Type]] = []
    pointers: list[int] = []
    doubtful: list[tuple[int, int]] = []
    told = [
        claim
        for place in places
        for claim in _claims(place, size, strided=place.region.root not in others, alone=alone)
    ]
    for at, length, type_ in members:
        claims = {(start, claim) for start, claim in told if at - _reach(claim) < start < at + length}
        claims = {(start, claim) for start, claim in claims if claim not in _NO_NUMBERS}
        match type_:
            case FloatType():
                fits = all(claim is type_ and start == at for start, claim in claims)
                numbers.append((at, type_))
            case PointerType():
                fits = all(claim is Kind.POINTER and start == at for start, claim in claims)
                pointers.append(at)
            case IntType():
                fits = not claims
            case _:
                fits = True
                doubtful.append((at, length))
        if not fits:
            return None
    return Fields(0, tuple(numbers), tuple(pointers), doubtful=tuple(doubtful))


def fields_of_elements(element: Element, places: Sequence[Place], others: Collection[Region] = ()) -> Fields | None:
    """What elements at places hold; None where accesses contradict their struct."""
    found = fields_of_members(element.members, element.size, places, others, alone=element.alone)
    if found is None:
        return None
    found = replace(found, period=element.size)
    return found if found.doubtful else of_shortest_period(found)


def _reach(claim: Claim) -> int:
    """How far before a byte something may begin that has this byte."""
    return claim.bits // 8 if isinstance(claim, FloatType) else 8 if claim is Kind.POINTER else 1


def _claims(place: Place, size: int, *, strided: bool, alone: bool = False) -> Iterator[tuple[int, Claim]]:
    """What accesses, and callers, say of bytes of an element that begins at a place."""
    place = place.resolved()
    for (at, stride), content in place.region.strided.items():
        if strided and not stride % size:
            yield from (((at - place.offset) % size, claim) for claim in content.claims)
    for at, content in place.region.fields.items():
        # What lies at another fixed place of the object may be no element.
        if not place.stride and (alone or 0 <= at - place.offset < size):
            yield from (((at - place.offset) % size, claim) for claim in content.claims)


def _led_to(i: ir.GetElementPtr, type_: Type) -> Type:
    """The type of what an address computation leads to."""
    for index in i.operands[2:]:
        match type_:
            case ArrayType():
                type_ = type_.element
            case StructType() | NamedStructType() if isinstance(index, ConstantInt) and type_.fields:
                type_ = type_.fields[index.value]
            case _:
                break
    return type_


def elements(memory: Memory) -> Elements:
    """Those of a function."""
    if memory.elements is None:
        memory.elements = Elements(memory)
    return memory.elements
