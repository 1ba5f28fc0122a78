"""Byte types: which bytes of which memory hold integers, pointers and floats, and what points where.

One pass over the instructions of a component of the call graph adds facts to the regions (see `regions`) and is
repeated until nothing changes. Seeds are the types of loads and stores, arithmetic, known functions, declared types
of allocas and globals, TBAA access types. Callees of earlier components contribute a copy of their argument,
result and global regions; calls inside a component share regions.

A copy of bytes whose type cannot be told is an error later, where somebody asks; never a guess here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import FloatType, IntType, PointerType, Type, VectorType
from enzyme_build.ir.values import (
    Argument,
    Constant,
    ConstantAggregate,
    ConstantExpression,
    ConstantInt,
    GlobalAlias,
    GlobalVariable,
    NullPointer,
    Undef,
    Value,
)

from .cfg import control_flow
from .copied import access_kind, copied_members
from .known import CallEffects, call_effects
from .offsets import element_offset, linear, scalar_leaves
from .regions import Content, Graph, Kind, Place, Region, join, unify_overlapping_pointers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from enzyme_build.ir.module import Module

    from .callgraph import CallGraph

Path = tuple[int, ...]
_MAX_ROUNDS = 40
_NO_NUMBER = 1 << 22
_IN_MEMORY = re.compile(r"\b(?:byval|sret|byref)\(((?:[^()]|\([^()]*\))*)\)")


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

    def new_region(self, *, external: bool = False) -> Region:
        region = Region(self.graph, external=external)
        self.regions.append(region)
        return region

    def place(self, value: Value, path: Path = ()) -> Place | None:
        """Where a pointer value points; None for null, undef and values never seen."""
        found = self.places.get((value, path))
        if found is not None:
            return found.resolved()
        if isinstance(value, Constant):
            return self._constant_place(value)
        return None

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
        region = self.globals.get(value)
        if region is None:
            region = self.globals[value] = self.new_region(external=True)
            region.globals.add(value)
            region.origins.add(value)
            if isinstance(value, GlobalVariable):
                region.declared.append((0, 0, value.value_type))
                if value.initializer is not None and "@" in value.initializer:
                    self._initial_pointers(region, 0, self.module.global_initializer(value))
        return region.root

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
        if isinstance(value, GlobalVariable | Function | GlobalAlias):
            region = self.globals.get(value)
            root, shift = (region or self.global_region(value)).find()
            return Place(root, shift, 0)
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


def memory_models(module: Module, graph: CallGraph) -> Mapping[Function, Memory]:
    """The memory of every function of the call graph, callees first."""
    from .calling import tell_callees

    result: dict[Function, Memory] = {}
    components: list[Component] = []
    for members in graph.components:
        component = Component(module, [module.function(f.name) for f in members], result)
        result.update(component.solve())
        components.append(component)
    tell_callees(module.layout, components)
    return result


class Component:
    """Facts of one component to a fixed point."""

    def __init__(self, module: Module, functions: Sequence[Function], done: Mapping[Function, Memory]) -> None:
        self.module = module
        self.layout = module.layout
        self.done = done
        self.graph = Graph()
        self.functions = functions
        self.models = {f: Memory(module, f, self.graph) for f in functions}
        first = self.models[functions[0]]
        for model in self.models.values():  # globals and the list of regions are the component's
            model.regions, model.globals = first.regions, first.globals
        self.copies: dict[ir.CallBase, _Copy] = {}
        self.members: dict[ir.CallBase, list[tuple[int, Kind, Type | None]]] = {}
        self.orders = {f: control_flow(f).order for f in functions}
        self.current = first

    def solve(self) -> dict[Function, Memory]:
        for function, model in self.models.items():
            self.current = model
            for argument in function.arguments:
                self._external(argument)
                self._declare_memory(argument)
        for _ in range(_MAX_ROUNDS):
            before = self.graph.changes
            for function, model in self.models.items():
                self.current = model
                for block in self.orders[function]:
                    for instruction in block.instructions:
                        self._visit(instruction)
            self.close()
            if self.graph.changes == before:
                break
        return self.models

    def all_regions(self) -> list[Region]:
        """The representatives of the component's regions."""
        return list({region.root: None for region in self.current.regions})

    def handed_over(self) -> Iterator[tuple[Region, Region]]:
        """(region of a callee, this component's copy) of the memory of all calls."""
        for copy in self.copies.values():
            yield from copy.regions.items()

    def close(self) -> None:
        """Carry facts between overlapping fields."""
        for region in self.all_regions():
            unify_overlapping_pointers(region)
            root = region.root
            if root.external:
                for target in root.targets():
                    target.region.set_flag("external")
            for offset, content in list(root.fields.items()):
                self._inherit(root, content, offset, 0)
            for (offset, stride), content in list(root.strided.items()):
                self._inherit(root, content, offset, stride)

    @staticmethod
    def _inherit(region: Region, content: Content, offset: int, stride: int) -> None:
        if content.kind is Kind.UNKNOWN:
            kind, float_type = accessed_kind(region, offset, stride, skip=content.root)
            if kind not in (Kind.UNKNOWN, Kind.MIXED):
                content.mark(kind, float_type)

    # Facts ---------------------------------------------------------------------------------------------------------

    def _external(self, value: Value) -> None:
        """Pointers in `value` come from code that we do not see."""
        for path, type_, _ in self._leaves(value.type):
            if isinstance(type_, PointerType) and self.current.place(value, path) is None:
                region = self.current.new_region(external=True)
                region.origins.add(value)
                self._set(value, path, Place(region, 0, 0))

    def _declare_memory(self, argument: Argument) -> None:
        """Structs passed or returned in memory say their type."""
        found = _IN_MEMORY.search(argument.attributes)
        place = self.current.place(argument) if found else None
        if found is not None and place is not None:
            place.region.declared.append((place.offset, 0, self.module.parse_type(found[1])))

    def _leaves(self, type_: Type) -> list[tuple[Path, Type, int]]:
        if isinstance(type_, FloatType | IntType | PointerType):
            return [((), type_, 0)]
        return scalar_leaves(self.layout, type_)

    def _set(self, value: Value, path: Path, place: Place | None) -> None:
        if place is None:
            return
        known = self.current.places.get((value, path))
        joined = place.resolved() if known is None else join(known, place)
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
            content.unify(self.current.content(b, b_path))

    def _field(self, place: Place, offset: int) -> Content:
        moved = place.resolved().moved(offset)
        return moved.region.content(moved.offset, moved.stride)

    def _transfer(self, place: Place, value: Value, *, load: bool, metadata: str) -> None:
        """The leaves of `value` are what the memory at `place` holds."""
        for path, type_, offset in self._leaves(value.type):
            content = self._field(place, offset)
            if isinstance(type_, FloatType):
                content.mark(Kind.FLOAT, type_)
            elif isinstance(type_, PointerType):
                self._transfer_pointer(place, content, value, path, load=load)
            elif isinstance(type_, IntType):
                self._transfer_integer(content, value, path, type_, metadata)

    def _transfer_integer(self, content: Content, value: Value, path: Path, type_: IntType, metadata: str) -> None:
        if type_.bits < 16:
            content.mark(Kind.INTEGER)
        told = access_kind(self.module, metadata, self.layout.store_size(type_))
        if told is not None and not path:
            content.mark(*told)
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

    # Instructions --------------------------------------------------------------------------------------------------

    def _visit(self, i: ir.Instruction) -> None:
        match i:
            case ir.Load():
                self._load(i)
            case ir.Store():
                self._store(i)
            case ir.GetElementPtr():
                self._gep(i)
            case ir.Alloca():
                self._alloca(i)
            case ir.Phi():
                for operand in i.operands:
                    self._same(i, operand)
            case ir.Select():
                self._same(i, i.operands[1])
                self._same(i, i.operands[2])
            case ir.Freeze():
                self._same(i, i.operands[0])
            case ir.Cast():
                self._cast(i)
            case ir.Binary():
                self._binary(i)
            case ir.Compare():
                if i.op == "icmp":
                    self._compare(i)
            case ir.CallBase():
                self._call(i)
            case ir.Return():
                self._return(i)
            case ir.ExtractValue():
                for path, type_, _ in self._leaves(i.type):
                    self._same_leaf(i, path, i.operands[0], (*i.indices, *path), type_)
            case ir.InsertValue():
                self._insert_value(i)
            case ir.ExtractElement() | ir.InsertElement() | ir.ShuffleVector():
                self._vector(i)
            case ir.AtomicRMW() | ir.CompareExchange():
                self._atomic(i)
            case ir.Switch():
                self._integer(i.operands[0])
            case ir.VAArg() | ir.LandingPad():
                self._external(i)
            case _:
                pass

    def _load(self, i: ir.Load) -> None:
        place = self.current.place(i.pointer)
        if place is None:  # null, or not reached yet
            return
        place.region.set_flag("reads")
        self._transfer(place, i, load=True, metadata=i.metadata)

    def _store(self, i: ir.Store) -> None:
        place = self.current.place(i.pointer)
        if place is not None:
            place.region.set_flag("writes")
            self._transfer(place, i.value, load=False, metadata=i.metadata)

    def _gep(self, i: ir.GetElementPtr) -> None:
        place = self.current.place(i.operands[0])
        if place is None:  # null, or not reached yet
            return
        offset = element_offset(self.layout, i)
        place = place.moved(offset.constant)
        for value, scale in offset.terms:
            self._integer(value)
            place = place.moved(0, abs(scale))
        self._set(i, (), place)

    def _alloca(self, i: ir.Alloca) -> None:
        if (i, ()) not in self.current.places:
            region = self.current.new_region()
            region.allocations.add(i)
            region.origins.add(i)
            stride = self.layout.alloc_size(i.allocated_type) if i.operands else 0
            region.declared.append((0, stride, i.allocated_type))
            self._set(i, (), Place(region, 0, 0))

    def _cast(self, i: ir.Cast) -> None:
        source = i.operands[0]
        match i.op:
            case "bitcast":
                self._bitcast(i, source)
            case "addrspacecast":
                self._same(i, source)
            case "ptrtoint":
                self._set(i, (), self.current.place(source))
            case "inttoptr":
                place = self.current.place(source)
                if place is None:
                    self._external(i)
                else:
                    self._set(i, (), place)
            case "sitofp" | "uitofp":
                self._integer(source)
            case "fptosi" | "fptoui":
                self._integer(i)
            case _:
                pass

    def _bitcast(self, i: ir.Cast, source: Value) -> None:
        if i.type.scalar.is_float and isinstance(source.type.scalar, IntType):
            self._mark_float(source, i.type)
        elif source.type.scalar.is_float and isinstance(i.type.scalar, IntType):
            self._mark_float(i, source.type)
        else:
            self._same_scalars(i, source)

    def _mark_float(self, value: Value, type_: Type) -> None:
        if not isinstance(value, Constant):
            for path, leaf, _ in self._leaves(value.type):
                scalar = type_
                if isinstance(value.type, VectorType):
                    scalar = type_.scalar if self.layout.bit_size(type_.scalar) == self.layout.bit_size(leaf) else type_
                self.current.content(value, path).mark(Kind.FLOAT, scalar)

    def _same_scalars(self, a: Value, b: Value) -> None:
        if a.type is b.type:
            self._same(a, b)

    def _binary(self, i: ir.Binary) -> None:
        if i.op[0] == "f" and i.op != "freeze":
            return
        if i.op in ("and", "or", "xor", "add", "sub"):
            # Pointers kept as integers (alignment, tagging) stay pointers, at an unknown offset.
            for operand in i.operands:
                place = self.current.places.get((operand, ()))
                if place is not None:
                    self._set(i, (), place.resolved().moved(0, 1))
        if i.op not in ("and", "or", "xor", "shl", "lshr"):
            self._integer(i)
            for operand in i.operands:
                self._integer(operand)

    def _compare(self, i: ir.Compare) -> None:
        a, b = i.operands
        if not (isinstance(b, Constant) and getattr(b, "value", None) == 0):
            self._integer(a)
            self._integer(b)

    def _insert_value(self, i: ir.InsertValue) -> None:
        aggregate, element = i.operands
        for path, type_, _ in self._leaves(i.type):
            if path[: len(i.indices)] == i.indices:
                self._same_leaf(i, path, element, path[len(i.indices) :], type_)
            else:
                self._same_leaf(i, path, aggregate, path, type_)

    def _vector(self, i: ir.Instruction) -> None:
        """Lanes are not told apart: every lane may be every other."""
        sources = i.operands[:1] if isinstance(i, ir.ExtractElement) else i.operands[:2]
        for path, type_, _ in self._leaves(i.type):
            for source in sources:
                for source_path, _, _ in self._leaves(source.type):
                    self._same_leaf(i, path, source, source_path, type_)

    def _atomic(self, i: ir.AtomicRMW | ir.CompareExchange) -> None:
        place = self.current.place(i.operands[0])
        if place is None:
            return
        place.region.set_flag("reads")
        place.region.set_flag("writes")
        for operand in i.operands[1:]:
            self._transfer(place, operand, load=False, metadata=i.metadata)
        if isinstance(i, ir.AtomicRMW):
            self._transfer(place, i, load=True, metadata=i.metadata)

    def _return(self, i: ir.Return) -> None:
        results = self.current.results
        for operand in i.operands:
            for path, type_, _ in self._leaves(operand.type):
                if isinstance(type_, PointerType):
                    place = self.current.place(operand, path)
                    known = results.get(path)
                    if place is not None:
                        results[path] = join(known, place) if isinstance(known, Place) else place
                elif isinstance(type_, IntType) and not isinstance(operand, Constant):
                    content = self.current.content(operand, path)
                    known = results.setdefault(path, content)
                    if isinstance(known, Content):
                        known.unify(content)

    # Calls ---------------------------------------------------------------------------------------------------------

    def _call(self, i: ir.CallBase) -> None:
        callee = i.callee
        effects = self.current.effects.setdefault(i, Effects())
        if isinstance(callee, Function) and self.module.is_defined(callee.name):
            known = call_effects(self.module, i)
            if known is None or not known.overrides_body:
                self._call_body(i, callee, effects)
                return
        known = call_effects(self.module, i)
        if known is None:
            self._call_unknown(i, effects)
        else:
            self._call_known(i, known, effects)

    def _call_body(self, i: ir.CallBase, callee: Function, effects: Effects) -> None:
        parsed = self.module.function(callee.name)
        if parsed in self.models:
            self._call_own_component(i, parsed, effects)
            return
        copy = self.copies.get(i)
        if copy is None:
            copy = self.copies[i] = _Copy(self.done[parsed], self.current)
            self.graph.changes += 1
        for formal, actual in zip(parsed.arguments, i.arguments, strict=False):
            self._bind(i, formal, actual, copy)
        for path, result in self.done[parsed].results.items():
            if isinstance(result, Place):
                self._set(i, path, copy.place(result))
            elif result.kind is Kind.FLOAT or result.kind is Kind.INTEGER:
                self.current.content(i, path).mark(result.kind, result.float_type)
        if i.type is not None:
            self._external(i)
        effects.reads, effects.writes, effects.frees = copy.effects()
        for place in effects.reads:
            place.region.set_flag("reads")
        for place in effects.writes:
            place.region.set_flag("writes")

    def _bind(self, i: ir.CallBase, formal: Argument, actual: Value, copy: _Copy) -> None:
        del i
        for path, type_, _ in self._leaves(formal.type):
            place = copy.source.place(formal, path)
            if isinstance(type_, PointerType) and place is not None:
                target = self.current.place(actual, path)
                if target is not None:
                    join(target, copy.place(place))
            elif isinstance(type_, IntType):
                content = copy.source.contents.get((formal, path))
                if content is not None and content.kind in (Kind.FLOAT, Kind.INTEGER):
                    self.current.content(actual, path).mark(content.kind, content.float_type)

    def _call_own_component(self, i: ir.CallBase, callee: Function, effects: Effects) -> None:
        model = self.models[callee]
        for formal, actual in zip(callee.arguments, i.arguments, strict=False):
            for path, type_, _ in self._leaves(formal.type):
                if isinstance(type_, PointerType):
                    place, target = model.place(formal, path), self.current.place(actual, path)
                    if place is not None and target is not None:
                        before = self.graph.changes
                        joined = join(place, target)
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

    def _call_unknown(self, i: ir.CallBase, effects: Effects) -> None:
        """A call that may do anything with the memory it can reach."""
        places = self._argument_places(i, range(len(i.arguments)))
        reached = _reachable(places)
        for place in reached:
            for flag in ("external", "reads", "writes"):
                place.region.set_flag(flag)
        self._external(i)
        effects.reads = effects.writes = reached

    def _call_known(self, i: ir.CallBase, known: CallEffects, effects: Effects) -> None:
        effects.reads = self._argument_places(i, known.reads)
        effects.writes = self._argument_places(i, known.writes)
        effects.frees = self._argument_places(i, known.frees)
        for places, flag in ((effects.reads, "reads"), (effects.writes, "writes"), (effects.frees, "freed")):
            for touched in places:
                touched.region.set_flag(flag)
        for index in known.integers:
            self._integer(i.arguments[index])
        if known.integer_result:
            self._integer(i)
        for index, offset, kind, float_type in known.fields:
            place = self.current.place(i.arguments[index])
            if place is not None:
                self._field(place, offset).mark(kind, float_type)
        # Reallocating null allocates, too.
        resizes = known.resizes
        fresh = known.allocates or (resizes is not None and self.current.place(i.arguments[resizes]) is None)
        if fresh and (i, ()) not in self.current.places:
            region = self.current.new_region()
            region.allocations.add(i)
            region.origins.add(i)
            self._set(i, (), Place(region, 0, 0))
        if known.returns_argument is not None:
            self._same(i, i.arguments[known.returns_argument])
        elif known.resizes is not None:
            place = self.current.place(i.arguments[known.resizes])
            if place is not None:
                self._set(i, (), place)
        elif not known.allocates:
            self._external(i)
        if known.copies is not None:
            destination, source, size = known.copies
            place = self.current.place(i.arguments[destination])
            if place is not None:
                for offset, kind, float_type in self._members(i):
                    self._field(place, offset).mark(kind, float_type)
            self._copy(i.arguments[destination], i.arguments[source], i.arguments[size])

    def _argument_places(self, i: ir.CallBase, indices: Iterable[int]) -> list[Place]:
        result = []
        for index in indices:
            argument = i.arguments[index]
            for path, type_, _ in self._leaves(argument.type):
                if isinstance(type_, PointerType):
                    place = self.current.place(argument, path)
                    if place is not None:
                        result.append(place)
        return result

    def _members(self, i: ir.CallBase) -> list[tuple[int, Kind, Type | None]]:
        found = self.members.get(i)
        if found is None:
            found = self.members[i] = copied_members(self.module, i)
        return found

    def _copy(self, destination: Value, source: Value, size: Value) -> None:
        """memcpy: fields of both memories within the copied bytes hold the same."""
        to, from_ = self.current.place(destination), self.current.place(source)
        if to is None or from_ is None:
            return
        form = linear(size)
        length = form.constant if not form.terms else None
        self._copy_fields(from_, to, length)
        to, from_ = to.resolved(), from_.resolved()
        self._copy_fields(to, from_, length)

    def _copy_fields(self, source: Place, target: Place, length: int | None) -> None:
        for offset, content in list(source.region.fields.items()):
            delta = offset - source.offset
            if source.stride or target.stride or delta < 0 or (length is not None and delta >= length):
                if not (source.stride or target.stride):
                    continue
                delta %= max(1, source.stride or target.stride)
            self._field(target, delta).unify(content)
        for (offset, stride), content in list(source.region.strided.items()):
            place = target.resolved().moved(offset - source.offset, stride)
            place.region.content(place.offset, place.stride).unify(content)


