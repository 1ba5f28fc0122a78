"""The numbers whose bits integers have: numbers computed here, read, given, or those of functions that give bits.

Functions that are not inlined are told by what they return, member by member of a struct, whichever of them is called,
and if they call themselves.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import Argument, Constant

from .bits import width
from .claims import accessed, places_meet
from .copied import EITHER, access_kind, access_name
from .kinds import Kind
from .mantissas import fraction_grows, grows_with_a_number
from .roundings import NUMBERS, is_scaled, rounded_number
from .word_moves import Moves, word_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .memory import Memory, Path
    from .regions import Place, Region

Source: TypeAlias = "Place | int | None"
"""Of bits: where they were read, the parameter that they came by, or a number that was computed."""


class Varied(NamedTuple):
    """What has a derivative in a function."""

    values: Collection[Value]
    regions: Collection[Region]


def sources_of_bits(memory: Memory, value: Value, varied: Varied | None) -> list[Source]:
    """The numbers that an integer grows with, whose bits it has; of those that are computed, which are `varied`."""
    return _Query().sources(memory, value, varied) or []


def given_bits(memory: Memory, value: Value, varied: Varied | None) -> list[Source] | None:
    """Those of what functions return; None where that is not made of bits of numbers."""
    return _Query().given(memory, value, varied)


def bits_stored(memory: Memory, i: ir.Instruction, varied: Varied | None = None) -> Iterator[tuple[Place, int, Source]]:
    """Where an instruction stores the bits of numbers, of those that are `varied`, as integers, and whose."""
    if isinstance(i, ir.CallBase):
        summary = memory.handed.get(i)
        if summary is None:
            return
        for place, size, source in _all_stored(summary.source):
            if not summary.knows(place):
                continue
            at = summary.place(place)
            if isinstance(source, int):
                yield from ((at, size, one) for one in sources_of_bits(memory, i.arguments[source], varied))
            elif source is None or summary.knows(source):
                yield at, size, summary.place(source) if source is not None else None
    elif isinstance(i, ir.AtomicRMW) and i.type in NUMBERS and (added := memory.place(i.operands[0])) is not None:
        size = memory.layout.store_size(i.type)
        yield from ((added, size, source) for source in sources_of_bits(memory, i.operands[1], varied))
    elif isinstance(i, ir.Store) and (place_and_size := accessed(memory, i)) is not None:
        # A store that the language does not call one of an integer may be to a union.
        told = access_kind(memory.module, i.metadata, place_and_size[1])
        is_integer = told is not None and told[0] is Kind.INTEGER
        is_number = i.value.type in NUMBERS.values()
        for source in _of_number(i.value, varied) or () if is_number else sources_of_bits(memory, i.value, varied):
            either = is_number or EITHER in i.metadata  # read as what it is, as a tag says
            if is_integer or (source is None and varied is not None and not either):
                yield *place_and_size, source


def _all_stored(memory: Memory) -> Sequence[tuple[Place, int, Source]]:
    """Where a function stores bits, as far as is known of functions that call each other."""
    if memory.stored_bits is None:
        memory.stored_bits = []
        instructions = [*memory.function.instructions()]
        stored: dict[Source, dict[tuple[Place, int], None]] = {}
        for i in instructions:
            for place, size, source in bits_stored(memory, i):
                stored.setdefault(source, {})[place.resolved(), size] = None
        moves = Moves(move for i in instructions for move in word_moves(memory, i)) if stored else Moves(())
        memory.stored_bits = [
            (*at, source)
            for source, places in stored.items()
            for at in {**places, **dict.fromkeys(moves.reached(places))}
        ]
    return memory.stored_bits


def read_as_numbers(memory: Memory) -> AbstractSet[Value]:
    """Integers that a function makes numbers of by their bits, itself or by what it calls: those that are counted, too,
    are one or the other, as a tag says."""
    if memory.read_as_numbers is None:
        memory.read_as_numbers = set()  # while it calls itself
        found: set[Value] = set()
        for i in memory.function.instructions():
            if isinstance(i, ir.Cast) and i.op == "bitcast" and i.type in NUMBERS.values():
                found.add(i.operands[0])
            elif isinstance(i, ir.CallBase) and isinstance(i.callee, Function) and i.callee in memory.others:
                callee = memory.others[i.callee]
                read = read_as_numbers(callee)
                found |= {a for a, own in zip(i.arguments, callee.function.arguments, strict=False) if own in read}
        pending = [*found]
        while pending:
            more = {way for way in ir.merged(pending.pop()) if way not in found and not isinstance(way, Constant)}
            found |= more
            pending += more
        memory.read_as_numbers = found
    return memory.read_as_numbers


def is_untold(memory: Memory, load: ir.Load) -> bool:
    """Is nothing known of what is read as an integer, from memory that an argument leads to?"""
    if load.type not in NUMBERS or load.ordering or access_name(memory.module, load.metadata):
        return False
    place = memory.place(load.pointer)
    origins = place.resolved().region.origins if place is not None else ()
    return bool(origins) and all(isinstance(one, Argument) for one in origins)


class _Query:
    """A question, which may lead back to a function, or a value, that is being asked about: nothing is said against
    that one then."""

    def __init__(self) -> None:
        self._pending: set[Hashable] = set()
        self._led_back: set[Hashable] = set()
        self._found: dict[Hashable, list[Source] | None] = {}
        self._provisional: list[Hashable] = []

    def sources(self, memory: Memory, value: Value, varied: Varied | None, path: Path = ()) -> list[Source] | None:
        """Those of an integer, or of a member of a struct; None where it is not made of bits of numbers."""
        asked = (memory, value, path, varied is None)
        return self._once(asked, lambda: self._of_leaves(memory, _leaves(value, path), varied))

    def _once(self, asked: Hashable, find: Callable[[], list[Source] | None]) -> list[Source] | None:
        if asked in self._pending:
            self._led_back.add(asked)
            return []
        if asked in self._found:
            return self._found[asked]
        self._pending.add(asked)
        found = find()
        self._pending.remove(asked)
        self._led_back.discard(asked)
        result = self._found[asked] = [*dict.fromkeys(found)] if found else [] if self._led_back else None
        if self._led_back:
            self._provisional.append(asked)
        else:  # what was found on the way back may lack what this one is made of
            for other in self._provisional:
                del self._found[other]
            self._provisional.clear()
        return result

    def _of_leaves(
        self, memory: Memory, leaves: Sequence[tuple[Value, Path]], varied: Varied | None
    ) -> list[Source] | None:
        found: list[Source] = []
        for leaf, inside in leaves:
            if isinstance(leaf, ir.CallBase):
                sources = self._of_call(memory, leaf, inside, varied)
            else:
                sources = None if inside else self._of_value(memory, leaf, varied)
            if sources is None:
                return None
            found += sources
        return found

    def _of_value(self, memory: Memory, value: Value, varied: Varied | None) -> list[Source] | None:
        found: list[Source] = []

        def number(value: Value) -> Type | None:
            sources = self._own(memory, value, varied)
            if sources is None:
                return None
            found.extend(sources)
            return value.operands[0].type if isinstance(value, ir.Cast) else NUMBERS[value.type]

        return found if grows_with_a_number(value, number) else None

    def _own(self, memory: Memory, value: Value, varied: Varied | None) -> list[Source] | None:
        if isinstance(value, ir.Cast) and value.op == "bitcast":
            return _of_number(value.operands[0], varied)
        if value.type not in NUMBERS:
            return None
        if isinstance(value, Argument):
            return [value.index]
        if isinstance(value, ir.Load) and is_untold(memory, value):
            return [memory.place(value.pointer)]
        if isinstance(value, ir.Load) and varied is None:
            return _kept(memory, value)
        return self.given(memory, value, varied)

    def given(self, memory: Memory, value: Value, varied: Varied | None) -> list[Source] | None:
        """Those of what functions return: this is a member of a result, or the result of one of several."""
        if isinstance(value, ir.ExtractValue):
            return self.sources(memory, value, varied)
        ways = value.operands if isinstance(value, ir.Phi) else [value]
        calls = [way for way in ways if isinstance(way, ir.CallBase)]
        if len(calls) < sum(not isinstance(way, Constant) for way in ways):
            return None
        found = [self._of_call(memory, call, (), varied) for call in calls]
        return _of_any(found)

    def _of_call(self, memory: Memory, call: ir.CallBase, path: Path, varied: Varied | None) -> list[Source] | None:
        callee = memory.others.get(call.callee) if isinstance(call.callee, Function) else None
        sources = self._returned(callee, path) if callee is not None else None
        if callee is None or not sources:
            return sources
        found: list[list[Source] | None] = []
        for source in sources:
            if isinstance(source, int):
                argument = call.arguments[source]
                if argument.type in NUMBERS:
                    found.append(self.sources(memory, argument, varied))
                else:
                    found.append(_of_number(argument, varied))
            elif source is None:
                found.append([None] if varied is None or _depends(memory, call, varied) else None)
            elif (place := _here(memory, call, callee, source)) is not None:
                found.append([place])
        return _of_any(found)

    def _returned(self, memory: Memory, path: Path) -> list[Source] | None:
        """Those of a member of a function's result."""
        known = memory.returned_bits.setdefault(type(self), {})
        if path not in known:
            found = self._once((memory, path), lambda: self._of_result(memory, path))
            if self._led_back:
                return found
            known[path] = found
        return known[path]

    def _of_result(self, memory: Memory, path: Path) -> list[Source] | None:
        values = [v for i in memory.function.instructions() if isinstance(i, ir.Return) for v in i.operands]
        found = (self.sources(memory, value, None, path) for value in values)
        return [*dict.fromkeys(source for sources in found if sources for source in sources)]


