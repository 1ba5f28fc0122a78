"""Objects one by one: which of them a pointer may lead to.

`regions` makes one region of all objects that one pointer may lead to. The links of a hash table lead to its nodes and
to a member of the table itself, so that there the table and its nodes are one. Here a pointer leads to a *set* of
places in objects that stay apart (Andersen, "Program analysis and specialization for the C programming language",
1994): an object for each allocation, variable and argument of a function that users call, with a set for each of its
fields. All functions are looked at together, whoever calls them; so it is done only where regions do not suffice. A
method is called on objects that lead to it (see `dispatch`).

What comes from code that is not seen is one object for each region that it is in (`regions`); what is not known at all
is an *unknown* object. Somebody who asks for a pointer that may lead to it gets no answer; where numbers or pointers
are stored by one, nobody gets any.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PTR, IntType, PointerType
from enzyme_build.ir.values import Argument, Constant, ConstantInt, InlineAssembly, Value
from enzyme_build.regex import regex
from enzyme_build.rules.inactive import compares
from enzyme_build.rules.inactive_rows import Inactive
from enzyme_build.rules.memory import Allocation
from enzyme_build.rules.mirrored import LINKS, Mirrored

from .annotations import annotations_of
from .cells import POINTER, Cells
from .copied import access_kind
from .dispatch import dispatched_calls
from .hash_tables import single_buckets
from .kinds import Kind
from .known import call_effects
from .multiples import NotReachedError
from .offsets import fixed_base, linear, scalar_leaves
from .regions import Place
from .strings import BUFFER, is_text, string_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .cells import Node
    from .dispatch import Dispatch
    from .known import CallEffects
    from .memory import Memory
    from .regions import Region

_KEPT_BITS: Final = frozenset(("add", "or", "and", "xor"))
_STEPS: Final = 150
"""For each instruction, and for any program: as many take up to two seconds."""
_FREE_STEPS: Final = 2_000_000
_SIZE: Final = regex(r"\bdereferenceable\((\d+)\)")


class Pointees(Cells):
    """Solves for all functions at once."""

    def __init__(self, models: Iterable[Memory]) -> None:
        super().__init__(models)
        self._results: dict[object, Value] = {function: Value(PTR) for function in self.models}
        """What functions return, and what they allocate and store."""
        self._casts: list[ir.Cast] = []
        self._texts = {self.unknown}
        """Characters that strings lead to, which are no strings; and what may be any."""
        self._kept: set[str] = set()
        """Functions whose address is put somewhere: who gets that may call them."""
        self._holds: set[tuple[Place, Dispatch]] = set()
        """What was found to be so, which stays so."""
        self._dispatched: dict[ir.Instruction, tuple[Dispatch, ...]] = {}
        self._buckets: set[ir.Instruction] = set()

    def solve(self) -> bool:
        """Follow all pointers; False where some are stored nobody knows where, or are too many."""
        called: set[Function] = set()
        self._most_steps = _FREE_STEPS
        for model in self.models.values():
            self._dispatched |= dispatched_calls(self.layout, model.function)
            self._buckets |= single_buckets(self.module, model.function)
            for i in model.function.instructions():
                self._most_steps += _STEPS
                self._instruction(model, i, called)
        for function, model in self.models.items():
            if model.is_root or function not in called:
                for argument in function.arguments:
                    self._given(argument)
        self._run()
        while dangling := [cast for cast in self._casts if not self._set(cast)]:
            for cast in dangling:
                self._add((cast, ()), self.unknown, 0, 1)
            self._run()
        if self._steps > self._most_steps:
            return False
        return not any(self._is_lost(i) for model in self.models.values() for i in model.function.instructions())

    def _is_lost(self, i: ir.Instruction) -> bool:
        """Is something stored nobody knows where, or copied from nobody knows where?"""
        match i:
            case ir.Store():
                return self.unknown in self._set(i.pointer)
            case ir.AtomicRMW() | ir.CompareExchange():
                return self.unknown in self._set(i.operands[0])
            case ir.CallBase():
                known = call_effects(self.module, i)
                copies = known.copies if known is not None else None
                return copies is not None and any(self.unknown in self._set(i.arguments[at]) for at in copies[:2])
            case _:
                return False

    # Instructions --------------------------------------------------------------------------------------------------

    def _given(self, argument: Argument) -> None:
        """What users pass."""
        for path, type_, _ in scalar_leaves(self.layout, argument.type):
            if isinstance(type_, PointerType):
                region = self._object((argument, path), argument, external=True)
                self._add((argument, path), region, 0, 0)

    def _instruction(self, model: Memory, i: ir.Instruction, called: set[Function]) -> None:
        if not isinstance(i, ir.CallBase | ir.Compare):
            self._kept |= {value.name for value in i.operands if isinstance(value, Function)}
        match i:
            case ir.Alloca():
                region = self._object(i, i, external=False)
                stride = self.layout.alloc_size(i.allocated_type) if i.operands else 0
                region.declared.append((0, stride, i.allocated_type))
                if not stride:
                    self.sizes[region] = self.layout.alloc_size(i.allocated_type)
                self._add((i, ()), region, 0, 0)
            case ir.Load():
                self._loaded(model, i, i.pointer, i)
            case ir.Store():
                self._stored(i.pointer, i.value)
                if self._may_be_part(i):
                    self._when(lambda: self._note_parts(i.pointer), (i.pointer, ()))
            case ir.GetElementPtr() if isinstance(i.type, PointerType):
                self._gep(model, i)
            case ir.Phi() | ir.Freeze() | ir.ShuffleVector():
                self._same(i, i.operands)
            case ir.Select() | ir.InsertElement():
                self._same(i, i.operands[1:] if isinstance(i, ir.Select) else i.operands[:2])
            case ir.Cast():
                self._cast(i)
            case ir.Binary() if isinstance(i.type, IntType) and i.type.bits >= POINTER:
                for operand in i.operands if i.op in _KEPT_BITS else i.operands[: i.op == "sub"]:
                    self._flow((i, ()), operand, step=1)
            case ir.ExtractValue():
                for path, _ in self._carriers(i.type):
                    self._flow((i, path), i.operands[0], (*i.indices, *path))
            case ir.InsertValue():
                for path, _ in self._carriers(i.type):
                    inside = path[: len(i.indices)] == i.indices
                    self._flow((i, path), i.operands[int(inside)], path[len(i.indices) :] if inside else path)
            case ir.ExtractElement():
                self._same(i, i.operands[:1])
            case ir.AtomicRMW() | ir.CompareExchange():
                self._atomic(model, i)
            case ir.Return():
                for operand in i.operands:
                    for path, _ in self._carriers(operand.type):
                        self._flow((self._results[model.function], path), operand, path)
            case ir.CallBase():
                self._call(model, i, called)
            case ir.GetElementPtr() | ir.VAArg() | ir.LandingPad():
                self._anything(i)
            case _:
                pass

    def _may_be_part(self, i: ir.Store) -> bool:
        """May this be a part of a pointer, as where objects are copied byte by byte?"""
        scalar = i.value.type.scalar
        if not isinstance(scalar, IntType) or scalar.bits >= POINTER or isinstance(i.value, Constant):
            return False
        told = access_kind(self.module, i.metadata, self.layout.store_size(i.value.type))
        counted = isinstance(i.value, ir.Binary) and i.value.op in ("add", "sub", "mul")
        return not counted and (told is None or told[0] is not Kind.INTEGER)

    def _mention(self, values: Iterable[Value]) -> None:
        """A function whose address is taken may be called from elsewhere."""
        for value in values:
            if isinstance(value, Function) and self.module.is_defined(value.name):
                parsed = self.module.function(value.name)
                for argument in parsed.arguments if parsed in self.models else ():
                    self._given(argument)

    def _anything(self, value: Value) -> None:
        for path, _ in self._carriers(value.type):
            self._add((value, path), self.unknown, 0, 1)

    def _same(self, i: ir.Instruction, sources: Iterable[Value]) -> None:
        """Lanes of vectors are not told apart."""
        vector = isinstance(i, ir.ShuffleVector | ir.InsertElement | ir.ExtractElement)
        for path, _ in self._carriers(i.type):
            for source in sources:
                for other, _ in self._carriers(source.type) if vector else ((path, 0),):
                    self._flow((i, path), source, other)

    def _gep(self, model: Memory, i: ir.GetElementPtr) -> None:
        if i in self._buckets:
            self._bucket(i)
            return
        offset = model.code.offset(i)
        try:
            step = model.code.step(i, offset, model.place)
        except NotReachedError:
            step = 1
        forward = step if "nuw" in i.flags else 0
        inside = "inbounds" in i.flags
        self._flow((i, ()), i.operands[0], (), offset.constant, step, forward=forward, inside=inside)

    def _bucket(self, i: ir.GetElementPtr) -> None:
        """The bucket of a table is an object of its own, which is all that an index may reach from there. Whoever has
        another address of it finds the same in it."""
        base, by = fixed_base(self.layout, i)

        def change() -> None:
            for region, spots in list(self._set(base).items()):
                if region is self.unknown:
                    self._add((i, ()), region, 0, 1)
                    continue
                for at, stride in list(spots):
                    place = Place(region, (at + by) % stride if stride else at + by, stride)
                    bucket = self._inside_table(place, i)
                    for one in (region, bucket):
                        self._readers.setdefault(one, {})[change] = None
                    self._add((i, ()), bucket, 0, 0)

        self._when(change, (base, ()))

    def _inside_table(self, place: Place, i: ir.GetElementPtr) -> Region:
        """The bucket at a place in a table, and in the table what is in the bucket, and the other way round."""
        region, at, stride = place.region, place.offset, place.stride
        bucket = self._object((region, at, stride), i, external=region.external)
        self.sizes[bucket] = POINTER // 8
        foreign = self._foreign.get(region, ())
        if any(stride or (start <= at and (end is None or at < end)) for start, end in foreign):
            self._write_foreign(bucket, 0, None)
            self._join(bucket, self._sets.get(region, {}))
        self._join((region, at, stride), self._sets.get((bucket, 0, 0), {}))
        for cell, step in list(self._cells.get(region, ())):
            if _meet(cell - at, gcd(stride, step)):
                self._join((bucket, 0, 0), self._sets[region, cell, step])
        return bucket

    def _cast(self, i: ir.Cast) -> None:
        source = i.operands[0]
        if i.op in ("ptrtoint", "ptrtoaddr", "addrspacecast", "bitcast") and i.type.scalar is not source.type.scalar:
            for path, _ in self._carriers(i.type):
                self._flow((i, path), source, path)
        elif i.op == "inttoptr" and isinstance(i.type, PointerType):
            self._flow((i, ()), source)
            if not isinstance(source, ConstantInt):
                self._casts.append(i)

    def _atomic(self, model: Memory, i: ir.AtomicRMW | ir.CompareExchange) -> None:
        for path, offset in self._carriers(i.type):
            if path in ((), (0,)):
                self._load(model, (i, path), i.operands[0], offset, i)
        for operand in i.operands[1:]:
            self._stored(i.operands[0], operand)

    # Calls ---------------------------------------------------------------------------------------------------------

    def _call(self, model: Memory, i: ir.CallBase, called: set[Function]) -> None:
        callee = i.callee
        known = call_effects(self.module, i)
        overrides = known is not None and known.overrides_body
        if isinstance(callee, Function) and self.module.is_defined(callee.name):
            parsed = self.module.function(callee.name)
            if parsed in self.models and not overrides:
                self._kept |= {value.name for value in i.arguments if isinstance(value, Function)}
                called.add(parsed)
                self._call_body(i, parsed)
                if callee.name in annotations_of(self.module).rules:
                    self._call_unknown(i)
                return
        self._mention(i.arguments)
        if known is None or isinstance(callee, InlineAssembly) or (known.inactive and overrides):
            self._call_unknown(i)
        else:
            self._call_known(model, i, known)

    def _call_body(self, i: ir.CallBase, callee: Function) -> None:
        for formal, actual in zip(callee.arguments, i.arguments, strict=False):
            ways = self._dispatched.get(i, ())
            base, at = fixed_base(self.layout, actual) if ways else (actual, 0)
            if said := [way for way in ways if way.base is base]:
                self._flow_where((formal, ()), base, at, said)
                continue
            for path, _ in self._carriers(formal.type):
                self._flow((formal, path), actual, path)
        for path, _ in self._carriers(i.type) if i.type is not None else ():
            self._flow((i, path), self._results[callee], path)

    def _flow_where(self, to: Node, base: Value, by: int, said: Sequence[Dispatch]) -> None:
        """`to` leads so far behind those objects at `base` that say themselves that the function is called on them."""

        def change() -> None:
            for region, spots in list(self._set(base).items()):
                for at, stride in list(spots):
                    known = region is self.unknown or self._foreign.get(region)
                    if known or all(self._may_hold(Place(region, at, stride), way, change) for way in said):
                        self._add(to, region, at + by, stride)

        self._when(change, (base, ()))

    def _may_hold(self, place: Place, way: Dispatch, reader: Callable[[], None]) -> bool:
        """May the function be what is read from this place?"""
        if (place, way) in self._holds:
            return True
        code = self._code(way.function)
        reached = [place]
        for by in way.offsets:
            found: dict[Place, None] = {}
            for one in reached:
                self._readers.setdefault(one.region, {})[reader] = None
                self._readers.setdefault((one.region, -1, 0), {})[reader] = None
                if self._has_parts(one.region, one.offset + by, one.stride):
                    self._holds.add((place, way))
                    return True
                for at, step in self._cells.get(one.region, ()):
                    if _meet(one.offset + by - at, gcd(one.stride, step)):
                        for region, spots in self._sets[one.region, at, step].items():
                            found.update(dict.fromkeys(Place(region, *spot) for spot in spots))
            reached = list(found)
            self._steps += 1 + 2 * len(reached)
            if any(one.region in {code, self.unknown} or self._foreign.get(one.region) for one in reached):
                self._holds.add((place, way))
                return True
        return False

    def _call_unknown(self, i: ir.CallBase) -> None:
        """It may put pointers to all that it can reach wherever it can reach."""
        given = [argument for argument in i.arguments if not isinstance(argument, Function)]

        def change() -> None:
            for region in self._reachable(given, change):
                if region in self._codes:
                    self._mention(one for one in region.origins if getattr(one, "name", None) in self._kept)
                elif region is not self.unknown:
                    region.external = True
                    self._write_foreign(region, 0, None)
                    self._add(region, self.unknown, 0, 1)

        nodes = [(argument, path) for argument in given for path, _ in self._carriers(argument.type)]
        self._when(change, *nodes)
        if i.type is not None:
            self._anything(i)

    def _reachable(self, values: Iterable[Value], reader: Callable[[], None]) -> Iterable[Region]:
        found: dict[Region, None] = {}
        pending = [r for value in values for path, _ in self._carriers(value.type) for r in self._set(value, path)]
        while pending:
            region = pending.pop()
            if region in found:
                continue
            found[region] = None
            self._readers.setdefault(region, {})[reader] = None
            for at, step in self._cells.get(region, ()):
                pending += self._sets[region, at, step]
            pending += self._sets.get(region, {})
        return found

    def _call_known(self, model: Memory, i: ir.CallBase, known: CallEffects) -> None:
        if isinstance(known.known, Allocation):
            region = self._object(i, i, external=False)
            sizes = [i.arguments[at] for at in known.known.sizes]
            if known.allocates and len(sizes) == 1 and isinstance(sizes[0], ConstantInt):
                self.sizes[region] = sizes[0].value
            if known.known.stored is None:
                self._add((i, ()), region, 0, 0)
            else:
                holder = self._results.setdefault(region, Value(PTR))
                self._add((holder, ()), region, 0, 0)
                self._store(i.arguments[known.known.stored], 0, holder, ())
        if known.resizes is not None:
            self._flow((i, ()), i.arguments[known.resizes])
            self._copy(i, i.arguments[known.resizes], None)
        elif isinstance(known.known, Mirrored) and known.known.structure:
            self._link(i, known.known)
        elif known.returns_argument is not None:
            self._flow((i, ()), i.arguments[known.returns_argument], step=int(known.copies is not None))
        elif isinstance(known.known, Inactive) and known.known.strings:
            self._change_strings(model, i, fresh=known.known.fresh)
            return
        elif isinstance(i.type, PointerType) and not known.allocates:
            self._found_by_library(model, i)
        if known.copies is not None:
            destination, source, size = known.copies
            form = linear(i.arguments[size])
            length = form.constant if not form.terms else None
            if not is_text(i):
                self._copy(i.arguments[destination], i.arguments[source], length)
        elif known.inactive and known.writes and not compares(known.known):
            self._written_by_library(i, known)

    def _change_strings(self, model: Memory, i: ir.CallBase, *, fresh: bool) -> None:
        """The pointer of a string leads to new characters, to those inside the string, or to those of another one. So
        does what is returned, unless it is a string itself."""
        new = self._object(i, i, external=False)
        self._texts.add(new)
        pointers = isinstance(i.type, PointerType)
        if fresh and pointers:
            self._add((i, ()), new, 0, 0)
            return
        strings = [i.arguments[at] for at in string_arguments(i)]
        held = Value(PTR)

        def change() -> None:
            self._add((held, ()), new, 0, 0)
            for string in strings:
                for region, spots in list(self._set(string).items()):
                    for at, stride in list(spots) if region not in self._texts else ():
                        if self._inside(region, at + BUFFER, stride, BUFFER):
                            self._add((held, ()), region, at + BUFFER, stride)
                        if pointers:
                            self._add((i, ()), region, at, stride)
                    self._readers.setdefault(region, {})[change] = None

        self._when(change, *((string, ()) for string in strings))
        for string in strings:
            self._load(model, (held, ()), string, 0, i)
            self._store(string, 0, held, ())
        if pointers:
            self._flow((i, ()), held)

    def _found_by_library(self, model: Memory, i: ir.CallBase) -> None:
        """A pointer that a library returns is one to memory of its own, or somewhere into what it was given."""
        given = [argument for argument in i.arguments if isinstance(argument.type, PointerType)]

        def change() -> None:
            for region in self._reachable(given, change):
                self._add((i, ()), region, 0, 1)

        self._when(change, *((argument, ()) for argument in given))
        self._from_elsewhere(model, (i, ()), i)

    def _written_by_library(self, i: ir.CallBase, known: CallEffects) -> None:
        """Objects that a library changes lead to memory of its own, or to what other objects that it got led to. It
        changes no more than the declaration says: an object inside another is not the other."""
        callee = i.callee
        formals = callee.arguments if isinstance(callee, Function) else ()
        given = [at for at in known.reads if isinstance(i.arguments[at].type, PointerType)]
        extents = {at: _SIZE.search(formals[at].attributes) if at < len(formals) else None for at in given}

        def change() -> None:
            inside: list[tuple[Region, int, int | None]] = []
            for at in given:
                extent = extents[at]
                for region, spots in self._set(i.arguments[at]).items():
                    self._readers.setdefault(region, {})[change] = None
                    for offset, stride in spots:
                        size = int(extent[1]) if extent is not None and not stride else None
                        inside.append((region, offset if size is not None else 0, size))
                        if at in known.writes and region is not self.unknown:
                            self._write_foreign(region, offset, size)
            cells = [
                self._sets[region, at, step]
                for region, start, size in inside
                for at, step in self._cells.get(region, ())
                if step or size is None or start <= at < start + size
            ]
            for region, _, _ in inside if cells else ():
                if region is not self.unknown:
                    for found in cells:
                        self._join(region, found)

        self._when(change, *((i.arguments[at], ()) for at in given))

    def _link(self, i: ir.CallBase, known: Mirrored) -> None:
        """A library walks or changes links between nodes: any of them may lead to any other."""
        nodes = [argument for argument in i.arguments if isinstance(argument.type, PointerType)]
        links = LINKS[known.structure]

        def change() -> None:
            places: dict[tuple[Region, int, int], None] = {}
            pending = [(r, at, step) for node in nodes for r, spots in self._set(node).items() for at, step in spots]
            while pending:
                region, at, stride = place = pending.pop()
                if place in places:
                    continue
                places[place] = None
                if region is self.unknown:
                    continue
                self._readers.setdefault(region, {})[change] = None
                for link in links:
                    found = self._sets.get((region, (at + link) % stride if stride else at + link, stride), {})
                    pending += [(other, *spot) for other, spots in found.items() for spot in spots]
            for region, at, stride in places:
                for other in places:
                    if isinstance(i.type, PointerType):
                        self._add((i, ()), *other)
                    if known.writes and region is not self.unknown:
                        for link in (link for link in links if self._inside(region, at + link, stride, 8)):
                            where = at + link
                            self._add((region, where % stride if stride else where, stride), *other)

        self._when(change, *((node, ()) for node in nodes))


def _meet(distance: int, step: int) -> bool:
    """Are two fields so far apart the same one, give or take steps?"""
    return distance % step == 0 if step else distance == 0
