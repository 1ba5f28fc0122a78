"""What the memory of an exported function holds, as its description tells others.

The exporter's analysis (see `bytetypes`) knows what is where behind each pointer that the function takes or returns.
Written down here is what callers learn of a body that they see (see `summary`): the kind of what accesses find at each
place, how well that is known, and where pointers lead. What accesses contradict each other about is told, too: a caller
who knew of one half only would take it for the whole. Places of which the exporter knows nothing are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from enzyme_build.ir.types import PointerType

from .contents import Graph
from .kinds import Kind, Trust
from .memory import Memory, Path
from .offsets import scalar_leaves
from .regions import Place, Region, led_to
from .spans import ANYWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

    from .contents import Content

RESULT = -1
"""The number of the argument that is what the function returns."""
_NUMBERS = frozenset(("half", "bfloat", "float", "double", "x86_fp80", "fp128"))
Bounds = tuple[int | None, int | None, bool]


class ToldPlace(NamedTuple):
    """A place in one of the regions of a description."""

    region: int
    offset: int
    stride: int
    bounds: Bounds | None
    """Of the span, where it is known."""


class ToldField(NamedTuple):
    """What accesses say of a place: what a caller's content learns of a callee's."""

    place: ToldPlace
    kind: str
    number: str
    """The type of the numbers that are held here, be it at some times only."""
    trusts: tuple[tuple[str, int], ...]
    """All types of numbers that accesses find, and how much that is worth."""
    moved: int
    width: int
    unaligned: bool
    addresses: bool
    target: ToldPlace | None


class ToldPointer(NamedTuple):
    """Where a pointer among the arguments, or in the result, leads."""

    argument: int
    path: Path
    place: ToldPlace


class ToldMemory(NamedTuple):
    """The memory that a function is given or returns."""

    pointers: tuple[ToldPointer, ...] = ()
    fields: tuple[ToldField, ...] = ()


# Tell -----------------------------------------------------------------------------------------------------------------


def told_memory(memory: Memory) -> ToldMemory:
    """What a function's memory says to callers who do not see the body."""
    return _Teller(memory).tell()


class _Teller:
    """Describes the memory behind each pointer by itself. The function may find two of them in one region, which says
    that they may lead to the same memory: callers know that of memory that others see, and need not join theirs."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.numbers: dict[Region, int] = {}
        """Of the regions behind the pointer that is described."""

    def tell(self) -> ToldMemory:
        pointers: list[ToldPointer] = []
        fields: list[ToldField] = []
        told = 0
        for argument, path, place in self._pointers():
            self.numbers = {region: number for number, region in enumerate(led_to([place.region]), told)}
            told += len(self.numbers)
            pointers.append(ToldPointer(argument, path, self._place(place)))
            fields += [field for region in self.numbers for field in self._fields(region)]
        return ToldMemory(tuple(pointers), tuple(fields))

    def _pointers(self) -> Iterator[tuple[int, Path, Place]]:
        for argument in self.memory.function.arguments:
            for path, type_, _ in scalar_leaves(self.memory.layout, argument.type):
                place = self.memory.place(argument, path) if isinstance(type_, PointerType) else None
                if place is not None:
                    yield argument.index, path, place
        for path, result in self.memory.results.items():
            if isinstance(result, Place):
                yield RESULT, path, result

    def _place(self, place: Place) -> ToldPlace:
        place = place.resolved()
        span = place.span
        bounds = None if span is ANYWHERE else (span.low, span.high, span.counted)
        return ToldPlace(self.numbers[place.region], place.offset, place.stride, bounds)

    def _fields(self, region: Region) -> Iterator[ToldField]:
        for offset, stride, content in region.entries():
            if content.kind is not Kind.UNKNOWN or content.moved or content.target is not None:
                span = region.span(offset, stride) if stride else ANYWHERE
                yield self._field(self._place(Place(region, offset, stride, span)), content)

    def _field(self, place: ToldPlace, content: Content) -> ToldField:
        number, target = content.number, content.target
        trusts = [(type_.text, int(trust)) for type_, trust in content.float_types.items()]
        return ToldField(
            *(place, content.kind.value, "" if number is None else number.scalar.text, tuple(sorted(trusts))),
            *(content.moved, content.width, not content.is_aligned, content.keeps_addresses),
            None if target is None else self._place(target),
        )


# Read -----------------------------------------------------------------------------------------------------------------


def read_memory(data: Mapping[str, Any]) -> ToldMemory:
    """What was written as JSON; ValueError and the like for anything else."""
    pointers = [ToldPointer(int(at), tuple(map(int, path)), _place(place)) for at, path, place in data["pointers"]]
    return ToldMemory(tuple(pointers), tuple(map(_field, data["fields"])))


def _field(data: list[Any]) -> ToldField:
    place, kind, number, trusts, moved, width, unaligned, addresses, target = data
    told = tuple((str(type_), int(Trust(trust))) for type_, trust in trusts)
    if not {number, *(type_ for type_, _ in told)} <= {"", *_NUMBERS}:
        raise ValueError(number)
    return ToldField(
        *(_place(place), Kind(kind).value, str(number), told, int(moved), int(width)),
        *(bool(unaligned), bool(addresses), None if target is None else _place(target)),
    )


def _place(data: list[Any]) -> ToldPlace:
    region, offset, stride, bounds = data
    if bounds is not None:
        low, high, counted = bounds
        bounds = (None if low is None else int(low), None if high is None else int(high), bool(counted))
    return ToldPlace(int(region), int(offset), int(stride), bounds)


def model_of(module: Module, function: Function, told: ToldMemory) -> Memory:
    """The model of a function without body: what is told of its memory, and nothing of what it does there."""
    memory = Memory(module, function, Graph())
    regions: dict[int, Region] = {}

    def there(place: ToldPlace) -> Place:
        region = regions.get(place.region)
        if region is None:
            region = regions[place.region] = memory.new_region()
        return Place(region, place.offset, place.stride, ANYWHERE if place.bounds is None else Span(*place.bounds))

    for argument, path, place in told.pointers:
        if argument == RESULT:
            memory.results[path] = there(place)
        elif 0 <= argument < len(function.arguments):
            memory.places[function.arguments[argument], path] = there(place)
    for field in told.fields:
        content = there(field.place).content
        for type_, trust in field.trusts:
            content.mark(Kind.UNKNOWN, module.parse_type(type_), Trust(trust))
        content.mark(Kind(field.kind), module.parse_type(field.number) if field.number else None)
        content.move(field.moved)
        content.access_integer(field.width)
        if field.unaligned:
            content.access_unaligned()
        if field.addresses:
            content.keep_addresses()
        if field.target is not None:
            content.access_as("")  # the types of pointers are not told
            content.point_to(there(field.target))
    return memory