def _of_any(found: Sequence[list[Source] | None]) -> list[Source] | None:
    """Those of all that are made of bits of numbers; None where none is."""
    told = [sources for sources in found if sources is not None]
    return [*chain.from_iterable(told)] if told else None


class _Rounded(_Query):
    """The same of numbers that are scaled and rounded to be the bits of others."""

    def _of_value(self, memory: Memory, value: Value, varied: Varied | None) -> list[Source] | None:
        return [None] if is_scaled_rounding(value) else self.given(memory, value, varied)


def gives_rounded(memory: Memory, value: Value, varied: Varied | None) -> bool:
    """Is this what a function returns, and an integer that a scaled number was rounded to, one with a derivative?"""
    return value.type in NUMBERS and bool(_Rounded().given(memory, value, varied))


def is_scaled_rounding(value: Value) -> bool:
    """Is this a scaled number that was rounded, which is no count?"""
    type_ = NUMBERS.get(value.type)
    if type_ is None or not fraction_grows(value, type_, lambda at: rounded_number(at) is not None):
        return False
    return bool(is_scaled(value, width(value)))


def _kept(memory: Memory, load: ir.Load) -> list[Source] | None:
    """Those that the function stored where this is read."""
    at = accessed(memory, load)
    stored = _all_stored(memory) if at is not None else []
    return [source for place, size, source in stored if at is not None and places_meet(*at, place, size)] or None


