"""Sets of places, for values and for the fields of objects, that grow as pointers are followed (see `pointees`).

What is to be done when a set grows is a function, noted beside the set; `run` does it until nothing grows any more.
"""

from __future__ import annotations

from collections import deque
from math import gcd
from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType, Type
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantExpression,
    ConstantInt,
    GlobalAlias,
    GlobalVariable,
    Value,
)

from .contents import Graph
from .copied import access_kind
from .kinds import Kind
from .offsets import element_offset, scalar_leaves
from .regions import Place, Region

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from enzyme_build.ir import instructions as ir

    from .memory import Memory, Path

Spot: TypeAlias = tuple[int, int]
"""Offset and stride."""
Cell: TypeAlias = tuple[Region, int, int]
"""A field that holds pointers."""
Node: TypeAlias = "tuple[Value, Path] | Cell | Region"
"""What leads somewhere: a value, a field, or what a library may have put into any of the fields given to it."""

POINTER: Final = 64
_BYTES: Final = POINTER // 8
_MOST: Final = 8
"""Different places in one object that are told apart."""
_SAME_ADDRESS: Final = frozenset(("getelementptr", "ptrtoint", "inttoptr", "addrspacecast", "bitcast"))


class Cells:
    """The sets of all functions, and how pointers go through fields."""

    def __init__(self, models: Iterable[Memory]) -> None:
        self.graph = Graph()
        self.models = {model.function: model for model in models}
        first = next(iter(self.models.values()))
        self.module, self.layout = first.module, first.layout
        self.unknown = Region(self.graph, external=True)
        self.sizes: dict[Region, int] = {}
        """Of objects whose size is known."""
        self._sets: dict[Node, dict[Region, set[Spot]]] = {}
        self._cells: dict[Region, list[Spot]] = {}
        self._foreign: dict[Region, list[tuple[int, int | None]]] = {}
        """Bytes that code elsewhere writes."""
        self._parts: dict[Region, set[Spot]] = {}
        """Where integers are stored that are shorter than a pointer."""
        self._objects: dict[object, Region] = {}
        self._codes: set[Region] = set()
        """Those that are functions."""
        self._readers: dict[Node, dict[Callable[[], None], None]] = {}
        """What is to be done again when a set grows; for an object, when one of its fields does."""
        self._pending: deque[Callable[[], None]] = deque()
        self._queued: set[Callable[[], None]] = set()
        self._steps = 0
        self._most_steps = 0

    def objects(self) -> list[Region]:
        """All there are."""
        return [*self._objects.values()]

    # What is asked for ---------------------------------------------------------------------------------------------

    def places(self, pointer: Value, size: int) -> list[Place] | None:
        """Everything that the pointer may lead to where so many bytes are; None where that is not known."""
        if self.unknown in self._set(pointer):
            return None
        return self.reached(pointer, 0, size) or None

    def reached(self, pointer: Value, offset: int, size: int) -> list[Place]:
        """Where an access of so many bytes behind a pointer may be: not beyond the end of an object."""
        found = self._set(pointer)
        return [
            Place(region, at + offset, stride) if not stride else Place(region, (at + offset) % stride, stride)
            for region, spots in found.items()
            for at, stride in sorted(spots)
            if region is not self.unknown and self._inside(region, at + offset, stride, size)
        ]

    # Sets ----------------------------------------------------------------------------------------------------------

    def _set(self, value: Value, path: Path = ()) -> Mapping[Region, set[Spot]]:
        if isinstance(value, Constant):
            place = self._constant(value)
            return {} if place is None else {place.region: {(place.offset, place.stride)}}
        return self._sets.get((value, path), {})

    def _constant(self, value: Value) -> Place | None:
        """Where a constant pointer leads; None for null, and what is computed in other ways."""
        offset = 0
        while not isinstance(value, GlobalVariable | Function):
            if isinstance(value, GlobalAlias) and value.aliasee is not None:
                value = value.aliasee
            elif isinstance(value, ConstantExpression) and value.op in _SAME_ADDRESS:
                offset += element_offset(self.layout, value).constant if value.op == "getelementptr" else 0
                value = value.operands[0]
            else:
                return None
        return Place(self._code(value) if isinstance(value, Function) else self._variable(value), offset, 0)

    def _code(self, function: Function) -> Region:
        """A function, in which nothing is read or written."""
        region = self._objects.get(function.name)
        if region is None:
            region = self._objects[function.name] = Region(self.graph)
            region.origins.add(function)
            self.sizes[region] = 0
            self._codes.add(region)
        return region

    def _variable(self, variable: GlobalVariable) -> Region:
        region = self._objects.get(variable)
        if region is None:
            region = self._objects[variable] = Region(self.graph, external=True)
            region.origins.add(variable)
            region.globals.add(variable)
            region.declared.append((0, 0, variable.value_type))
            self.sizes[region] = self.layout.alloc_size(variable.value_type)
            if not variable.is_constant:
                self._foreign[region] = [(0, None)]
            if variable.initializer is not None and "@" in variable.initializer:
                self._initial(region, 0, self.module.global_initializer(variable))
        return region

    def _initial(self, region: Region, offset: int, value: Value | None) -> None:
        if isinstance(value, ConstantAggregate):
            for index, member in enumerate(value.operands):
                self._initial(region, offset + self.layout.field_offset(value.type, index), member)
        elif isinstance(value, Constant):
            for target, spots in self._set(value).items():
                for spot in spots:
                    self._add((region, offset, 0), target, *spot)

    def _object(self, key: object, origin: Value, *, external: bool) -> Region:
        region = self._objects.get(key)
        if region is None:
            region = self._objects[key] = Region(self.graph, external=external)
            region.origins.add(origin)
            if external:
                self._foreign[region] = [(0, None)]
            else:
                region.allocations.add(origin)
        return region

    def _add(self, node: Node, region: Region, offset: int, stride: int) -> None:
        """`node` may lead there, too."""
        self._steps += 1
        regions = self._sets.setdefault(node, {})
        spots = regions.get(region)
        if stride:
            offset %= stride
        if spots is None:
            regions[region] = {(offset, stride)}
        elif any((offset - at) % step == 0 and stride % step == 0 if step else (offset, stride) == (at, 0)
                 for at, step in spots):  # fmt: skip
            return
        else:
            spots.add((offset, stride))
            if len(spots) > _MOST:
                step = gcd(*(s for _, s in spots), *(at - offset for at, _ in spots))
                spots.clear()
                spots.add((offset % step, step))
        self._wake(node)
        if isinstance(node, tuple) and isinstance(node[0], Region):
            object_, at, step = node
            cells = self._cells.setdefault(object_, [])
            if (at, step) not in cells:
                cells.append((at, step))
            self._wake(object_)

    def _wake(self, node: Node) -> None:
        for reader in self._readers.get(node, ()):
            if reader not in self._queued:
                self._queued.add(reader)
                self._pending.append(reader)

    def _when(self, change: Callable[[], None], *nodes: Node) -> None:
        """Do `change` now, and whenever one of the sets grows."""
        for node in nodes:
            self._readers.setdefault(node, {})[change] = None
        if change not in self._queued:
            self._queued.add(change)
            self._pending.append(change)

    def _run(self) -> None:
        """Follow all pointers, unless it takes too long: where all leads everywhere, nothing is to be learned."""
        while self._pending and self._steps <= self._most_steps:
            change = self._pending.popleft()
            self._queued.discard(change)
            change()

    def _flow(  # noqa: PLR0913
        self,
        to: Node,
        value: Value,
        path: Path = (),
        by: int = 0,
        step: int = 0,
        *,
        forward: int = 0,
        inside: bool = False,
    ) -> None:
        """`to` leads where `value` does, so many bytes further: `by` and multiples of `step`, none of them back where
        it goes `forward`; to nowhere behind or before an object where it stays `inside`."""

        def change() -> None:
            if not by and not step:
                self._join(to, self._set(value, path))
                return
            for region, spots in list(self._set(value, path).items()):
                for at, stride in list(spots):
                    if inside and not (stride or step or 0 <= at + by <= self.sizes.get(region, at + by)):
                        continue
                    few = self._few(region, at, by, forward) if forward and not stride else None
                    if few is None:
                        self._add(to, region, at + by, gcd(stride, step))
                    for offset in few or ():
                        self._add(to, region, offset, 0)

        if isinstance(value, Constant):
            change()
        else:
            self._when(change, (value, path))

    def _few(self, region: Region, at: int, by: int, step: int) -> list[int] | None:
        """The places from `at` on to the end of an object, where they are few."""
        size = self.sizes.get(region)
        if size is None or size - at > _MOST * step:
            return None
        return [*range(at + by % step, size + 1, step)]

    def _inside(self, region: Region, offset: int, stride: int, size: int) -> bool:
        known = self.sizes.get(region)
        return stride != 0 or known is None or 0 <= offset <= known - size

    # Fields --------------------------------------------------------------------------------------------------------

    def _carriers(self, type_: Type) -> Iterator[tuple[Path, int]]:
        """Paths and offsets of what may be a pointer in a value of this type."""
        for path, leaf, offset in scalar_leaves(self.layout, type_):
            if isinstance(leaf, PointerType) or (isinstance(leaf, IntType) and leaf.bits >= POINTER):
                yield path, offset

    def _loaded(self, model: Memory, i: ir.Instruction, pointer: Value, source: ir.Instruction) -> None:
        told = access_kind(self.module, i.metadata, 8)
        if told is not None and told[0] is not Kind.POINTER and isinstance(i.type, IntType):
            return
        for path, offset in self._carriers(i.type):
            self._load(model, (i, path), pointer, offset, source)

    def _load(self, model: Memory, to: Node, pointer: Value, offset: int, source: Value) -> None:
        def change() -> None:
            for region, spots in list(self._set(pointer).items()):
                self._readers.setdefault(region, {})[change] = None
                for at, stride in list(spots):
                    if region is self.unknown:
                        self._add(to, region, 0, 1)
                    elif self._inside(region, at + offset, stride, 8):
                        self._read(model, to, region, at + offset, stride, source)

        self._when(change, (pointer, ()))

    def _read(self, model: Memory, to: Node, region: Region, offset: int, stride: int, source: Value) -> None:  # noqa: PLR0913, PLR0917
        for at, step in list(self._cells.get(region, ())):
            common = gcd(stride, step)
            if (at - offset) % common == 0 if common else at == offset:
                self._join(to, self._sets[region, at, step])
        for start, end in self._foreign.get(region, ()):
            if stride or (start <= offset and (end is None or offset < end)):
                self._join(to, self._sets.get(region, {}))
                self._from_elsewhere(model, to, source)

    def _join(self, to: Node, found: Mapping[Region, set[Spot]]) -> None:
        known = self._sets.setdefault(to, {})
        for region, spots in list(found.items()):
            self._steps += 1
            there = known.get(region)
            if there is None or not spots <= there:
                for spot in list(spots):
                    self._add(to, region, *spot)

    def _from_elsewhere(self, model: Memory, to: Node, source: Value) -> None:
        """What code that is not seen lets this pointer lead to."""
        place = model.place(source) if isinstance(source.type, PointerType) else None
        if place is None:
            self._add(to, self.unknown, 0, 1)
        else:
            place = place.resolved()
            object_ = self._object((model.function, place.region), source, external=True)
            self._add(to, object_, place.offset, place.stride)

    def _store(self, pointer: Value, offset: int, value: Value, path: Path) -> None:
        def change() -> None:
            found = self._set(value, path)
            for region, spots in list(self._set(pointer).items()) if found else ():
                for at, stride in list(spots):
                    if region is not self.unknown and self._inside(region, at + offset, stride, 8):
                        where = at + offset
                        self._join((region, where % stride if stride else where, stride), found)

        self._when(change, (pointer, ()), (value, path))

    def _stored(self, pointer: Value, value: Value) -> None:
        if isinstance(value, ConstantInt):
            return
        for path, offset in self._carriers(value.type):
            self._store(pointer, offset, value, path)

    def _note_parts(self, pointer: Value) -> None:
        """There may be a part of a pointer stored there, of which nobody knows where it leads."""
        for region, spots in self._set(pointer).items():
            known = self._parts.setdefault(region, set())
            if not spots <= known:
                known |= spots
                self._wake((region, -1, 0))

    def _has_parts(self, region: Region, offset: int, stride: int) -> bool:
        """May a pointer there have been put together of smaller integers?"""
        for at, step in self._parts.get(region, ()):
            common = gcd(stride, step)
            distance = (at - offset) % common if common else at - offset
            if -_BYTES < distance < _BYTES or (common and common - distance < _BYTES):
                return True
        return False

    def _copy(self, to: Value, source: Value, length: int | None) -> None:
        def change() -> None:
            for region, spots in list(self._set(source).items()):
                self._readers.setdefault(region, {})[change] = None
                for at, stride in list(spots):
                    for target, others in list(self._set(to).items()):
                        for start, step in list(others):
                            if self.unknown not in (target, region):
                                self._copy_cells(Place(region, at, stride), Place(target, start, step), length)

        self._when(change, (to, ()), (source, ()))

    def room(self, place: Place) -> int | None:
        """So many bytes lie between a place and the end of its object, where that is known."""
        size = self.sizes.get(place.region)
        return None if size is None else max(0, size - (0 if place.stride else place.offset))

    def _copy_cells(self, source: Place, target: Place, length: int | None) -> None:
        rooms = [room for place in (source, target) if (room := self.room(place)) is not None]
        if length is not None and rooms and min(rooms) < length:
            return  # not these two
        length = min(rooms, default=None) if length is None else length
        for at, step in list(self._cells.get(source.region, ())):
            common = gcd(source.stride, step)
            distance = (at - source.offset) % common if common else at - source.offset
            if distance < 0 or (length is not None and distance >= length):
                continue
            once = not common or (length is not None and distance + common >= length)
            moved = target.moved(distance, 0 if once else common)
            self._join((target.region, moved.offset, moved.stride), self._sets[source.region, at, step])
        for start, end in self._foreign.get(source.region, ()):
            reaches = length is None or source.stride or start < source.offset + length
            if reaches and (end is None or source.stride or source.offset < end):
                self._write_foreign(target.region, target.offset, length if not target.stride else None)
                self._join(target.region, self._sets.get(source.region, {}))

    def _write_foreign(self, region: Region, start: int, length: int | None) -> None:
        """These bytes may be written by code that is not seen."""
        entry = (start, None if length is None else start + length) if length is not None else (0, None)
        known = self._foreign.setdefault(region, [])
        if entry not in known and (0, None) not in known:
            known.append(entry)
            self._wake(region)
