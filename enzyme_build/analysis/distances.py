"""Distances between objects that memory keeps, and by which one is found from the other.

Relative pointers, as in shared memory, are the distance of two addresses: of objects that were allocated one by one,
whose shadows are as far from each other as the allocator likes. A difference of two addresses *is kept* if it goes, by
arithmetic on whole numbers, moves and calls, through memory into the computation of an address from an integer.

What is computed from a pointer as a pointer stays in its object by the rules of the languages (and of LLVM), wherever
the distance is from. So do two typed pointers whose difference is divided by the size of an
element, which leaves nothing.

Places in memory are followed by offset, through all functions that hand the memory to each other.
"""

from __future__ import annotations

from dataclasses import field
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantExpression, Value
from enzyme_build.records import dataclass

from .regions import Place
from .strings import is_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .memory import Memory
    from .regions import Region

FROM_INTEGER: Final = "!enzyme.from_integer"
"""Mark of a pointer that the program computes as an integer (see `words`): an attachment with an empty node, since
models of functions may be printed as they are."""
_DEPTH: Final = 8
"""Operations that an address is followed through."""
_SUMS: Final = ("add", "sub", "or", "and")
_QUOTIENTS: Final = ("sdiv", "udiv", "ashr", "lshr")
_MOVES: Final = ("trunc", "zext", "sext")
_WORD: Final = 8
_MOST_PLACES: Final = 32
"""In one region, that are told apart."""


def is_distance(i: ir.Instruction) -> bool:
    """Is this the difference of two addresses that are not computed from one pointer?"""
    if not isinstance(i, ir.Binary) or i.op != "sub" or not isinstance(i.type, IntType):
        return False
    counts: dict[Value, int] = {}
    _count(i.operands[0], 1, counts, 0)
    _count(i.operands[1], -1, counts, 0)
    return any(counts.values()) and not sum(counts.values())


def _count(word: Value, sign: int, counts: dict[Value, int], depth: int) -> None:
    """Add the objects whose addresses a word is the sum of, each with its sign."""
    if depth > _DEPTH:
        return
    match word:
        case ir.Cast(op="ptrtoint") | ConstantExpression(op="ptrtoint"):
            base = _object(word.operands[0])
            counts[base] = counts.get(base, 0) + sign
        case ir.Cast() if word.op in _MOVES:
            _count(word.operands[0], sign, counts, depth + 1)
        case ir.Freeze():
            _count(word.operands[0], sign, counts, depth + 1)
        case ir.Binary() if word.op in _SUMS:
            _count(word.operands[0], sign, counts, depth + 1)
            _count(word.operands[1], -sign if word.op == "sub" else sign, counts, depth + 1)
        case _:
            pass


def _object(pointer: Value) -> Value:
    while isinstance(pointer, ir.GetElementPtr | ir.Freeze) or (
        isinstance(pointer, ConstantExpression) and pointer.op == "getelementptr"
    ):
        pointer = pointer.operands[0]
    return pointer


def kept_distances(models: Mapping[Function, Memory]) -> list[ir.Instruction]:
    """The differences of addresses that are kept and may lead from one object to another."""
    found = [i for function in models for i in function.instructions() if is_distance(i)]
    if not found or not any(_finds_address(i) for function in models for i in function.instructions()):
        return []
    search = _Search(models)
    if not search.leads_to_address(found):
        return []
    return [i for i in found if search.leads_to_address([i])]


@dataclass(slots=True)
class _Reached:
    """What distances reach: values by registers alone, values by memory, and the memory itself."""

    values: dict[Value, bool] = field(default_factory=dict)
    places: dict[Region, set[Place]] = field(default_factory=dict)
    pending: list[tuple[Value | Place, bool]] = field(default_factory=list)

    def add(self, value: Value, kept: bool) -> None:  # noqa: FBT001
        if self.values.get(value, False) < kept or value not in self.values:
            self.values[value] = kept
            self.pending.append((value, kept))

    def add_place(self, place: Place) -> None:
        place = place.resolved()
        known = self.places.setdefault(place.region, set())
        if len(known) >= _MOST_PLACES:
            # A region that is itself at another offset, as elements of an array are that are handed on one by one,
            # would have places without end.
            place = reduce(Place.join, known, place)
        if place not in known:
            known.add(place)
            self.pending.append((place, True))


