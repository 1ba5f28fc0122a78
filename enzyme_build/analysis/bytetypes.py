"""Byte types: which bytes of which memory hold integers, pointers and floats, and what points where.

One pass over the instructions of a component of the call graph adds facts to the regions (see `regions`) and is
repeated until nothing changes. Seeds are the types of loads and stores, arithmetic, known functions, declared types
of allocas and globals, TBAA access types. Callees of earlier components contribute a copy of their argument,
result and global regions; calls inside a component share regions.

A copy of bytes whose type cannot be told is an error later, where somebody asks; never a guess here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType, Type, VectorType
from enzyme_build.ir.values import (
    Constant,
    ConstantInt,
    Value,
)

from .accessed import accessed_content, unify_overlapping_pointers
from .callfacts import CallFacts
from .contents import Content
from .copied import EITHER
from .kinds import Kind
from .moved_atomics import stored_pointers
from .multiples import NotReachedError
from .regions import Place, Region
from .spans import ANYWHERE, Span
from .spread import accessed_places, mixes_numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from enzyme_build.ir.module import Module

    from .callgraph import CallGraph
    from .code_facts import CodeFacts
    from .memory import Memory

_MAX_ROUNDS = 40
_SMALLEST = 16
"""Bits of a number."""


class MemoryModels(dict[Function, "Memory"]):
    """The memory of functions, callees first."""

    def __init__(self, module: Module, graph: CallGraph, roots: Collection[Function]) -> None:
        super().__init__()
        self.components: list[Component] = []
        self._asked = (module, graph, roots)

    def reaching(self, functions: Collection[Function]) -> set[str]:
        """The names of these functions, and of all that may call them, perhaps through others."""
        _, graph, _ = self._asked
        found = {function.name for function in functions}
        for members in graph.components:  # callees first
            if any(used.name in found for member in members for used in graph.uses[member]):
                found.update(member.name for member in members)
        return found

    def find_owners(self) -> None:
        """Find whose shadows are whose, which is for derivatives: nothing that is known of memory depends on it."""
        from .kept import find_owners

        module, graph, roots = self._asked
        find_owners(module, graph, self.components, roots)


def memory_models(module: Module, graph: CallGraph, roots: Collection[Function] = ()) -> MemoryModels:
    """The memory of every function of the call graph; `roots` are those that a user calls."""
    from .calling import tell_callees
    from .descriptors import settle_descriptors
    from .kept import find_kept

    result = MemoryModels(module, graph, roots)
    components = result.components
    for members in graph.components:
        component = Component(module, [module.function(f.name) for f in members], result)
        solved = component.solve()
        while unbounded := component.conflicts():
            component = Component(module, component.functions, result)
            for function, model in component.models.items():
                model.unbounded = unbounded | solved[function].unbounded
            solved = component.solve()
        result.update(solved)
        components.append(component)
    tell_callees(module.layout, components, roots)
    settle_descriptors(components)
    find_kept(module, graph, components, roots)
    for component in components:
        component.share()
        component.tell_handed()
    for function, model in result.items():
        model.is_root = function in roots
    return result


class Component(CallFacts):
    """Facts of one component to a fixed point."""

    def solve(self) -> dict[Function, Memory]:
        self.reaching = True
        for function, model in self.models.items():
            self.current = model
            for argument in function.arguments:
                self._external(argument)
                self._declare_memory(argument)
        for number in range(_MAX_ROUNDS):
            self.waiting = False
            changed = self._visit_all(number)
            if not changed or number == _MAX_ROUNDS // 2:
                if not self.reaching or not (changed or self.waiting):
                    break
                self.reaching = False
        return self.models

    def _visit_all(self, number: int) -> bool:
        """Round `number`, in which every instruction adds its facts; are there new ones?"""
        before = self.graph.changes
        changed: list[tuple[Memory, ir.Instruction]] = []
        for function, model in self.models.items():
            self.current = model
            for block in self.orders[function]:
                changed += [(model, i) for i in block.instructions if self._changes(i)]
        if number:
            self._go_on(changed)
        self.close()
        return self.graph.changes != before

    def _changes(self, i: ir.Instruction) -> bool:
        before = self.graph.changes
        self._visit(i)
        return self.graph.changes != before

    def _go_on(self, changed: list[tuple[Memory, ir.Instruction]]) -> None:
        """Repeat what added facts while it still does. Bytes that are moved within memory without end, as by memmove,
        are found one field further each time: at some distance nobody asks for them any more."""
        for _ in range(_MAX_ROUNDS):
            again, changed = changed, []
            for model, i in again:
                self.current = model
                if self._changes(i):
                    changed.append((model, i))
            if not changed:
                return
        self.ended = True

    def conflicts(self) -> set[ir.Instruction]:
        """Accesses to numbers at indices that are known to be one of a few, of which some lead to other numbers: then
        less is known of the index than the program relies on. Those that lead to what is at one place for certain come
        first, since they make others look so."""
        if not mixes_numbers(self.module):
            return set()
        sure: dict[Region, dict[tuple[int, int], set[Type]]] = {}
        unsure: list[tuple[ir.Instruction, Type, list[Place]]] = []
        for function, model in self.models.items():
            for i in function.instructions():
                if not isinstance(i, ir.Load | ir.Store):
                    continue
                type_ = i.type if isinstance(i, ir.Load) else i.value.type
                places = accessed_places(model, i.pointer, i) if type_.is_float_like else []
                if len(places) == 1:
                    one = places[0].resolved()
                    sure.setdefault(one.region, {}).setdefault((one.offset, one.stride), set()).add(type_.scalar)
                elif places:
                    unsure.append((i, type_.scalar, [place.resolved() for place in places]))
        first = {
            i
            for i, type_, places in unsure
            if any(sure.get(place.region, {}).get((place.offset, place.stride), {type_}) != {type_} for place in places)
        }
        if first:
            return first
        return {i for i, _, places in unsure if any(len(place.content.float_types) > 1 for place in places)}

    def all_regions(self) -> list[Region]:
        """The representatives of the component's regions."""
        return list({region.root: None for region in self.current.regions})

    def handed_over(self) -> Iterator[tuple[Region, Region]]:
        """(region of a callee, this component's copy) of the memory of all calls."""
        for copy in self.copies.values():
            yield from copy.regions.items()

    def share(self) -> None:
        """Tell what memory of callees is in the functions of this component."""
        for copy in self.copies.values():
            self.current.shared += ((region, mine, copy.uncertainty(region)) for region, mine in copy.regions.items())

    def tell_handed(self) -> None:
        """What the memory of the functions that are called here is in their callers."""
        for call, copy in self.copies.items():
            if isinstance(call, ir.CallBase):
                copy.target.handed[call] = copy

    def called_back(self) -> Iterator[Region]:
        """The memory of functions that code may call which is not seen."""
        for call, copy in self.copies.items():
            if isinstance(call, tuple):
                yield from copy.regions

    def close(self) -> None:
        """Carry facts between overlapping fields."""
        before = self.graph.changes
        if self.closed == before:
            return
        for region in self.all_regions():
            unify_overlapping_pointers(region)
            root = region.root
            if root.external:
                for target in root.targets():
                    target.region.set_flag("external")
            for offset, stride, content in root.entries():
                self._inherit(root, content, offset, stride)
        if self.graph.changes == before:
            self.closed = before

    @staticmethod
    def _inherit(region: Region, content: Content, offset: int, stride: int) -> None:
        if content.kind is Kind.UNKNOWN:
            found = accessed_content(region, offset, stride, skip=content.root)
            if found is not None and found.kind is not Kind.MIXED:
                content.mark(found.kind, found.float_type, found.trust(found.float_type))
            elif found is not None and region.apart and found.root not in {other.root for other in region.contents()}:
                content.learn(found)  # any of several that are told apart elsewhere

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
        for one in self._accessed(i, i.type, place):
            self._transfer(one, i, pointer=i.pointer, load=True, metadata=i.metadata, align=i.align)

    def _store(self, i: ir.Store) -> None:
        place = self.current.place(i.pointer)
        if place is not None:
            place.region.set_flag("writes")
            for one in self._accessed(i, i.value.type, place):
                self._transfer(one, i.value, pointer=i.pointer, load=False, metadata=i.metadata, align=i.align)

    def _accessed(self, i: ir.Load | ir.Store, type_: Type, place: Place) -> list[Place]:
        """Where a number may lie; whatever else is accessed may be anywhere that the pointer's place tells."""
        if not type_.is_float_like:
            return [place]
        found = accessed_places(self.current, i.pointer, i)
        if found != [place]:
            place.region.set_flag("apart")
        return found

    def _gep(self, i: ir.GetElementPtr) -> None:
        place = self.current.place(i.operands[0])
        if place is None:  # null, or not reached yet
            return
        code = self.current.code
        offset = code.offset(i)
        place = place.moved(offset.constant)
        for value, _ in offset.terms:
            self._integer(value)
        try:
            step = code.step(i, offset, self.current.place)
        except NotReachedError:
            # A pointer not reached yet counts as not moved, which later rounds correct.
            self.waiting = True
            step = 0 if self.reaching else 1
        if place.stride:
            found = place.moved(0, step, ahead=place.span.counted and code.goes_ahead(i))
        else:
            found = place.moved(0, step)
            found = found.within(_reached(code, i, place.offset)) if step else found
        self._set(i, (), found)

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
        if (i.op not in ("and", "or", "xor", "shl", "lshr") and not _is_sign(i)) or _mixes(i) or EITHER in i.metadata:
            self._integer(i)
            for operand in i.operands:
                self._integer(operand)

    def _compare(self, i: ir.Compare) -> None:
        a, b = i.operands
        if isinstance(b, Function):  # what is compared with code is an address of code
            self._same(a, b)
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
            self._transfer(place, operand, pointer=i.operands[0], load=False, metadata=i.metadata)
        for stored in stored_pointers(i):
            self._transfer(place, stored, pointer=i.operands[0], load=False, metadata="")
        if isinstance(i, ir.AtomicRMW):
            self._transfer(place, i, pointer=i.operands[0], load=True, metadata=i.metadata)

    def _return(self, i: ir.Return) -> None:
        results = self.current.results
        for operand in i.operands:
            for path, type_, _ in self._leaves(operand.type):
                if isinstance(type_, PointerType):
                    place = self.current.place(operand, path)
                    known = results.get(path)
                    if place is not None:
                        results[path] = known.join(place) if isinstance(known, Place) else place
                elif isinstance(type_, IntType) and not isinstance(operand, Constant):
                    content = self.current.content(operand, path)
                    known = results.setdefault(path, content)
                    if isinstance(known, Content):
                        known.unify(content)


def _mixes(i: ir.Binary) -> bool:
    """Are bits turned over here that are neither signs nor all of them, as where a hash begins?"""
    by, word = i.operands[1], i.type
    if i.op != "xor" or not isinstance(by, ConstantInt) or not isinstance(word, IntType) or word.bits < _SMALLEST:
        return False
    turned = by.value & ((1 << word.bits) - 1)
    signs = sum(1 << at for at in range(_SMALLEST - 1, word.bits, _SMALLEST))
    return bool(turned & ~signs) and turned != (1 << word.bits) - 1


def _is_sign(i: ir.Binary) -> bool:
    """Is this nothing but the sign, in all bits? Numbers have one, too: Rust orders them by their bits."""
    by, word = i.operands[1], i.type
    return i.op == "ashr" and isinstance(word, IntType) and isinstance(by, ConstantInt) and by.value == word.bits - 1


def _reached(code: CodeFacts, i: ir.GetElementPtr, offset: int) -> Span:
    """Where the indices lead to from a known offset."""
    told = code.span(i)
    if told is not None:
        span, at = told
        return span.moved(offset - at)
    return Span(offset, counted=True) if offset > 0 and code.goes_ahead(i) else ANYWHERE
