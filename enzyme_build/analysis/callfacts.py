"""The facts that calls add: known functions by their tables, callees by their summaries; unknown calls do anything."""

from __future__ import annotations

from itertools import islice
from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType, Type
from enzyme_build.ir.values import (
    Argument,
    Constant,
    ConstantInt,
    InlineAssembly,
    Value,
)
from enzyme_build.regex import regex
from enzyme_build.rules.formats import FORMATS, TAKES_LIST
from enzyme_build.rules.inactive_rows import Comparison, Inactive
from enzyme_build.rules.library_memory import OWN, RETURNED, kept_arguments
from enzyme_build.rules.memory import Transfer
from enzyme_build.rules.mirrored import LINKS, Mirrored

from .annotations import annotations_of
from .assembly import addresses, named_globals
from .bits import known_zero, width
from .copied import copied_members
from .exported import ExportedFunction
from .exported_memory import model_of
from .facts import Facts
from .formats import may_count
from .kept_bits import finds_characters
from .kinds import WHOLE, Kind
from .known import CallEffects, call_effects
from .memory import Effects
from .offsets import at_most, linear
from .regions import Place, Region, led_to
from .spans import ANYWHERE
from .spread import accessed_places, mixes_numbers
from .strings import is_text
from .summary import Summary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from enzyme_build.ir.types import Type

    from .contents import Content


_ADDRESS: Final = 64
_LOW: Final = 32