class _Search:
    """Forward from subtractions to the indices of address computations."""

    def __init__(self, models: Mapping[Function, Memory]) -> None:
        self.models = models
        self.users: dict[Value, list[ir.Instruction]] = {}
        self.loads: dict[Region, list[tuple[ir.Load, Place]]] = {}
        self.calls: dict[Function, list[ir.CallBase]] = {}
        self.same: dict[Region, list[tuple[Region, int]]] = {}
        """What a region is in functions that it is handed to or from: there its byte 0 lies so far."""
        self.copied: dict[Region, list[tuple[Place, Place]]] = {}
        for function, model in models.items():
            self._index(function, model)

    def _index(self, function: Function, model: Memory) -> None:
        for i in function.instructions():
            for operand in i.operands:
                self.users.setdefault(operand, []).append(i)
            if isinstance(i, ir.Load) and isinstance(i.type, IntType) and not is_length(i):
                place = model.place(i.pointer)
                if place is not None:
                    self.loads.setdefault(place.region, []).append((i, place))
            elif isinstance(i, ir.CallBase) and (callee := self._called(model, i)) is not None:
                self.calls.setdefault(callee, []).append(i)
        for mine, theirs, _ in model.shared:
            (a, start), (b, end) = mine.find(), theirs.find()
            self.same.setdefault(a, []).append((b, end - start))
            self.same.setdefault(b, []).append((a, start - end))
        for to, from_, _, _ in model.copied:
            source = from_.resolved()
            self.copied.setdefault(source.region, []).append((source, to.resolved()))

    def _called(self, model: Memory, call: ir.CallBase) -> Function | None:
        if isinstance(call.callee, Function) and model.module.is_defined(call.callee.name):
            called = model.module.function(call.callee.name)
            return called if called in self.models else None
        return None

    def leads_to_address(self, starts: Iterable[ir.Instruction]) -> bool:
        """Is memory on a way from here to the computation of an address?"""
        reached = _Reached()
        for i in starts:
            reached.add(i, kept=False)
        while reached.pending:
            node, kept = reached.pending.pop()
            if isinstance(node, Place):
                self._from_place(reached, node)
                continue
            for user in self.users.get(node, ()):
                if kept and _finds_address(user) and node in user.operands[-1:]:
                    return True
                self._from_value(reached, user, node, kept=kept)
        return False

    def _model(self, i: ir.Instruction) -> Memory:
        assert i.block is not None
        assert i.block.function is not None
        return self.models[i.block.function]

    def _from_value(self, reached: _Reached, user: ir.Instruction, value: Value, *, kept: bool) -> None:
        match user:
            case ir.Store() if user.value is value:
                place = self._model(user).place(user.pointer)
                if place is not None and not is_length(user):
                    reached.add_place(place)
            case ir.AtomicRMW() | ir.CompareExchange() if value in user.operands[1:]:
                place = self._model(user).place(user.operands[0])
                if place is not None:
                    reached.add_place(place)
            case ir.CallBase():
                self._from_argument(reached, user, value, kept=kept)
            case ir.Return():
                for call in self.calls.get(self._model(user).function, ()):
                    reached.add(call, kept)
            case _ if _passes_on(user):
                reached.add(user, kept)
            case _:
                pass

    def _from_argument(self, reached: _Reached, call: ir.CallBase, value: Value, *, kept: bool) -> None:
        callee = self._called(self._model(call), call)
        if callee is not None:
            for formal, actual in zip(callee.arguments, call.arguments, strict=False):
                if actual is value:
                    reached.add(formal, kept)

    def _from_place(self, reached: _Reached, place: Place) -> None:
        for load, at in self.loads.get(place.region, ()):
            if _meet(place, at):
                reached.add(load, kept=True)
        for region, shift in self.same.get(place.region, ()):
            reached.add_place(Place(region, place.offset, place.stride).moved(shift))
        for source, target in self.copied.get(place.region, ()):
            step = gcd(place.stride, gcd(source.stride, target.stride))
            offset = place.offset - source.offset + target.offset
            reached.add_place(Place(target.region, offset % step if step else offset, step))


def _finds_address(i: ir.Instruction) -> bool:
    """Is this a pointer that is computed as an integer?"""
    if isinstance(i, ir.GetElementPtr):
        return FROM_INTEGER in i.metadata
    return isinstance(i, ir.Cast) and i.op == "inttoptr"


def _meet(a: Place, b: Place) -> bool:
    """May accesses to these places be to the same word?"""
    step = gcd(a.stride, b.stride)
    between = b.offset - a.offset
    if step:
        between %= step
        return between < _WORD or step - between < _WORD
    return abs(between) < _WORD


def _passes_on(user: ir.Instruction) -> bool:
    """Does what is computed here hold the distance?"""
    match user:
        case ir.Binary():
            return isinstance(user.type, IntType) and not (user.op in _QUOTIENTS and "exact" in user.flags)
        case ir.Cast():
            return user.op in _MOVES
        case ir.Phi() | ir.Select() | ir.Freeze() | ir.InsertValue() | ir.ExtractValue():
            return True
        case _:
            return False
