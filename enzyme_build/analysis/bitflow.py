"""Bits of numbers in integers: where they may come from, and where they may become a number again.

A program may take numbers to pieces: bytes that are copied one by one, halves of a double, a buffer of characters, and
vectors of integers. An integer *holds* bits of a number if it comes from one by operations that keep bits, through
memory and through functions: from the cast of a number, or from memory that may hold numbers. It *becomes* one where it
goes the same way to such a cast or such memory. What does both moves a part of a number; a hash does not.

Both are known for sure, or only possible: memory of which nothing tells what it holds may hold characters or counts as
well, and so may the members of an object that others use at places which are not known. An integer by the language's
rules is none of a number's bits, unless numbers were moved there whose type nothing told. What is possible only is
watched while the derivative runs, where it is stored (see `differentiate`).

Memory is judged as a whole object, the same in all functions that hand it to each other, whoever calls them. Only what
is stored at one known place of it does not come from another (see `Slots`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType
from enzyme_build.ir.values import Argument, Constant, Value
from enzyme_build.records import dataclass
from enzyme_build.rules.inactive_rows import Inactive

from .bits import loses_bits, words_of
from .computed import is_count
from .copied import access_kind
from .kept_bits import integers_of, kept_by, kept_parts, may_hold_bits, works_on_strings
from .kinds import Kind
from .known import call_effects, keeps_bits
from .mixed_words import holds_words
from .moved_atomics import moves_any
from .number_places import WORD, NumberPlaces, Sure, has_numbers, is_untold, touches_number_at
from .objects import apart_from_numbers, objects, told_apart
from .own_integers import OwnIntegers
from .regions import Region, led_to
from .single_bytes import is_alone
from .slots import Slots
from .spread import spread
from .strings import is_length, is_text, other_side, reads_or_writes_text, string_arguments
from .struct_bits import bits_in_structs
from .unions import may_be_shared
from .used_bits import ALL, used_bits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from enzyme_build.ir.layout import DataLayout

    from .memory import Memory
    from .regions import Place


_Node: TypeAlias = "Value | Region"


@dataclass(frozen=True, slots=True)
class BitFlow:
    """The integers of a call graph that may move parts of numbers, and the stores that may make numbers of them."""

    moved: Mapping[_Node, Sure]
    stores: Mapping[ir.Instruction, Sure]
    onto: frozenset[ir.Instruction]
    """Stores to where numbers are, as accesses or callers say, whatever may be there at other times."""
    watched: frozenset[ir.Instruction]
    """Stores to memory from where bits are read that may be those of numbers."""
    scaled: frozenset[_Node]
    """What holds no bits of numbers but such that were multiplied: hashes, and what may be divided again."""
    joined: frozenset[_Node]
    """Of these, what goes where bits are kept that were not multiplied: what comes from there does not tell."""
    untold: frozenset[Value]
    """Structs of which it is not known whether they move any."""

    def sure(self, value: Value) -> Sure:
        """Does this integer move a part of a number?"""
        return self.moved.get(value, Sure.NO)


def bit_flow(memory: Memory) -> BitFlow:
    """That of the whole call graph, which is computed at once."""
    if memory.bit_flow is None:
        models = list(dict.fromkeys([memory, *memory.others.values()]))
        search = _Search(models)
        found = search.run()
        counts = frozenset(i for i in search.atomics if search.moves(found, i) and search.only_counts(i))
        if counts:
            found = _Search(models, counts).run()
        for model in models:
            model.bit_flow = found
    assert memory.bit_flow is not None
    return memory.bit_flow


class _Search:
    def __init__(self, models: Iterable[Memory], counts: Collection[ir.Instruction] = ()) -> None:
        self.models = {model.function: model for model in models}
        self.counts = counts
        """Atomic operations that are known to be on no numbers."""
        self.atomics: list[ir.AtomicRMW | ir.CompareExchange] = []
        self.formals = {
            formal: (function, at) for function in self.models for at, formal in enumerate(function.arguments)
        }
        self.slots = Slots()
        self.own: OwnIntegers
        self.words: set[Region] = set()
        """Memory of which only the run tells what its words are."""
        self.stored: dict[Region, list[Value]] = {}
        self.copied: dict[Region, list[Region]] = {}
        self.calls: dict[Function, list[ir.CallBase]] = {}
        self.returned: dict[Function, list[Value]] = {}
        self.begins: dict[_Node, Sure] = {}
        self.ends: dict[_Node, Sure] = {}
        """Integers that are cast to numbers or stored where numbers may be."""
        self.stores: dict[ir.Instruction, Sure] = {}
        self.onto: set[ir.Instruction] = set()
        self.stored_to: dict[ir.Instruction, Region] = {}
        self.places = NumberPlaces()
        self._texts: dict[Region, Region] = {}
        """The characters of strings in memory with numbers, which are no numbers."""

    def run(self) -> BitFlow:
        for model in self.models.values():
            for theirs, mine, step in model.shared:
                self.slots.unite(mine, theirs, step)
            self._unite_found(model)
        self.words = {self._class(r) for model in self.models.values() for r in model.regions if holds_words(r.root)}
        for model in self.models.values():
            self.places.find_integers(model)
        for model in self.models.values():
            self._scan(model)
        self.own = OwnIntegers(self.models.values(), self.slots)
        sources: dict[_Node, list[_Node]] = {}
        becomes = self._backward(sources)
        users: dict[_Node, list[_Node]] = {}
        for node, known in sources.items():
            for source in known:
                users.setdefault(source, []).append(node)
        begins = {node: self._begins(node) for node in becomes}
        holds = _reached(begins, users, self.words)
        moved = {node: min(sure, becomes[node]) for node, sure in holds.items()}
        untold = bits_in_structs(self.models, self._passed_from, moved)
        scales = {node for node in holds if loses_bits(node)}
        whole = _reached(begins, users, self.words, scales) if scales else holds
        scaled = frozenset(holds.keys() - whole.keys())
        joined = {node for node in scaled if any(_is_passage(user) and user in whole for user in users.get(node, ()))}
        read = {self._memory_of(node) for node in begins if begins[node] and isinstance(node, ir.Load)}
        read |= {self.slots.memory(node) for node in moved if isinstance(node, Region)}
        watched = frozenset(i for i, region in self.stored_to.items() if region in read)
        return BitFlow(moved, self.stores, frozenset(self.onto), watched, scaled, frozenset(joined), untold)

    def _backward(self, sources: dict[_Node, list[_Node]]) -> dict[_Node, Sure]:
        """What becomes a number; notes where each of it comes from."""
        becomes: dict[_Node, Sure] = {}
        doubted: list[tuple[_Node, int]] = []
        known: dict[_Node, int] = {}
        for level in (Sure.YES, Sure.MAYBE):
            pending: list[tuple[_Node, int]] = [(value, ALL) for value, sure in self.ends.items() if sure is level]
            pending += doubted
            while pending:
                node, bits = pending.pop()
                if not bits & ~known.get(node, 0):
                    continue
                if node in self.words and level is Sure.YES:
                    doubted.append((node, bits))
                    continue
                becomes.setdefault(node, level)
                known[node] = bits | known.get(node, 0)
                found = list(self._sources(node, known[node]))
                sources[node] = [source for source, _ in found]
                pending += found
        return becomes

    # The same memory in several functions ---------------------------------------------------------------------------

    def _class(self, region: Region) -> Region:
        return self.slots.find(region.root)[0]

    def _memory_at(self, i: ir.Instruction, region: Region) -> Region:
        """What an access reads or writes there."""
        return self._text(region) if reads_or_writes_text(i) else self._class(region)

    def _text(self, region: Region) -> Region:
        """The characters in this memory. Where it holds no numbers, nobody keeps them apart from anything else."""
        region = self._class(region)
        if region not in self._texts and has_numbers(region):
            self._texts[region] = Region(region.graph)
        return self._texts.get(region, region)

    def _unite_found(self, model: Memory) -> None:
        """What known functions return a pointer to, they may have found in the memory that they are given."""
        for call, effects in model.effects.items():
            known = call_effects(model.module, call) if isinstance(call.type, PointerType) else None
            fresh = known is not None and isinstance(known.known, Inactive) and known.known.fresh
            found = model.place(call) if known is not None and known.inactive and not fresh else None
            if found is None or any(Kind.POINTER in content.claims for content in found.region.contents()):
                continue  # an object, whose members are no characters
            for place in effects.reads:
                self.slots.unite(found.region, place.region, 1)

    # What the functions do ------------------------------------------------------------------------------------------

    def _scan(self, model: Memory) -> None:
        for to, from_, length, _ in model.copied:
            self._copy(model.layout, to, from_, length)
        for i in model.function.instructions():
            match i:
                case ir.Store():
                    self._store(model, i, i.value, i.pointer)
                case ir.CallBase():
                    if isinstance(i.callee, Function):
                        called = (
                            model.module.function(i.callee.name) if model.module.is_defined(i.callee.name) else None
                        )
                        if called in self.models:
                            self.calls.setdefault(called, []).append(i)
                    for region in kept_by(model, i):
                        for memory in dict.fromkeys((self._class(region), self._text(region))):
                            self.stored.setdefault(memory, []).extend(kept_parts(model, i))
                    self._text_moved(model, i)
                    if is_text(i):
                        self._text_copied(model, i)
                case ir.Cast(op="bitcast") if i.type.is_float_like and may_hold_bits(i.operands[0].type):
                    self.ends[i.operands[0]] = Sure.YES
                case ir.Return():
                    self.returned.setdefault(model.function, []).extend(integers_of(i.operands))
                case ir.AtomicRMW() | ir.CompareExchange() if i not in self.counts:
                    self.atomics.append(i)
                    # What is computed goes back, also where it is computed with a constant.
                    computes = isinstance(i, ir.AtomicRMW) and i.op != "xchg"
                    for value in [i, *i.operands[1:]] if computes else i.operands[1:]:
                        self._store(model, i, value, i.operands[0])
                case _:
                    pass

    def _text_moved(self, model: Memory, call: ir.CallBase) -> None:
        """What works on strings moves characters from one to the other."""
        if not works_on_strings(model, call):
            return
        strings = [place for at in string_arguments(call) if (place := model.place(call.arguments[at])) is not None]
        held = [self._text(region) for region in led_to(place.region for place in strings)]
        for to in held if len(strings) > 1 else ():
            self.copied.setdefault(to, []).extend(held)

    def _text_copied(self, model: Memory, call: ir.CallBase) -> None:
        to, from_ = (model.place(pointer) for pointer in call.arguments[:2])
        if to is None or from_ is None:
            return
        other = other_side(call)
        target = self._class(to.region) if other == 0 else self._text(to.region)
        source = self._class(from_.region) if other == 1 else self._text(from_.region)
        self.copied.setdefault(target, []).append(source)
        if other == 1 and from_.region.is_visible and is_untold(from_.resolved().region):
            self.begins[target] = max(Sure.MAYBE, self.begins.get(target, Sure.NO))

    def _copy(self, layout: DataLayout, to: Place, from_: Place, length: int | None) -> None:
        """Bytes of which nothing else tells what they are hold what is copied to them, or from them."""
        self.slots.copy(to, from_, length)
        source, target = self._class(from_.region), self._class(to.region)
        if is_untold(to.region.root) and (sure := self.places.any_number(layout, from_.region.root)):
            self.begins[target] = max(sure, self.begins.get(target, Sure.NO))
        if is_untold(from_.region.root) and (sure := self.places.any_number(layout, to.region.root)):
            self.ends[source] = max(sure, self.ends.get(source, Sure.NO))

    def _store(self, model: Memory, i: ir.Instruction, value: Value, pointer: Value) -> None:
        if isinstance(value, Constant) or not may_hold_bits(value.type):
            return
        place = model.place(pointer)
        if place is None:
            return
        if is_length(i) or is_alone(model.module, place, value.type, i.metadata):
            return
        memory = self.stored_to[i] = self._memory_at(i, place.region)
        if memory is self._class(place.region):
            self.slots.store(place, model.layout.store_size(value.type), value)
        else:
            self.stored.setdefault(memory, []).append(value)
        sure = self._of_number(model, i, value, pointer)
        if sure:
            self.stores[i] = max(sure, self.stores.get(i, Sure.NO))
            self.ends[value] = max(sure, self.ends.get(value, Sure.NO))
            if touches_number_at(model, pointer, value):
                self.onto.add(i)

    def _of_number(self, model: Memory, i: ir.Instruction, value: Value, pointer: Value) -> Sure:
        """May what this integer is read from, or stored to, be a part of a number?"""
        place = model.place(pointer)
        if place is None or is_length(i):
            return Sure.NO
        if reads_or_writes_text(i) and not touches_number_at(model, pointer, value):
            # Numbers are not to be stored among characters, but who knows what came there by accesses like others?
            apart = self._text(place.region) is not self._class(place.region)
            return Sure.MAYBE if isinstance(i, ir.Load) and apart else Sure.NO
        sure = self.places.at_place(model, i, value, place, spread(model, pointer), model.contents.get((value, ())))
        if not sure and _is_in_union(model, i, value, pointer):
            seen = place.resolved().region.is_visible or touches_number_at(model, pointer, value)
            return Sure.MAYBE if seen else Sure.NO
        single = told_apart(model, pointer) if sure else None
        if single is None:
            return sure
        content = objects(model).content(model.function, value)
        told = access_kind(model.module, i.metadata, model.layout.store_size(value.type))
        if told is not None and told[0] is Kind.INTEGER and content is not None and not content.may_carry_numbers:
            return Sure.NO
        return min(sure, max(self.places.at_place(model, i, value, one, [one], content) for one in single))

    @staticmethod
    def moves(found: BitFlow, i: ir.Instruction) -> bool:
        """Are bits read or written here that may be those of numbers?"""
        return any(found.sure(value) for value in (i, *i.operands[1:]))

    def only_counts(self, i: ir.AtomicRMW | ir.CompareExchange) -> bool:
        """Is this a counter of owners or the like: an integer in objects that have no numbers there?"""
        model, type_ = self._model(i), i.operands[1].type
        size = model.layout.store_size(type_)
        apart = isinstance(type_, IntType) and apart_from_numbers(model, i.operands[0], size)
        return apart and not (moves_any(i) and _is_in_union(model, i, i.operands[1], i.operands[0]))

    # Where bits come from -------------------------------------------------------------------------------------------

    def _sources(self, node: _Node, bits: int) -> Iterable[tuple[_Node, int]]:
        """What these bits of something are moved or made from, and which bits of that."""
        match node:
            case Region():
                whole, copied = self.slots.memory(node), self._of_words(self.slots.copied_to(node))
                return _whole(
                    [*self.slots.stored_in(node), *copied, *self.stored.get(whole, ()), *self.copied.get(whole, ())]
                )
            case Argument():
                return [(actual, bits) for actual in self._actuals(node)]
            case ir.CallBase() if (returned := self._returned(node)) is not None:
                return [(result, bits) for result in returned]
            case ir.CallBase():
                return _whole(integers_of(node.arguments)) if self._keeps_bits(node) else []
            case ir.Load():
                return _whole(self._memory(node, node.pointer))
            case ir.Select():
                return [(operand, bits) for operand in integers_of(node.operands[1:])]
            case ir.Phi() | ir.Freeze():
                return [(operand, bits) for operand in integers_of(node.operands)]
            case ir.Binary(op="sub") if all(isinstance(o, ir.Cast) and o.op == "ptrtoint" for o in node.operands):
                return ()  # the distance of two pointers
            case ir.Binary() if is_count(node):
                return ()
            case ir.Cast(op="trunc" | "zext" | "sext" | "bitcast") | ir.Binary():
                used = used_bits(node, bits)
                return [(operand, some) for operand, some in used if integers_of([operand])]
            case ir.ExtractValue():
                return [(member, bits) for member in self._members(node.operands[0], tuple(node.indices))]
            case ir.InsertValue():
                return [(operand, bits) for operand in integers_of(node.operands[:2])]
            case ir.InsertElement() | ir.ShuffleVector():
                return _whole(integers_of(node.operands[:2]))
            case ir.ExtractElement():
                return _whole(integers_of(node.operands[:1]))
            case ir.AtomicRMW() | ir.CompareExchange() if node not in self.counts:
                return _whole([*self._memory(node, node.operands[0]), *integers_of(node.operands[1:])])
            case _:
                return ()

    def _members(self, value: Value, path: tuple[int, ...]) -> list[Value]:
        """What a member of a struct may be that is put together, or returned, as a whole."""
        found: dict[Value, None] = {}
        pending, seen = [value], {value}
        while pending:
            value = pending.pop()
            further: Iterable[Value] = ()
            match value:
                case ir.InsertValue():
                    indices = tuple(value.indices)
                    depth = min(len(indices), len(path))
                    if indices == path:
                        found[value.operands[1]] = None
                    elif indices[:depth] == path[:depth]:
                        found[value] = None
                    else:
                        further = value.operands[:1]
                case ir.Phi() | ir.Select() | ir.Freeze():
                    further = ir.merged(value)
                case ir.CallBase() if (returned := self._returned(value)) is not None:
                    further = [result for result in returned if isinstance(result, Value)]
                case _:
                    found[value] = None
            pending += (one for one in further if one not in seen)
            seen.update(further)
        return integers_of([*found])

    def _model(self, i: ir.Instruction) -> Memory:
        assert i.block is not None
        assert i.block.function is not None
        return self.models[i.block.function]

    def _memory(self, i: ir.Instruction, pointer: Value) -> list[_Node]:
        model = self._model(i)
        place = model.place(pointer)
        if place is None or is_length(i):
            return []
        memory = self._memory_at(i, place.region)
        if memory is not self._class(place.region):
            return [memory]
        type_ = i.type if isinstance(i, ir.Load) else i.operands[1].type
        return self._of_words([self.slots.at(place, model.layout.store_size(type_))])

    def _of_words(self, slots: list[Region]) -> list[_Node]:
        """Of what memory holds words of several kinds, its places do, unless it is known what was stored there."""
        doubted = (slot for slot in slots if self.slots.memory(slot) in self.words)
        self.words.update(slot for slot in doubted if not self.own.only_in(slot))
        return [*slots]

    def _memory_of(self, load: ir.Load) -> Region | None:
        found = next(iter(self._memory(load, load.pointer)), None)
        return self.slots.memory(found) if isinstance(found, Region) else None

    def _actuals(self, argument: Argument) -> list[_Node]:
        function, at = self.formals[argument]
        return [v for call in self.calls.get(function, ()) for v in integers_of(call.arguments[at : at + 1])]

    def _returned(self, call: ir.CallBase) -> Sequence[_Node] | None:
        """What a function of the link returns; None of others."""
        callee = call.callee
        if not isinstance(callee, Function) or not (module := self._model(call).module).is_defined(callee.name):
            return None
        return self.returned.get(module.function(callee.name), ())

    def _passed_from(self, value: Argument | ir.CallBase) -> list[Value]:
        """What an argument or a result of a call is, as far as it is seen."""
        passed = self._actuals(value) if isinstance(value, Argument) else self._returned(value)
        return [one for one in passed or () if isinstance(one, Value)]

    def _given(self, argument: Argument) -> Sure:
        """May code that is not seen pass bits of a number there?"""
        model = self.models[self.formals[argument][0]]
        content = model.contents.get((argument, ())) if model.is_root else None
        return Sure.MAYBE if content is not None and content.float_types else Sure.NO

    def _is_own_integer(self, load: ir.Load) -> bool:
        model = self._model(load)
        place = model.place(load.pointer)
        return place is not None and self.own.only(place, model.layout.store_size(load.type))

    def _keeps_bits(self, call: ir.CallBase) -> bool:
        return isinstance(call.callee, Function) and keeps_bits(self._model(call).module, call)

    def _begins(self, value: _Node) -> Sure:
        """Are these bits of a number here, wherever they come from?"""
        match value:
            case Region():
                found = self.begins.get(self.slots.memory(value), Sure.NO)
                return Sure.NO if found and self.own.only_in(value) else found
            case ir.Cast(op="bitcast") if value.operands[0].type.is_float_like:
                return Sure.YES
            case Argument():
                return self._given(value)
            case ir.Load():
                own = self._is_own_integer(value)
                return Sure.NO if own else self._of_number(self._model(value), value, value, value.pointer)
            case ir.Cast(op="ptrtoint"):
                return max(
                    (self.places.of_pointer(self._model(load), load) for load in words_of(value)), default=Sure.NO
                )
            case ir.AtomicRMW() | ir.CompareExchange() if value not in self.counts:
                return self._of_number(self._model(value), value, value.operands[1], value.operands[0])
            case _:
                return Sure.NO


def _reached(
    begins: Mapping[_Node, Sure],
    users: Mapping[_Node, Iterable[_Node]],
    words: Collection[_Node],
    without: Collection[_Node] = (),
) -> dict[_Node, Sure]:
    """What holds bits of numbers, by operations other than `without`; memory of `words` may hold others as well."""
    found: dict[_Node, Sure] = {}
    doubted: list[_Node] = []
    for level in (Sure.YES, Sure.MAYBE):
        pending = [node for node, sure in begins.items() if sure is level]
        pending += doubted
        while pending:
            node = pending.pop()
            if node in words and level is Sure.YES:
                doubted.append(node)
            elif node not in found and node not in without:
                found[node] = level
                pending += users.get(node, ())
    return found


def _whole(nodes: Iterable[_Node]) -> list[tuple[_Node, int]]:
    return [(node, ALL) for node in nodes]


def _is_passage(node: _Node) -> bool:
    return isinstance(node, Region | Argument | ir.CallBase)


def _is_in_union(model: Memory, i: ir.Instruction, value: Value, pointer: Value) -> bool:
    """Is this, or a part of it, an integer that may be a number in other objects?"""
    size = model.layout.store_size(value.type)
    return isinstance(value.type, IntType) and value.type.bits >= WORD and may_be_shared(model, i, pointer, size)