class _Copy:
    """A callee's argument, result and global regions copied into a caller's graph."""

    def __init__(self, source: Memory, target: Memory) -> None:
        self.source = source
        self.target = target
        self.regions: dict[Region, Region] = {}

    def place(self, place: Place) -> Place:
        place = place.resolved()
        return Place(self._region(place.region), place.offset, place.stride)

    def _region(self, region: Region) -> Region:
        root = region.root
        known = self.regions.get(root)
        if known is not None:
            return known
        if root.globals:
            first = next(iter(root.globals))
            copy = self.target.global_region(first)  # type: ignore[arg-type]
            self.regions[root] = copy
            for other in root.globals:
                join(Place(copy, 0, 0), Place(self.target.global_region(other), 0, 0))  # type: ignore[arg-type]
        else:
            # Memory the callee allocated or was given: whether outsiders see it is the caller's to say.
            copy = self.target.new_region(external=root.external and not _is_argument(root, self.source.function))
            copy.allocations |= root.allocations
            copy.origins |= root.allocations
        self.regions[root] = copy
        copy.root.declared += root.declared
        for offset, content in root.fields.items():
            self._content(content, copy, offset, 0)
        for (offset, stride), content in root.strided.items():
            self._content(content, copy, offset, stride)
        return copy

    def _content(self, content: Content, region: Region, offset: int, stride: int) -> None:
        root, shift = region.find()
        mine = root.content(offset + shift, stride)
        mine.mark(content.kind, content.float_type)
        if content.target is not None:
            mine.point_to(self.place(content.target))

    def effects(self) -> tuple[list[Place], list[Place], list[Place]]:
        for region, summary in self.source.globals.items():
            del region
            self._region(summary)
        reads, writes, frees = [], [], []
        for source, copy in self.regions.items():
            place = Place(copy.root, 0, 1)
            if source.root.reads:
                reads.append(place)
            if source.root.writes:
                writes.append(place)
            if source.root.freed:
                frees.append(place)
        return reads, writes, frees