def _of_number(number: Value, varied: Varied | None) -> list[Source] | None:
    if isinstance(number, Constant) or number.type not in NUMBERS.values():
        return None
    if varied is not None:
        return [None] if number in varied.values else None
    return [number.index if isinstance(number, Argument) else None]


def _leaves(value: Value, path: Path) -> list[tuple[Value, Path]]:
    """What a member may be: values, or members of what functions return."""
    found: list[tuple[Value, Path]] = []
    seen, pending = {(value, path)}, [(value, path)]
    while pending:
        at, path = pending.pop()
        more: list[tuple[Value, Path]] = []
        if isinstance(at, ir.ExtractValue):
            more = [(at.operands[0], (*at.indices, *path))]
        elif isinstance(at, ir.InsertValue):
            size = len(at.indices)
            inserted = path[:size] == tuple(at.indices)
            more = [(at.operands[1], path[size:]) if inserted else (at.operands[0], path)]
        elif path and isinstance(at, ir.MERGES):
            more = [(way, path) for way in ir.merged(at)]
        elif not isinstance(at, Constant):
            found.append((at, path))
        pending += [one for one in more if one not in seen]
        seen.update(more)
    return found


def _depends(memory: Memory, call: ir.CallBase, varied: Varied) -> bool:
    """May what a function computes depend on what has a derivative?"""
    if any(argument in varied.values for argument in call.arguments):
        return True
    effects = memory.effects.get(call)
    return effects is None or any(place.resolved().region in varied.regions for place in effects.reads)


def _here(memory: Memory, call: ir.CallBase, callee: Memory, place: Place) -> Place | None:
    summary = memory.handed.get(call)
    if summary is None:  # of functions that call each other: one graph has the memory of all
        return place if callee.graph is memory.graph else None
    return summary.place(place) if summary.knows(place) else None
