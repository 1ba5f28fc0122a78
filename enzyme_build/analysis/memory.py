"""What is known about the memory of one function: places of pointers, contents of integers, effects of calls."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import Function
from enzyme_build.ir.instructions import Return
from enzyme_build.ir.types import PointerType, Type
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantExpression,
    GlobalAlias,
    GlobalVariable,
    Value,
)
from enzyme_build.records import dataclass
from enzyme_build.rules.library_memory import WRITTEN_VARIABLES

from .code_facts import code_facts
from .contents import Content, Graph
from .kinds import Kind
from .offsets import element_offset, scalar_leaves
from .regions import Place, Region, led_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.module import Module

    from .bit_sources import Source
    from .bitflow import BitFlow
    from .counted_memory import Counted
    from .declared_bytes import DeclaredBytes
    from .elements import Elements
    from .objects import Objects
    from .packing import Packing
    from .summary import Summary
    from .word_moves import Move

Path = tuple[int, ...]

_TYPE_DESCRIPTIONS: Final = ("_ZTI", "_ZTS")
"""C++'s descriptions of types and their names are compared and printed, never computed with. `std::function` gives its
object and its type through one pointer: as memory like other, they would be one object with whatever it holds."""


@dataclass(slots=True)
class Effects:
    """Memory that a call may read, write or free; the places are regions as a whole."""

    reads: list[Place] = field(default_factory=list)
    writes: list[Place] = field(default_factory=list)
    frees: list[Place] = field(default_factory=list)


class Memory:
    """What the analysis knows about one function; regions may be shared with its whole component."""

    def __init__(self, module: Module, function: Function, graph: Graph) -> None:
        self.module = module
        self.layout = module.layout
        self.function = function
        self.graph = graph
        self.places: dict[tuple[Value, Path], Place] = {}
        self.contents: dict[tuple[Value, Path], Content] = {}
        self.results: dict[Path, Place | Content] = {}
        self.effects: dict[ir.CallBase, Effects] = {}
        self.regions: list[Region] = []
        self.globals: dict[Value, Region] = {}
        self.others: Mapping[Function, Memory] = {}
        """The models of all functions of the call graph, once they are made."""
        self.packing: Packing | None = None
        self.synchronises: bool | None = None
        """May other threads change variables while the function runs (see `other_threads`)?"""
        self.bit_flow: BitFlow | None = None
        self.objects: Objects | None = None
        self.declared_bytes: DeclaredBytes | None = None
        self.elements: Elements | None = None
        self.code = code_facts(module, function)
        self.unbounded: set[ir.Instruction] = set()
        """Accesses of which it is no use to know that an index is one of a few numbers: some of these are said to lead
        to numbers of other types."""
        self.several_callers: bool | None = None
        """Is it called in several places, or what calls it?"""
        self.is_root = False
        """May code that is not seen call this function?"""
        self.characters: dict[ir.CallBase, Region] = {}
        """Memory to which the library returned pointers that it found in strings."""
        self.shared: list[tuple[Region, Region, int]] = []
        """Regions of callees, those that they are in the functions of this component, and how far it is uncertain where
        one is in the other (multiples of so many bytes)."""
        self.heads: set[tuple[GlobalVariable, int]] = set()
        """Variables with a node of a structure that libraries link, and where in them it is (see `kept`)."""
        self.handed: dict[ir.CallBase, Summary] = {}
        """What the memory of callees of other components is here."""
        self.forward: dict[object, frozenset[Region]] = {}
        """What varies behind this function where some of its arguments and memory do (see `activity`)."""
        self.own_loads: set[ir.Load] = set()
        """Loads whose pointers are never the user's, where regions do not tell (see `provenance`)."""
        self.frees_users = True
        """May a derivative free memory of the user's? (Asked only where regions say so.)"""
        self.counted: Counted | None = None
        """What the function does with integers in memory (see `counted_memory`)."""
        self.returned_bits: dict[type, dict[Path, list[Source] | None]] = {}
        """The numbers that integers which the function returns are made of, in each member of its result, by what is
        asked (see `bit_sources`)."""
        self.stored_bits: Sequence[tuple[Place, int, Source]] | None = None
        """Where it stores such bits as integers, and whose."""
        self.stored_numbers: frozenset[Region] | None = None
        """Where the function, or what it calls, stores numbers (see `stored_numbers`)."""
        self.read_as_numbers: set[Value] | None = None
        """Integers of which it makes numbers by their bits."""
        self.word_moves: Sequence[Move] | None = None
        self.rounded: tuple[Place, ...] | None = None
        """Where integers are stored that scaled numbers were rounded to (see `rounded_memory`)."""
        self.copied: dict[tuple[Place, Place, int | None, bool], None] = {}
        """Runs of bytes copied: to, from, length, are their types told? Callers repeat them, for what only they know of
        the bytes."""

    def new_region(self, *, external: bool = False) -> Region:
        region = Region(self.graph, external=external)
        self.regions.append(region)
        return region

    def lent(self) -> Mapping[Region, None]:
        """What libraries may write in any call: the memory that they keep, and what pointers in it lead to."""
        return led_to(region for region in self.regions if region.root.lent)

    def place(self, value: Value, path: Path = ()) -> Place | None:
        """Where a pointer value points; None for null, undef and values never seen."""
        found = self.places.get((value, path))
        if found is not None:
            return found.resolved()
        if isinstance(value, Constant):
            return self._constant_place(value)
        return None

    def behind(self, value: Value, *, integers: bool = False) -> list[Place]:
        """Where the pointers in a value point, or the integers in it that are addresses."""
        leaves = scalar_leaves(self.layout, value.type)
        paths = [path for path, type_, _ in leaves if isinstance(type_, PointerType) is not integers]
        found = [self.place(value, path) for path in paths]
        if integers:
            found += [one.target for path in paths if (one := self.contents.get((value, path))) is not None]
        return [place for place in found if place is not None]

    def returned(self, *, integers: bool = False) -> Iterator[Place]:
        """The same of what the function returns."""
        for i in self.function.instructions():
            if isinstance(i, Return):
                for value in i.operands:
                    yield from self.behind(value, integers=integers)

    def content(self, value: Value, path: Path = ()) -> Content:
        """The content variable of an integer value."""
        found = self.contents.get((value, path))
        if found is None:
            found = self.contents[value, path] = Content(self.graph)
        return found

    def integer_kind(self, value: Value) -> tuple[Kind, Type | None]:
        """What an integer-typed value holds."""
        content = self.contents.get((value, ()))
        return (content.kind, content.float_type) if content else (Kind.UNKNOWN, None)

    def global_region(self, value: GlobalVariable | Function | GlobalAlias) -> Region:
        """The region whose byte 0 is that of the variable. It may since have become a part of another, at any place."""
        region = self.globals.get(value)
        if region is None:
            region = self.globals[value] = self.new_region(external=True)
            region.globals.add(value)
            region.origins.add(value)
            if isinstance(value, GlobalVariable):
                region.declared.append((0, 0, value.value_type))
                region.lent = value.initializer is None and value.name in WRITTEN_VARIABLES
                if value.initializer is not None and "@" in value.initializer:
                    self._initial_pointers(region, 0, self.module.global_initializer(value))
        return region

    def _initial_pointers(self, region: Region, offset: int, value: Value | None) -> None:
        """Pointers to data in the initial value of a global variable."""
        if isinstance(value, ConstantAggregate):
            for index, member in enumerate(value.operands):
                self._initial_pointers(region, offset + self.layout.field_offset(value.type, index), member)
        elif value is not None and isinstance(value.type, PointerType) and pointed_variable(value) is not None:
            place = self.place(value)
            if place is not None:
                root, shift = region.find()
                content = root.content(offset + shift, 0)
                content.mark(Kind.POINTER)
                content.point_to(place)

    def _constant_place(self, value: Constant) -> Place | None:
        if isinstance(value, GlobalAlias) and value.aliasee is not None:
            return self.place(value.aliasee)
        if isinstance(value, GlobalVariable) and value.is_constant and value.name.startswith(_TYPE_DESCRIPTIONS):
            return None
        if isinstance(value, GlobalVariable | Function | GlobalAlias):
            return Place(self.global_region(value), 0, 0).resolved()
        if isinstance(value, ConstantExpression):
            base = self.place(value.operands[0])
            if base is None:
                return None
            if value.op == "getelementptr":
                offset = element_offset(self.layout, value)
                return base.moved(offset.constant)
            return base
        return None


def pointed_variable(value: Value) -> GlobalVariable | None:
    """The variable that a constant pointer points into."""
    while not isinstance(value, GlobalVariable):
        if isinstance(value, GlobalAlias) and value.aliasee is not None:
            value = value.aliasee
        elif isinstance(value, ConstantExpression) and value.operands:
            value = value.operands[0]
        else:
            return None
    return value