class CallFacts(Facts):
    """Facts of calls and of copies of memory."""

    def _call(self, i: ir.CallBase) -> None:
        callee = i.callee
        effects = self.current.effects.setdefault(i, Effects())
        known = call_effects(self.module, i)
        # What is told to have no derivative still does to memory what its body says.
        overrides = known is not None and known.overrides_body and not known.inactive
        if isinstance(callee, Function) and self.module.is_defined(callee.name) and not overrides:
            self._call_body(i, callee, effects)
        elif known is None or (known.inactive and known.overrides_body):
            exported = self._exported(i)
            self._call_unknown(i, effects, self._untouched(i))
            if exported is not None:
                self._bind_results(i, exported)
        else:
            self._call_known(i, known, effects)
        if isinstance(callee, Function) and callee.name in annotations_of(self.module).rules:
            # A rule may know of more inputs than the body shows, which may be no more than a stand-in.
            effects.reads = _reachable([*effects.reads, *self._argument_places(i, range(len(i.arguments)))])
        if isinstance(callee, Function) and not self.module.is_defined(callee.name):
            self._lend(i, callee.name)

    def _lend(self, i: ir.CallBase, name: str) -> None:
        """Note memory that a library keeps for later calls."""
        given = [at for at in kept_arguments(name) if at < len(i.arguments)]
        for place in self._argument_places(i, given) + (self._places(i) if name in OWN else []):
            place.region.set_flag("lent")
        into = RETURNED.get(name, len(i.arguments))
        if into < len(i.arguments) and self._is_led(i):
            # Two ways to one memory, of which neither sees what is written by the other.
            for place in (*self._argument_places(i, [into]), *self._places(i)):
                place.region.set_flag("lent")

    def _is_led(self, i: ir.CallBase) -> bool:
        """Is the pointer that a call returns used, but to see whether it is null?"""
        known = self.led.get(i)
        if known is None:
            users = (j for j in self.current.function.instructions() if not isinstance(j, ir.Compare))
            known = self.led[i] = any(i in j.operands for j in users)
        return known

    def _call_body(self, i: ir.CallBase, callee: Function, effects: Effects) -> None:
        parsed = self.module.function(callee.name)
        if parsed in self.models:
            self._call_own_component(i, parsed, effects)
            return
        copy = self.copies.get(i)
        if copy is None:
            copy = self.copies[i] = Summary(self.done[parsed], self.current)
            self.graph.changes += 1
        for formal, actual in zip(parsed.arguments, i.arguments, strict=False):
            self._bind(i, formal, actual, copy)
        copy.update()
        self._repeat_copies(copy)
        for path, result in self.done[parsed].results.items():
            if isinstance(result, Place):
                self._set(i, path, copy.pointed(result))
            else:
                if result.kind is Kind.FLOAT or result.kind is Kind.INTEGER:
                    self.current.content(i, path).mark(result.kind, result.float_type)
                copy.share(result, self.current.content(i, path))
        if i.type is not None:
            self._external(i)
        effects.reads, effects.writes, effects.frees = copy.effects()
        for place in effects.reads:
            place.region.set_flag("reads")
        for place in effects.writes:
            place.region.set_flag("writes")
        for place in effects.frees:
            place.region.set_flag("freed")

    def _bind(self, i: ir.CallBase, formal: Argument, actual: Value, copy: Summary) -> None:
        del i
        for path, type_, _ in self._leaves(formal.type):
            place = copy.source.place(formal, path)
            if isinstance(type_, PointerType) and place is not None:
                target = self.current.place(actual, path)
                if target is not None:
                    copy.bind(place, target)
            elif isinstance(type_, IntType):
                content = copy.source.contents.get((formal, path))
                if content is not None and content.kind in (Kind.FLOAT, Kind.INTEGER):
                    self.current.content(actual, path).mark(content.kind, content.float_type)
                if content is not None and not isinstance(actual, Constant):
                    copy.share(content, self.current.content(actual, path))

    def _call_own_component(self, i: ir.CallBase, callee: Function, effects: Effects) -> None:
        model = self.models[callee]
        for formal, actual in zip(callee.arguments, i.arguments, strict=False):
            for path, type_, _ in self._leaves(formal.type):
                if isinstance(type_, PointerType):
                    place, target = model.place(formal, path), self.current.place(actual, path)
                    if place is not None and target is not None:
                        before = self.graph.changes
                        joined = place.join(target)
                        model.places[formal, path] = joined
                        if joined != place.resolved():
                            self.graph.changes = before + 1
                elif isinstance(type_, IntType) and not isinstance(actual, Constant):
                    model.content(formal, path).unify(self.current.content(actual, path))
        for path, result in model.results.items():
            if isinstance(result, Place):
                self._set(i, path, result)
            else:
                self.current.content(i, path).unify(result)
        regions = {region.root for region in self.current.regions}
        effects.reads = [Place(r, 0, 1) for r in regions if r.reads]
        effects.writes = [Place(r, 0, 1) for r in regions if r.writes]
        effects.frees = [Place(r, 0, 1) for r in regions if r.freed]

    def _call_unknown(self, i: ir.CallBase, effects: Effects, untouched: Collection[int] = ()) -> None:
        """A call that may do anything with the memory it can reach, but for what some arguments (`untouched`) point to:
        that is only read."""
        numbers = range(len(i.arguments))
        # Assembly reaches what its text names, too, and memory whose address is made an integer for it.
        shown = [*addresses(i), *named_globals(self.module, i)] if isinstance(i.callee, InlineAssembly) else []
        given = [*self._argument_places(i, numbers), *(place for value in shown for place in self._places(value))]
        given += [place for argument in i.arguments for place in self._addresses(argument)]
        reached = _reachable(given)
        only_read = _regions(self._argument_places(i, untouched))
        only_read -= _regions(self._argument_places(i, [number for number in numbers if number not in untouched]))
        only_read -= {target.resolved().region for place in reached for target in place.region.targets()}
        touched = [place for place in reached if place.region not in only_read]
        for place in reached:
            place.region.set_flag("reads")
        for place in touched:
            for flag in ("external", "writes"):
                place.region.set_flag(flag)
        self._external(i)
        # What it computes may be in memory that it returns.
        returned = _reachable(self._places(i))
        effects.reads = [*reached, *returned]
        effects.writes = [*touched, *returned]
        self._call_back(i, reached, effects)

    def _exported(self, i: ir.CallBase) -> Summary | None:
        """Of a function with exported derivatives, what its exporter tells of the memory behind the arguments."""
        callee = i.callee
        rule = annotations_of(self.module).rules.get(callee.name) if isinstance(callee, Function) else None
        if rule is None or not isinstance(rule.exported, ExportedFunction):
            return None
        copy = self.told.get(i)
        if copy is None:
            model = model_of(self.module, rule.function, rule.exported.memory)
            copy = self.told[i] = Summary(model, self.current)
            self.graph.changes += 1
        for formal, actual in zip(rule.function.arguments, i.arguments, strict=False):
            self._bind(i, formal, actual, copy)
        copy.update()
        return copy

    def _bind_results(self, i: ir.CallBase, copy: Summary) -> None:
        """The pointers that it returns are those which the exporter saw returned."""
        for path, result in copy.source.results.items():
            place = self.current.place(i, path)
            if place is not None and isinstance(result, Place):
                copy.bind(result, place)

    def _untouched(self, i: ir.CallBase) -> list[int]:
        """Of a function with exported derivatives, the arguments by which it writes nothing, and that it does not keep:
        what LLVM found out about its body."""
        callee = i.callee
        rule = annotations_of(self.module).rules.get(callee.name) if isinstance(callee, Function) else None
        if rule is None or rule.exported is None:
            return []
        told = [argument.attributes for argument in rule.function.arguments]
        return [at for at, words in enumerate(told) if "captures(none)" in words and _READ_ONLY.search(words)]

    def _call_back(self, i: ir.CallBase, reached: list[Place], effects: Effects) -> None:
        """The unknown callee may call functions of the program that it is given, which see more than it does."""
        given = dict.fromkeys(value for place in reached for value in place.region.root.globals)
        self._calls_of(i, [value for value in given if isinstance(value, Function)], effects)

    def _calls_to_compare(self, i: ir.CallBase, comparison: Comparison, effects: Effects) -> None:
        """It calls functions that compare what it is given, and may do more than that."""
        known = i.arguments[comparison.known]
        compared = [i.arguments[at] for at in comparison.given]
        functions = [i.arguments[comparison.function], *i.arguments[comparison.known + 1 :]]
        told = isinstance(known, ConstantInt) and bool(known.value)
        self._calls_of(i, [f for f in functions if isinstance(f, Function)], effects, compared if told else ())

    def _calls_of(
        self, i: ir.CallBase, functions: Collection[Function], effects: Effects, given: Collection[Value] = ()
    ) -> None:
        """Functions that are called by what `i` calls; with `given`, where that is known."""
        for value in functions:
            if not self.module.is_defined(value.name):
                continue
            parsed = self.module.function(value.name)
            if parsed in self.models or parsed not in self.done:
                touched = [Place(region.root, 0, 1) for region in self.current.regions]
                reads, writes, frees = touched, touched, touched[:0]
            else:
                copy = self.copies.get((i, parsed))
                if copy is None:
                    copy = self.copies[i, parsed] = Summary(self.done[parsed], self.current)
                    self.graph.changes += 1
                for formal, actual in zip(parsed.arguments, given, strict=False):
                    self._bind_elements(formal, actual, copy)
                self._repeat_copies(copy)
                reads, writes, frees = copy.effects()
            effects.reads = [*effects.reads, *reads]
            effects.writes = [*effects.writes, *writes]
            effects.frees = [*effects.frees, *frees]
        for places, flag in ((effects.reads, "reads"), (effects.writes, "writes"), (effects.frees, "freed")):
            for place in places:
                place.region.set_flag(flag)

    def _bind_elements(self, formal: Argument, actual: Value, copy: Summary) -> None:
        """The function that compares gets a pointer to any element: nothing is said of where."""
        place, target = copy.source.place(formal), self.current.place(actual)
        if place is not None and target is not None:
            copy.bind(place, target)

    def _call_known(self, i: ir.CallBase, known: CallEffects, effects: Effects) -> None:
        effects.reads = self._argument_places(i, known.reads)
        effects.writes = self._argument_places(i, known.writes)
        effects.frees = self._argument_places(i, known.frees)
        if isinstance(known.known, Inactive) and known.known.strings:
            self._touch_characters(i, effects, known.known)
        elif isinstance(known.known, Inactive) and known.known.follows:
            effects.writes = _reachable(effects.writes)
        effects.writes = [*effects.writes, *self._counts_written(i)]
        for places, flag in ((effects.reads, "reads"), (effects.writes, "writes"), (effects.frees, "freed")):
            for touched in places:
                touched.region.set_flag(flag)
        if isinstance(known.known, Inactive) and known.known.compares is not None:
            self._calls_to_compare(i, known.known.compares, effects)
        for index in known.integers:
            self._integer(i.arguments[index])
        if known.integer_result:
            self._integer(i)
        for index, offset, kind, float_type in known.fields:
            place = self.current.place(i.arguments[index])
            if place is not None:
                self._field(place, offset).mark(kind, float_type)
        for index, stride, kind, float_type in known.everywhere:
            place = self.current.place(i.arguments[index])
            if place is not None:
                self._field(place.moved(0, stride), 0).mark(kind, float_type)
        # Reallocating null allocates, too.
        resizes = known.resizes
        fresh = known.allocates or (resizes is not None and self.current.place(i.arguments[resizes]) is None)
        if fresh and (i, ()) not in self.current.places:
            region = self.current.new_region()
            region.allocations.add(i)
            region.origins.add(i)
            self._set(i, (), Place(region, 0, 0))
        if known.returns_argument is not None:
            self._returns_argument(i, known)
        elif known.resizes is not None:
            place = self.current.place(i.arguments[known.resizes])
            if place is not None:
                place.region.set_flag("resized")
                self._set(i, (), place)
        elif not known.allocates:
            self._external(i)
        if isinstance(known.known, Mirrored) and known.known.structure:
            self._link(i, known.known)
        if known.copies is not None:
            members = self._members(i)
            for one in accessed_places(self.current, i.arguments[known.copies[0]], i):
                for offset, kind, float_type in members:
                    self._field(one, offset).mark(kind, float_type)
            if not is_text(i):
                self._copy(i, known.copies, typed=bool(members))

    def _counts_written(self, i: ir.CallBase) -> list[Place]:
        """Where a call of `printf` or the like may write how many characters it has printed."""
        name = i.callee.name if isinstance(i.callee, Function) else ""
        form = FORMATS.get(name)
        if form is None or form >= len(i.arguments) or not may_count(self.module, i.arguments[form]):
            return []
        places = self._argument_places(i, range(form + 1, len(i.arguments)))
        return _reachable(places) if name in TAKES_LIST else places

    def _touch_characters(self, i: ir.CallBase, effects: Effects, known: Inactive) -> None:
        """It may write the characters of strings, and give their memory back: those whose place the library told, and
        those that are reached from the strings given."""
        told = [Place(region.root, 0, 1) for region in self.current.characters.values()]
        effects.reads = [*_reachable(effects.reads), *told]
        effects.writes = [*_reachable(effects.writes), *told] if effects.writes else []
        if isinstance(i.type, PointerType) and finds_characters(i, known):
            self._external(i)
            found = self.current.place(i)
            if found is not None:
                self.current.characters[i] = found.region

    def _link(self, i: ir.CallBase, known: Mirrored) -> None:
        """Nodes that a library links lead to each other: what is read of one may be of any other."""
        nodes = self._argument_places(i, sorted({*known.nodes, *known.writes}))
        for node in nodes[1:]:
            nodes[0].join(node)
        if nodes and known.writes:
            nodes[0].resolved().region.set_flag("linked")
        for link in LINKS[known.structure] if known.writes else ():
            for node in nodes:
                content = self._field(node, link)
                content.mark(Kind.POINTER)
                content.point_to(node)

    def _returns_argument(self, i: ir.CallBase, known: CallEffects) -> None:
        assert known.returns_argument is not None
        argument = i.arguments[known.returns_argument]
        place = self.current.place(argument)
        if place is not None and isinstance(known.known, Transfer) and known.known.returns == "end":
            self._set(i, (), place.moved(0, 1))
        else:
            self._same(i, argument)

    def _argument_places(self, i: ir.CallBase, indices: Iterable[int]) -> list[Place]:
        return [place for index in indices for place in self._places(i.arguments[index])]

    def _places(self, value: Value) -> list[Place]:
        """What the pointers in a value point to."""
        return self.current.behind(value)

    def _addresses(self, value: Value) -> list[Place]:
        """What the integers in a value lead to that are addresses, as where a struct with pointers is passed in
        registers (rustc: `{ i64, i64 }`)."""
        found: list[Place] = []
        for path, type_, _ in self._leaves(value.type):
            if isinstance(type_, IntType) and not (value.type is type_ and _is_small(value)):
                place, content = self.current.place(value, path), self.current.contents.get((value, path))
                target = content.target if content is not None else None
                found += [one.resolved() for one in (place, target) if one is not None]
        if isinstance(value, ir.InsertValue):
            found += [place for operand in value.operands for place in self._addresses(operand)]
        return found

    def _members(self, i: ir.CallBase) -> list[tuple[int, Kind, Type | None]]:
        found = self.members.get(i)
        if found is None:
            found = self.members[i] = copied_members(self.module, i)
        return found

    def _copy(self, i: ir.CallBase, copies: tuple[int, int, int], *, typed: bool) -> None:
        """memcpy: fields of both memories within the copied bytes hold the same."""
        destination, source, size = (i.arguments[at] for at in copies)
        form = linear(size)
        length = form.constant if not form.terms else at_most(size)
        if length is None and i.block is not None:
            rooms = (self.current.code.room(pointer, i.block) for pointer in (destination, source))
            length = min((room for room in rooms if room is not None), default=None)
        for to in accessed_places(self.current, destination, i):
            for from_ in accessed_places(self.current, source, i):
                self._copy_run(to, from_, length, typed=typed)

    def _copy_run(self, to: Place, from_: Place, length: int | None, *, typed: bool) -> None:
        self.current.copied[to.resolved(), from_.resolved(), length, typed] = None
        self._copy_fields(from_.resolved(), to.resolved(), length, typed=typed)
        self._copy_fields(to.resolved(), from_.resolved(), length, typed=typed)

    def _repeat_copies(self, copy: Summary) -> None:
        """What the callee copies between memory of ours, directly or through memory of its own."""
        pending = list(copy.source.copied)
        found = True
        while found:
            found = False
            for run in list(pending):
                to, from_, length, typed = run
                if to.resolved().region in copy.regions or from_.resolved().region in copy.regions:
                    pending.remove(run)
                    found = True
                    self._copy_run(copy.place(to), copy.place(from_), length, typed=typed)

    def _copy_fields(self, source: Place, target: Place, length: int | None, *, typed: bool) -> None:
        # Fields that held the same at the last time still do, and so do elements unless spans or types say where.
        key = (source, target, length, typed)
        fields = source.region.fields
        known, elements = (0, 0) if self.ended else self.copied_fields.get(key, (0, 0))
        self.copied_fields[key] = len(fields), len(source.region.strided)
        if source.region.spans or (length is not None and mixes_numbers(self.module)):
            elements = 0
        # Moved by several distances within memory, fields would be everywhere; nobody asks for those behind all others.
        inside = length is None and source.region is target.region
        end = max(_NEAR, *fields) if inside and fields else _NEAR
        for offset, content in list(islice(fields.items(), known, None)):
            delta = _copied_at(offset - source.offset, source.stride, length)
            if delta is None or not source.span.meets(source.region.span(offset, 0)):
                continue
            if length is None and (self.ended or (inside and target.offset + delta > end)) and _is_new(target, delta):
                continue
            self._field(target, delta).unify(content)
            if not typed:
                content.move(WHOLE)
        for (offset, stride), content in list(islice(source.region.strided.items(), elements, None)):
            distance, step = offset - source.offset, gcd(source.stride, stride)
            if _copied_at(distance, step, length) is None:
                continue
            if not source.span.meets(source.region.span(offset, stride)):
                continue
            told = ANYWHERE if source.stride else source.region.span(offset, stride)
            for at, each in self._elements(content, Place(source.region, distance, stride), step, length):
                place = target.resolved()
                span = place.span if place.stride else told.moved(place.offset - source.offset)
                place.moved(at, each).within(span).content.unify(content)
            if not typed:
                content.move(WHOLE)

    def _elements(self, content: Content, place: Place, step: int, length: int | None) -> Iterable[tuple[int, int]]:
        """Where in a copied run what lies at a place is, and how far apart: one by one where a few numbers are copied
        from an array of such, perhaps to a struct that has other members behind them."""
        few = length is not None and length <= _FEW * step and content.kind is Kind.FLOAT
        if length is None or not few or not mixes_numbers(self.module):
            return [(place.offset, place.stride)]
        if self._kinds_in(place.region) - {(content.kind, content.float_type)}:
            return [(place.offset, place.stride)]
        return [(at, 0) for at in range(place.offset % step, length, step)]

    def _kinds_in(self, region: Region) -> set[tuple[Kind, Type | None]]:
        """What is known that a region holds somewhere. Each run that is copied from it asks."""
        found = self.held.get(region)
        if found is None or found[0] != self.graph.changes:
            roots = (content.root for content in region.contents())
            kinds: set[tuple[Kind, Type | None]] = {
                (root.kind, root.float_type) for root in roots if root.kind is not Kind.UNKNOWN
            }
            self.held[region] = self.graph.changes, kinds
            return kinds
        return found[1]


def _copied_at(distance: int, step: int, length: int | None) -> int | None:
    """Where in a copied run a field is that lies `distance` behind its beginning, give or take multiples of `step`;
    None if it certainly is not in it."""
    at = distance % step if step else distance
    return at if at >= 0 and (length is None or at < length) else None


def _is_new(place: Place, distance: int) -> bool:
    """Is nothing known yet of the field that lies so far behind a place?"""
    place = place.resolved()
    return not place.stride and place.offset + distance not in place.region.fields


_FEW: Final = 64
_NEAR: Final = 512
"""Bytes of an object in which fields are looked for where bytes are moved without end."""
_READ_ONLY: Final = regex(r"\b(?:readonly|readnone)\b")


def _regions(places: Iterable[Place]) -> set[Region]:
    return {place.resolved().region for place in places}


def _reachable(places: Iterable[Place]) -> list[Place]:
    return [Place(region, 0, 1) for region in led_to(place.region for place in places)]


def _is_small(value: Value) -> bool:
    """Is this integer less than any address, as what remains of one (`address % 64`)?"""
    bits = width(value)
    return bits < _ADDRESS or known_zero(value) >> _LOW == (1 << bits - _LOW) - 1