def _is_argument(region: Region, function: Function) -> bool:
    """Is everything in this region external only because it came in through an argument?"""
    del function
    return bool(region.origins) and not region.globals


def _reachable(places: Iterable[Place]) -> list[Place]:
    found: dict[Region, Place] = {}
    pending = list(places)
    while pending:
        place = pending.pop().resolved()
        if place.region not in found:
            found[place.region] = Place(place.region, 0, 1)
            pending.extend(place.region.targets())
    return list(found.values())


def accessed_kind(region: Region, offset: int, stride: int, skip: Content | None = None) -> tuple[Kind, Type | None]:
    """What accesses say about the bytes at a place: the exact offset first, then the coarsest stride that matches."""
    if stride == 0:
        exact = region.fields.get(offset)
        if exact is not None and exact.root is not skip and exact.kind is not Kind.UNKNOWN:
            return exact.kind, exact.float_type
    best: tuple[int, Content] | None = None
    for (at, step), content in region.strided.items():
        if content.root is skip or content.kind is Kind.UNKNOWN:
            continue
        matches = (offset - at) % step == 0 if stride % step == 0 else False
        if matches and (best is None or step > best[0]):
            best = (step, content)
    if best is None and stride:
        for at, content in region.fields.items():
            if (at - offset) % stride == 0 and content.root is not skip and content.kind is not Kind.UNKNOWN:
                best = (0, content)
                break
    return (best[1].kind, best[1].float_type) if best else (Kind.UNKNOWN, None)


def is_null(value: Value) -> bool:
    """Null, undef and poison pointers point nowhere."""
    return isinstance(value, NullPointer | Undef)
