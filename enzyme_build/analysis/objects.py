"""What objects hold, where pointers lead to sets of them (see `pointees`).

The same facts as of regions (see `bytetypes`), all functions in one: a load or store says what all the objects hold
that it may reach. Objects that a pointer leads to by accident of a common link so keep their own types: of a hash table
and its nodes, say. What a copy of bytes moves is told from all objects that it may reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType, Type
from enzyme_build.ir.values import Argument, Constant, Value

from .bytetypes import Component
from .calling import settle_hidden
from .claims import touches_number
from .contents import Content
from .copied import access_kind
from .kinds import Kind
from .known import call_effects
from .offsets import linear
from .pointees import Pointees
from .punning import of_several_objects
from .strings import is_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir import instructions as ir

    from .memory import Memory, Path
    from .regions import Place, Region

_MAX_ROUNDS = 40
_WORD = 8


class Objects:
    """Answers for the functions of one call graph; nothing is told where a pointer is followed in vain."""

    def __init__(self, models: list[Memory]) -> None:
        self._pointees = Pointees(models)
        self._types: _Types | None = _Types(self._pointees) if self._pointees.solve() else None
        if self._types is not None:
            self._types.run()

    def places(self, pointer: Value, size: int = 1) -> list[Place] | None:
        """Everything that a pointer to so many bytes may lead to, in objects that stay apart; None where that is not
        known."""
        return self._pointees.places(pointer, size) if self._types is not None else None

    def room(self, places: Iterable[Place]) -> int | None:
        """How many bytes there are at most behind one of these places; None if that is not known."""
        rooms = [self._pointees.room(place) for place in places]
        return None if None in rooms else max(rooms)  # type: ignore[type-var]

    def content(self, function: Function, value: Value, path: Path = ()) -> Content | None:
        """What an integer holds, by where it comes from and goes to among these objects."""
        return self._types.models[function].contents.get((value, path)) if self._types is not None else None


def apart_from_numbers(memory: Memory, pointer: Value, size: int) -> bool:
    """Does this lead only to objects that certainly have no numbers there, whatever others have that are one region
    with them?"""
    places = objects(memory).places(pointer, size)
    return places is not None and not any(touches_number(memory.layout, place, size) for place in places)


def told_apart(memory: Memory, pointer: Value) -> list[Place] | None:
    """The places that a pointer may lead to, where its region is several objects and what they are is known."""
    place = memory.place(pointer)
    several = place is not None and of_several_objects(place.resolved().region)
    return objects(memory).places(pointer) if several else None


def objects(memory: Memory) -> Objects:
    """Those of the whole call graph, which are computed at once."""
    if memory.objects is None:
        models = list(dict.fromkeys([memory, *memory.others.values()]))
        found = Objects(models)
        for model in models:
            model.objects = found
    assert memory.objects is not None
    return memory.objects


class _Types(Component):
    """All functions as one component, whose pointers are known beforehand."""

    def __init__(self, pointees: Pointees) -> None:
        super().__init__(pointees.module, list(pointees.models), {})
        self.pointees = pointees
        self.received: dict[Region, dict[Place, None]] = {}
        """Where bytes come of which nobody tells what they are."""
        self.done_copies: dict[tuple[ir.CallBase, Place, Place], int] = {}
        """How many fields both objects had then."""
        self.graph = pointees.graph
        for model in self.models.values():
            model.graph = pointees.graph

    def run(self) -> None:
        """To a fixed point."""
        self.current.regions.extend(self.pointees.objects())
        for function in self.models:
            for argument in function.arguments:
                self._declare_memory(argument)
        for number in range(_MAX_ROUNDS):
            if not self._visit_all(number):
                break
        settle_hidden(self)

    def _declare_memory(self, argument: Argument) -> None:
        type_ = self._memory_type(argument)
        for place in self.pointees.reached(argument, 0, 1) if type_ is not None else ():
            place.region.declare([(place.offset, place.stride, type_)])

    def _reached(self, pointer: Value, type_: Type) -> list[Place]:
        return self.pointees.reached(pointer, 0, self.layout.store_size(type_))

    def _load(self, i: ir.Load) -> None:
        for place in self._reached(i.pointer, i.type):
            self._transfer(place, i, pointer=i.pointer, load=True, metadata=i.metadata, align=i.align)

    def _store(self, i: ir.Store) -> None:
        told = access_kind(self.module, i.metadata, self.layout.store_size(i.value.type))
        for place in self._reached(i.pointer, i.value.type):
            if told is None and not isinstance(i.value.type, PointerType) and not isinstance(i.value, Constant):
                self._receive(place)
            self._transfer(place, i.value, pointer=i.pointer, load=False, metadata=i.metadata, align=i.align)

    def _atomic(self, i: ir.AtomicRMW | ir.CompareExchange) -> None:
        for operand in i.operands[1:]:
            for place in self._reached(i.operands[0], operand.type):
                self._transfer(place, operand, pointer=i.operands[0], load=False, metadata=i.metadata)

    def _receive(self, place: Place) -> None:
        received = self.received.setdefault(place.region, {})
        if place not in received:
            received[place] = None
            self.graph.changes += 1

    def _transfer(  # noqa: PLR0913
        self, place: Place, value: Value, *, pointer: Value, load: bool, metadata: str, align: int = 0
    ) -> None:
        told = access_kind(self.module, metadata, self.layout.store_size(value.type))
        if told is not None and told[0] is Kind.INTEGER and not self._may_receive(place):
            # What else was moved together with this, as of a node that may be the list itself, did not come here.
            self._field(place, 0).mark(Kind.INTEGER)
            self._integer(value)
            return
        super()._transfer(place, value, pointer=pointer, load=load, metadata=metadata, align=align)

    def _may_receive(self, place: Place) -> bool:
        return any(_overlap(other, place) for other in self.received.get(place.region, ()))

    def _transfer_pointer(self, place: Place, content: Content, value: Value, path: Path, *, load: bool) -> None:
        del place, value, path, load
        content.mark(Kind.POINTER)

    def _same_leaf(self, a: Value, a_path: Path, b: Value, b_path: Path, type_: Type) -> None:
        if not isinstance(type_, PointerType):
            super()._same_leaf(a, a_path, b, b_path, type_)

    def _set(self, value: Value, path: Path, place: Place | None) -> None:
        """Nothing is left to be found out of pointers."""

    def _external(self, value: Value) -> None:
        """Nor of those from elsewhere."""

    def _gep(self, i: ir.GetElementPtr) -> None:
        for value, _ in self.current.code.offset(i).terms:
            self._integer(value)

    def _alloca(self, i: ir.Alloca) -> None:
        """All objects are there."""

    def _cast(self, i: ir.Cast) -> None:
        if i.op not in ("ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast"):
            super()._cast(i)

    def _return(self, i: ir.Return) -> None:
        for operand in i.operands:
            for path, type_, _ in self._leaves(operand.type):
                if isinstance(type_, IntType) and not isinstance(operand, Constant):
                    content = self.current.content(operand, path)
                    known = self.current.results.setdefault(path, content)
                    if isinstance(known, Content):
                        known.unify(content)

    def _call(self, i: ir.CallBase) -> None:
        known = call_effects(self.module, i)
        callee = i.callee
        overrides = known is not None and known.overrides_body
        if isinstance(callee, Function) and self.module.is_defined(callee.name) and not overrides:
            parsed = self.module.function(callee.name)
            if parsed in self.models:
                self._call_body(i, parsed)
            return
        if known is None or (known.inactive and known.overrides_body):
            return
        for index in known.integers:
            self._integer(i.arguments[index])
        if known.integer_result:
            self._integer(i)
        for index, offset, kind, float_type in known.fields:
            for place in self.pointees.reached(i.arguments[index], offset, 1):
                self._field(place, 0).mark(kind, float_type)
        for index, stride, kind, float_type in known.everywhere:
            for place in self.pointees.reached(i.arguments[index], 0, 1):
                self._field(place.moved(0, stride), 0).mark(kind, float_type)
        if known.copies is not None:
            self._copies(i, *known.copies)

    def _copies(self, i: ir.CallBase, destination: int, source: int, size: int) -> None:
        members = self._members(i)
        if is_text(i):
            return
        form = linear(i.arguments[size])
        length = form.constant if not form.terms else None
        least = length or 1
        for to in self.pointees.reached(i.arguments[destination], 0, least):
            for offset, kind, float_type in members:
                self._field(to, offset).mark(kind, float_type)
            for from_ in self.pointees.reached(i.arguments[source], 0, least):
                if not members:
                    self._receive(to)
                self._copied(i, to, from_, length, typed=bool(members))

    def _copied(self, i: ir.CallBase, to: Place, from_: Place, length: int | None, *, typed: bool) -> None:
        """Let what is copied hold the same, unless that was done and no fields were found since."""
        fields = len(to.region.contents()) + len(from_.region.contents())
        if self.done_copies.get((i, to, from_)) == fields:
            return
        rooms = [room for place in (to, from_) if (room := self.pointees.room(place)) is not None]
        most = min(rooms, default=None) if length is None else length
        self._copy_run(to, from_, most, typed=typed)
        self.done_copies[i, to, from_] = len(to.region.contents()) + len(from_.region.contents())

    def _call_body(self, i: ir.CallBase, callee: Function, effects: object = None) -> None:
        del effects
        model = self.models[callee]
        for formal, actual in zip(callee.arguments, i.arguments, strict=False):
            for path, type_, _ in self._leaves(formal.type):
                if isinstance(type_, IntType) and not isinstance(actual, Constant):
                    model.content(formal, path).unify(self.current.content(actual, path))
        for path, result in model.results.items():
            if isinstance(result, Content):
                self.current.content(i, path).unify(result)


def _overlap(received: Place, place: Place) -> bool:
    """May what comes to one place reach the other? It may be longer than a word, so that all that follows counts."""
    return bool(received.stride or place.stride) or received.offset <= place.offset + _WORD
