"""The facts that instructions add to the memory of their function: places, contents, and what moves between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I8, FloatType, IntType, PointerType, Type
from enzyme_build.ir.values import (
    Argument,
    Constant,
    ConstantInt,
    Value,
)
from enzyme_build.regex import regex
from enzyme_build.rules.inactive_rows import Inactive

from .cfg import control_flow
from .computed import is_count
from .contents import Content, Graph
from .copied import (
    ANY_TYPE,
    LENGTH,
    TEXT,
    access_kind,
    access_name,
    is_component,
    is_fortran_number,
    pointer_name,
    says_type,
)
from .kept_bits import finds_characters
from .kinds import WHOLE, Kind, Trust
from .known import call_effects
from .memory import Memory, Path
from .offsets import scalar_leaves
from .origins import begins_aligned
from .regions import Place
from .shapes import declared_trust
from .single_bytes import is_alone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

    from .regions import Region
    from .summary import Summary

_NO_NUMBER = 1 << 22
_IN_MEMORY = regex(r"\b(?:byval|sret|byref)\(((?:[^()]|\([^()]*\))*)\)")

_WORD = 8
_SHORTEST = 16
"""Bits of the shortest number."""


class Facts:
    """Adds facts about the functions of one component of the call graph; `current` is the one being read."""

    def __init__(self, module: Module, functions: Sequence[Function], done: Mapping[Function, Memory]) -> None:
        self.module = module
        self.layout = module.layout
        self.done = done
        self.graph = Graph()
        self.functions = functions
        self.models = {f: Memory(module, f, self.graph) for f in functions}
        first = self.models[functions[0]]
        for model in self.models.values():  # globals and the list of regions are the component's
            model.regions, model.globals, model.copied = first.regions, first.globals, first.copied
            model.characters = first.characters
            model.others = done
        self.copies: dict[object, Summary] = {}
        """By call, or by call and the function that it may call back."""
        self.told: dict[ir.CallBase, Summary] = {}
        """What exporters tell of functions that have no body here."""
        self.memory_types: dict[Value, Type] = {}
        self.trusts: dict[tuple[Value, Type], Trust] = {}
        self.members: dict[ir.CallBase, list[tuple[int, Kind, Type | None]]] = {}
        self.led: dict[ir.CallBase, bool] = {}
        self.orders = {f: control_flow(f).order for f in functions}
        self.current = first
        self.copied_fields: dict[tuple[Place, Place, int | None, bool], tuple[int, int]] = {}
        """How many fields, and elements, were seen when bytes were copied: from, to, length, are their types told?"""
        self.held: dict[Region, tuple[int, set[tuple[Kind, Type | None]]]] = {}
        """What regions hold somewhere, at that count of changes."""
        self.reaching = False
        """Is it not told yet which pointers are reached?"""
        self.waiting = False
        """Was a pointer met that is not reached yet?"""
        self.ended = False
        """Do copies of unknown length find no more fields?"""
        self.closed = -1
        """The state of the graph in which overlapping fields had nothing more to tell each other."""

    def _external(self, value: Value) -> None:
        """Pointers in `value` come from code that we do not see."""
        for path, type_, _ in self._leaves(value.type):
            if isinstance(type_, PointerType) and self.current.place(value, path) is None:
                region = self.current.new_region(external=True)
                region.origins.add(value)
                self._set(value, path, Place(region, 0, 0))

    def _declare_memory(self, argument: Argument) -> None:
        """Structs passed or returned in memory say their type."""
        type_ = self._memory_type(argument)
        place = self.current.place(argument) if type_ is not None else None
        if place is not None:
            place.region.declared.append((place.offset, 0, type_))

    def _memory_type(self, argument: Argument) -> Type | None:
        found = _IN_MEMORY.search(argument.attributes)
        if found is None:
            return None
        type_ = self.memory_types[argument] = self.module.parse_type(found[1])
        return type_

    def _leaves(self, type_: Type) -> list[tuple[Path, Type, int]]:
        if isinstance(type_, FloatType | IntType | PointerType):
            return [((), type_, 0)]
        return scalar_leaves(self.layout, type_)

    def _set(self, value: Value, path: Path, place: Place | None) -> None:
        if place is None:
            return
        known = self.current.places.get((value, path))
        joined = place.resolved() if known is None else known.join(place)
        if known is None or joined != known.resolved():
            self.graph.changes += 1
        self.current.places[value, path] = joined

    def _integer(self, value: Value) -> None:
        if isinstance(value.type.scalar, IntType) and not isinstance(value, Constant):
            for path, _, _ in self._leaves(value.type):
                self.current.content(value, path).mark(Kind.INTEGER)

    def _same(self, a: Value, b: Value, a_path: Path = (), b_path: Path = ()) -> None:
        """`a` takes over what `b` holds, leaf by leaf."""
        for path, type_, _ in self._leaves(a.type):
            self._same_leaf(a, (*a_path, *path), b, (*b_path, *path), type_)

    def _same_leaf(self, a: Value, a_path: Path, b: Value, b_path: Path, type_: Type) -> None:
        if isinstance(type_, PointerType):
            self._set(a, a_path, self.current.place(b, b_path))
        elif isinstance(type_, IntType) and not isinstance(b, Constant):
            content = self.current.content(a, a_path)
            if is_count(b):
                content.mark(Kind.INTEGER)
            else:
                content.unify(self.current.content(b, b_path))

    def _field(self, place: Place, offset: int) -> Content:
        return place.resolved().moved(offset).content

    def _trust(self, pointer: Value, type_: Type, metadata: str) -> Trust:
        """How much an access to a number is worth as evidence."""
        key = (pointer, type_)
        found = self.trusts.get(key)
        if found is None:
            told = access_kind(self.module, metadata, self.layout.store_size(type_))
            if told is not None and told[0] is Kind.FLOAT:
                found = Trust.TYPED
            elif access_name(self.module, metadata) == ANY_TYPE:
                found = Trust.OTHER
            else:
                fortran = is_fortran_number(self.module, metadata)
                found = declared_trust(self.layout, pointer, type_, self.memory_types, fortran=fortran)
                if found is Trust.BARE and fortran:
                    found = Trust.SAID
            self.trusts[key] = found
        return found

    def _transfer(  # noqa: PLR0913
        self, place: Place, value: Value, *, pointer: Value, load: bool, metadata: str, align: int = 0
    ) -> None:
        """The leaves of `value` are what the memory at `place` holds; `align` 0: as their types are aligned."""
        if TEXT in metadata or LENGTH in metadata:
            self._integer(value)
            if place.stride % _WORD == 0:
                self._field(place, 0).mark(Kind.INTEGER)
            # Else it is one of the characters, and not one of the members that an index without bounds could reach.
            return
        if load and value.type is I8 and self._is_character(pointer):
            self._integer(value)
            self._field(place, 0).mark(Kind.INTEGER)
            return
        if is_component(self.module, metadata):
            place.resolved().region.set_flag("polymorphic")
        for path, type_, offset in self._leaves(value.type):
            content = self._field(place, offset)
            loose = not isinstance(type_, IntType) and bool(align and (align | offset) % self.layout.alignment(type_))
            if loose and isinstance(type_, PointerType):
                # Copies of structs leave accesses of no alignment; what counts is where the pointer lies in its object.
                loose = bool((place.offset + offset) % _WORD or place.stride % _WORD)
            elif loose:
                # So do copies of elements, of which only the length tells; what counts is where they lie.
                lies, size = place.resolved(), self.layout.alignment(type_)
                within = (lies.offset + offset) % size == 0 and lies.stride % size == 0
                loose = not (within and size <= _WORD and begins_aligned(lies.region))
            if loose:
                content.access_unaligned()
            if isinstance(type_, FloatType):
                content.mark(Kind.FLOAT, type_, self._trust(pointer, type_, metadata) if not path else Trust.TYPED)
                if content.moved < WHOLE and not says_type(self.module, metadata):
                    content.move(WHOLE)
            elif isinstance(type_, PointerType):
                content.access_as("" if path else pointer_name(self.module, metadata))
                if access_kind(self.module, metadata, _WORD) == (Kind.INTEGER, None):
                    content.keep_addresses()
                self._transfer_pointer(place, content, value, path, load=load)
            elif isinstance(type_, IntType) and is_alone(self.module, place.moved(offset), type_, metadata):
                content.access_integer(self.layout.store_size(type_))
                content.mark(Kind.INTEGER)
            elif isinstance(type_, IntType):
                self._transfer_integer(content, value, path, type_, metadata)

    def _is_character(self, pointer: Value) -> bool:
        """Does a function of the library's strings return this reference? One character read there is no part of a
        number, whatever has it next (the operator in a node of a tree, where another node has a number)."""
        if not isinstance(pointer, ir.CallBase):
            return False
        known = call_effects(self.module, pointer)
        told = known.known if known is not None else None
        return isinstance(told, Inactive) and told.strings and finds_characters(pointer, told)

    def _transfer_integer(self, content: Content, value: Value, path: Path, type_: IntType, metadata: str) -> None:
        content.access_integer(self.layout.store_size(type_))
        if type_.bits < _SHORTEST:
            content.mark(Kind.INTEGER)
        if is_count(value):
            self._integer(value)
            content.mark(Kind.INTEGER)
            return
        told = access_kind(self.module, metadata, self.layout.store_size(type_))
        if told is not None and not path:
            content.mark(*told)
            if told[0] is Kind.INTEGER and not isinstance(value, Constant):
                # The same bytes may hold a number elsewhere (nodes of different containers, unions): not here, unless
                # numbers are copied to integers byte by byte. Pointers kept as integers are copied so, too.
                own = self.current.content(value)
                own.mark(Kind.INTEGER)
                if not (content.carries_numbers or own.carries_numbers or content.keeps_addresses):
                    return
        elif not isinstance(value, Constant) and self.current.content(value, path).kind is not Kind.INTEGER:
            content.move(self.layout.store_size(type_))
        if not isinstance(value, Constant):
            content.unify(self.current.content(value, path))
        elif isinstance(value, ConstantInt) and 0 < abs(value.value) < _NO_NUMBER:
            # As the bits of a number this would be subnormal: nobody stores such constants.
            content.mark(Kind.INTEGER)

    def _transfer_pointer(self, place: Place, content: Content, value: Value, path: Path, *, load: bool) -> None:
        content.mark(Kind.POINTER)
        if load:
            if content.target is None:
                region = self.current.new_region(external=place.resolved().region.external)
                region.origins.add(value)
                content.point_to(Place(region, 0, 0))
            self._set(value, path, content.target)
        else:
            target = self.current.place(value, path)
            if target is not None:
                content.point_to(target)
