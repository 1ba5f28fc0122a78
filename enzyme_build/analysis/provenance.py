"""Where pointers may come from, where the user's memory and memory that global variables keep look like one.

Regions join what one pointer may lead to, so that a pointer chosen between an argument and a kept work array makes one
region of both. Here pointers are followed in the direction in which they are moved (Andersen, "Program analysis and
specialization for the C programming language", 1994), by object and byte offset. Objects are the *user's* memory (what
arguments lead to), *kept* memory (what a variable led to before the call), memory that *anybody* may have put there
(other code than the derivative's set the pointer, or nothing is known), variables, and what each instruction allocates.

A load gives *own* pointers if they may be to kept memory, and are never to the user's, and no kept memory is seen by
the user: then what has no shadow was allocated by an earlier call, and kept.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import FloatType, IntType, PointerType, Type
from enzyme_build.ir.values import Constant, ConstantExpression, ConstantInt, GlobalAlias, GlobalVariable, Value
from enzyme_build.rules.inactive import compares
from enzyme_build.rules.inactive_rows import Inactive
from enzyme_build.rules.memory import Allocation
from enzyme_build.rules.mirrored import Mirrored

from .annotations import annotations_of
from .known import call_effects
from .offsets import element_offset
from .outside import gets_from_outside, hands_on_results, is_used_outside, reached
from .strings import is_text, other_side, string_arguments

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from enzyme_build.ir.module import Module

    from .callgraph import CallGraph
    from .contents import Content
    from .memory import Memory
    from .regions import Place


class Whose(Enum):
    """Memory that nothing in the derivative allocates."""

    USER = "the user's"
    KEPT = "kept"
    ANYBODY = "anybody's"


Object: TypeAlias = "Whose | GlobalVariable | ir.Instruction"
Pointer: TypeAlias = "tuple[Object, int | None]"
"""An object and the offset in it; None: any."""


class _Known(set["Pointer"]):
    """Pointers that are known so far; `version` counts the changes."""

    __slots__ = ("version",)

    def __init__(self) -> None:
        super().__init__()
        self.version = 0


_Context: TypeAlias = "tuple[list[Function], set[Function], tuple[dict[Value, _Known], dict[Function, _Known]]]"
"""Functions, those of them that code calls which is not seen, and what is known of values and results."""

_MOST_OFFSETS: Final = 8
_WORD: Final = 8
_BITS: Final = 64
_MOST_CELLS: Final = 32
"""Of one object; more are all in one."""
_MOST_ROUNDS: Final = 60
_FOREIGN: Final = frozenset((Whose.USER, Whose.ANYBODY))
_NOTHING: Final[frozenset[Pointer]] = frozenset()


class Provenance:
    """The origins of all pointers in functions that `roots` reach."""

    def __init__(
        self, module: Module, graph: CallGraph, models: Mapping[Function, Memory], roots: Collection[Function]
    ) -> None:
        self.module = module
        self.models = models
        self.pointers: dict[Value, _Known] = {}
        """In the derivative; what other code calls is looked at apart."""
        self.cells: dict[Object, dict[int | None, _Known]] = {}
        self.escaped: set[Object] = set()
        self._called = {*roots}
        self._returned: dict[Function, _Known] = {}
        self._joined: dict[tuple[int, int], tuple[int, int]] = {}
        """Versions of two sets of which the one has had all of the other."""
        self._sizes: dict[Object, float] = {}
        self._foreign: dict[GlobalVariable, bool] = {}
        self._handing: dict[Function, bool] = {}
        self._roots = roots
        self._seen = reached(graph, roots)
        told = annotations_of(module)
        self._told = {*told.shadows, *told.inactive_globals}
        self._ruled = told.rules
        functions = [function for function in models if function.name in self._seen]
        others = {f for f in functions if f not in roots and is_used_outside(module, f, self._seen)}
        self._solve([(functions, {*roots}, (self.pointers, {})), (self._used_by(graph, others), others, ({}, {}))])
        kept = self._led_to({Whose.KEPT, *(o for o in self.cells if isinstance(o, GlobalVariable))}) - _FOREIGN
        seen_by_users = self._led_to({*self.escaped})
        self.hidden = not any(o in kept or (isinstance(o, GlobalVariable) and not o.is_constant) for o in seen_by_users)
        self.users = seen_by_users

    def _used_by(self, graph: CallGraph, entries: Collection[Function]) -> list[Function]:
        names = reached(graph, entries)
        return [function for function in self.models if function.name in names]

    def _solve(self, contexts: list[_Context]) -> None:
        """To a fixed point. Memory is one for all contexts."""
        self.changed = True
        for _ in range(_MOST_ROUNDS):
            if not self.changed:
                break
            self.changed = False
            for functions, self._entries, (self.pointers, self._returned) in contexts:
                for function in self._entries:
                    for argument in function.arguments:
                        self._add(argument, [(Whose.USER, None)])
                for function in functions:
                    for i in function.instructions():
                        self._visit(function, i)
            self._close()
        self.settled = not self.changed
        self.pointers = contexts[0][2][0]

    # Answers -------------------------------------------------------------------------------------------------------

    def own(self, i: ir.Load) -> bool:
        """Can what this reads be without shadow only where it was kept, and is it never the user's?"""
        found = {o for o, _ in self.pointers.get(i, ())}
        return self.settled and self.hidden and Whose.KEPT in found and found.isdisjoint(_FOREIGN)

    def owns_allocation(self, i: ir.Instruction) -> bool:
        """Can nobody but the derivative call ask for the shadow of what is allocated here?"""
        return self.settled and self.hidden and i not in self.users

    def owns_freed(self, pointer: Value) -> bool:
        """Is this never memory of the user's?"""
        found = {o for o, _ in self._of(pointer)}
        return self.settled and self.hidden and bool(found) and found.isdisjoint(_FOREIGN | self.users)

    def frees_users(self, names: Collection[str]) -> bool:
        """May one of these functions free memory of the user's?"""
        functions = (function for function in self.models if function in self._called and function.name in names)
        freed = (pointer for f in functions for i in f.instructions() for pointer in freed_by(self.module, i))
        return not self.settled or any(self._may_be_users(pointer) for pointer in freed)

    def _may_be_users(self, pointer: Value) -> bool:
        found = {o for o, _ in self._of(pointer)}
        return not found.isdisjoint(_FOREIGN) or not (found or isinstance(pointer, Constant))

    # Sets ----------------------------------------------------------------------------------------------------------

    def _of(self, value: Value) -> Collection[Pointer]:
        if isinstance(value, Constant):
            return self._of_constant(value)
        return self.pointers.get(value, _NOTHING)

    def _of_constant(self, value: Value) -> Collection[Pointer]:
        if isinstance(value, GlobalVariable):
            return ((value, 0),)
        if isinstance(value, GlobalAlias):
            return self._of_constant(value.aliasee) if value.aliasee is not None else ((Whose.ANYBODY, None),)
        operands: tuple[Value, ...] = tuple(getattr(value, "operands", ()))
        if isinstance(value, ConstantExpression) and value.op == "getelementptr":
            offset = element_offset(self.module.layout, value)
            return _moved(self._of(operands[0]), None if offset.terms else offset.constant)
        return {(o, None) for operand in operands for o, _ in self._of(operand)}

    def _add(self, value: Value, new: Iterable[Pointer]) -> None:
        if _carries(value.type):
            self._join(self.pointers.setdefault(value, _Known()), new)

    def _join(self, known: _Known, new: Iterable[Pointer]) -> None:
        if not isinstance(new, _Known):
            fresh = new - known if isinstance(new, (set, frozenset)) else new
            self._take(known, [p for p in fresh if p not in known and (p[0], None) not in known])
            return
        # Mostly nothing has happened since both met last.
        pair = id(known), id(new)
        if self._joined.get(pair) != (known.version, new.version):
            self._take(known, [p for p in new - known if (p[0], None) not in known])
            self._joined[pair] = known.version, new.version

    def _take(self, known: _Known, fresh: Collection[Pointer]) -> None:
        """Many offsets in one object are any."""
        if not fresh:
            return
        known.update(fresh)
        known.version += 1
        self.changed = True
        for object_ in {o for o, _ in fresh}:
            offsets = [p for p in known if p[0] is object_]
            if len(offsets) > 1 and (len(offsets) > _MOST_OFFSETS or (object_, None) in known):
                known.difference_update(offsets)
                known.add((object_, None))

    def _store(self, value: Collection[Pointer], to: Iterable[Pointer], size: int = _WORD) -> None:
        if not value:
            return
        for object_, offset in [*to]:
            if object_ is Whose.USER and not self.escaped.issuperset(o for o, _ in value):
                self.escaped.update(o for o, _ in value)
                self.changed = True
            cells = self.cells.setdefault(object_, {})
            for at in (None,) if offset is None else range(offset, offset + size, _WORD):
                if at is None or at in cells or -_WORD < at < self._size(object_):
                    cell = at if at in cells or len(cells) < _MOST_CELLS else None
                    self._join(cells.setdefault(cell, _Known()), value)

    def _size(self, object_: Object) -> float:
        """Bytes, as far as they are certain. (A struct that has copies of itself as parts would never end.)"""
        known = self._sizes.get(object_)
        if known is None:
            known = self._sizes[object_] = _size_of(self.module, object_)
        return known

    def _load(self, pointers: Iterable[Pointer], size: int = _WORD) -> set[Pointer]:
        found: set[Pointer] = set()
        for object_, offset in pointers:
            cells = self.cells.get(object_, {})
            for at, content in cells.items():
                if at is None or offset is None or offset - _WORD < at < offset + size:
                    found |= content
            found.update(self._from_before(object_))
        return found

    def _from_before(self, object_: Object) -> Collection[Pointer]:
        """Pointers that were in an object before the call."""
        if isinstance(object_, Whose):
            return ((object_, None),)
        if not isinstance(object_, GlobalVariable) or object_.is_constant:
            return _NOTHING
        return ((Whose.ANYBODY if self._is_foreign(object_) else Whose.KEPT, None),)

    def _is_foreign(self, variable: GlobalVariable) -> bool:
        known = self._foreign.get(variable)
        if known is None:
            told = variable.name in self._told
            known = self._foreign[variable] = told or gets_from_outside(self.module, variable, self._seen)
        return known

    def _hands_on(self, function: Function) -> bool:
        """May its results go anywhere when code that is not seen calls it?"""
        known = self._handing.get(function)
        if known is None:
            is_root = function in self._roots
            known = self._handing[function] = is_root or hands_on_results(self.module, function, self._seen)
        return known

    def _close(self) -> None:
        """Kept memory was allocated in earlier calls, by the same instructions, and has what these put there."""
        variables = {o for o in self.cells if isinstance(o, GlobalVariable)}
        for object_ in self._led_to({Whose.KEPT, *variables}) - variables - {Whose.KEPT, *_FOREIGN}:
            for content in [*self.cells.get(object_, {}).values()]:
                self._store(content, [(Whose.KEPT, None)])

    def _led_to(self, objects: set[Object]) -> set[Object]:
        found: set[Object] = set()
        pending = [*objects]
        while pending:
            object_ = pending.pop()
            if object_ not in found:
                found.add(object_)
                pending += [o for content in self.cells.get(object_, {}).values() for o, _ in content]
        return found

    # Instructions --------------------------------------------------------------------------------------------------

    def _visit(self, function: Function, i: ir.Instruction) -> None:
        match i:
            case ir.Alloca():
                self._add(i, [(i, 0)])
            case ir.GetElementPtr():
                offset = element_offset(self.module.layout, i)
                self._add(i, _moved(self._of(i.operands[0]), None if offset.terms else offset.constant))
            case ir.Load() if is_text(i):
                self._add(i, ((Whose.ANYBODY, None),))  # the bits of a pointer, if somebody wrote such as text
            case ir.Store() if is_text(i):
                pass
            case ir.Load():
                if self._may_be_pointer(i):
                    self._add(i, self._load(self._of(i.pointer), self.module.layout.store_size(i.type)))
            case ir.Store():
                if _carries(i.value.type):
                    size = self.module.layout.store_size(i.value.type)
                    self._store(self._of(i.value), self._of(i.pointer), size)
            case ir.AtomicRMW() | ir.CompareExchange():
                to = self._of(i.operands[0])
                self._store(self._of(i.operands[-1]), to)
                self._add(i, self._load(to))
            case ir.Return():
                returned = self._returned.setdefault(function, _Known())
                self._join(returned, [p for value in i.operands for p in self._of(value)])
                if function in self._entries and returned and self._hands_on(function):
                    self._store([*returned], [(Whose.USER, None)])
            case ir.CallBase():
                self._call(i)
            case ir.Compare():
                pass
            case ir.Phi() | ir.Select() | ir.Freeze() | ir.Cast():
                self._add(i, [p for value in i.operands for p in self._of(value)])
            case ir.Binary() if i.op == "sub" and all(map(self._of, i.operands)):
                pass  # a distance
            case ir.VAArg():
                self._add(i, [(Whose.ANYBODY, None), *self._load([(o, None) for o, _ in self._of(i.operands[0])])])
            case _:
                self._add(i, _anywhere(p for value in i.operands for p in self._of(value)))

    def _may_be_pointer(self, i: ir.Load) -> bool:
        """An integer in memory where nothing says that it is an address is none."""
        if not isinstance(i.type, IntType):
            return True
        content = self._model(i).contents.get((i, ()))
        return content is None or content.target is not None or content.keeps_addresses

    def _model(self, i: ir.Instruction) -> Memory:
        assert i.block.function is not None
        return self.models[i.block.function]

    def _call(self, i: ir.CallBase) -> None:
        callee = i.callee
        given = _anywhere(p for a in i.arguments for p in self._of(a))
        if isinstance(callee, Function) and callee.name in self._ruled:
            self._store(given, [(Whose.USER, None)])  # users see its shadows
        if isinstance(callee, Function) and callee.name in self._seen:
            body = self.module.function(callee.name)
            self._called.add(body)
            for formal, actual in zip(body.arguments, i.arguments, strict=False):
                self._add(formal, self._of(actual))
            if len(i.arguments) > len(body.arguments):
                self._give_all(i, given)
            self._add(i, self._returned.get(body, ()))
            return
        known = call_effects(self.module, i)
        if known is None:
            self._give_all(i, given)
        elif isinstance(known.known, Allocation):
            old = known.known.reallocated
            before = [] if old is None else [*self._of(i.arguments[old])]
            self._copy(before, [(i, 0)])
            self._add(i, [(i, 0), *before])
            if known.known.stored is not None:
                self._store([(i, 0)], self._of(i.arguments[known.known.stored]))
        elif known.copies is not None:
            to, source, length = (i.arguments[n] for n in known.copies)
            if is_text(i):
                if other_side(i) == 0:
                    self._store(((Whose.ANYBODY, None),), _anywhere(self._of(to)))
            elif not _only_numbers(self._model(i).place(source)):
                self._copy(self._of(source), self._of(to), length.value if isinstance(length, ConstantInt) else None)
            self._add(i, _anywhere(self._of(to)))
        elif isinstance(known.known, Mirrored):
            self._mirrored(i, known.known)
        elif isinstance(known.known, Inactive) and known.known.strings:
            self._change_strings(i, fresh=known.known.fresh)
        elif isinstance(known.known, Inactive):
            if known.writes and not compares(known.known):
                # What the library makes itself, as text, is nobody's numbers.
                self._store(given, _anywhere(self._of_all(i, known.writes)))
            if isinstance(i.type, PointerType):
                self._add(i, [*given, (Whose.ANYBODY, None)])
        else:
            self._add(i, given)

    def _change_strings(self, i: ir.CallBase, *, fresh: bool) -> None:
        """Strings lead to new characters, to those inside themselves, or to those of each other, and what is returned
        leads to any of these or is a string."""
        strings = [] if fresh else _anywhere(self._of_all(i, string_arguments(i)))
        characters = {(i, None), *strings, *self._load(strings)}
        self._store(characters, strings)
        self._add(i, characters)

    def _of_all(self, i: ir.CallBase, numbers: Iterable[int]) -> list[Pointer]:
        return [p for number in numbers for p in self._of(i.arguments[number])]

    def _give_all(self, i: ir.CallBase, given: Collection[Pointer]) -> None:
        """Code that is not seen may put anything anywhere that it is led to."""
        led = self._led_to({o for o, _ in given})
        if not led <= self.escaped:
            self.escaped |= led  # it may hand them to the user
            self.changed = True
        all_ = {(o, None) for o in led} | {(Whose.ANYBODY, None)}
        self._store(all_, all_)
        self._add(i, all_)

    def _mirrored(self, i: ir.CallBase, known: Mirrored) -> None:
        first = [*self._of(i.arguments[0])] if i.arguments else []
        if not known.nodes:
            self._add(i, first)
            return
        nodes = _anywhere(self._of_all(i, {*known.nodes, *known.writes}))
        linked: set[Pointer] = {(o, None) for o in self._led_to({o for o, _ in nodes})}
        linked |= _anywhere(self._load(linked))
        if known.writes:
            self._store(linked, linked)
        self._add(i, linked)

    def _copy(self, source: Iterable[Pointer], to: Iterable[Pointer], length: int | None = None) -> None:
        to = [*to]
        anywhere: set[Pointer] = set()
        moved: dict[int, set[Pointer]] = {}
        for object_, offset in source:
            anywhere.update(self._from_before(object_))
            for at, found in self.cells.get(object_, {}).items():
                if at is None or offset is None:
                    anywhere |= found
                elif at >= offset and (length is None or at < offset + length):
                    moved.setdefault(at - offset, set()).update(found)
        # Each object that is copied to gets all at once: there may be hundreds of either.
        self._store(anywhere, _anywhere(to))
        for by, content in moved.items():
            self._store(content, _moved(to, by))


def _size_of(module: Module, object_: Object) -> float:
    if isinstance(object_, GlobalVariable):
        elsewhere = object_.initializer is None or object_.linkage == "common"  # which may be larger there
        return math.inf if elsewhere else module.layout.alloc_size(object_.value_type)
    counts: list[Value] = []
    each = 1
    if isinstance(object_, ir.Alloca):
        each, counts = module.layout.alloc_size(object_.allocated_type), object_.operands
    elif isinstance(object_, ir.CallBase):
        known = call_effects(module, object_)
        if known is None or not isinstance(known.known, Allocation):
            return math.inf
        counts = [object_.arguments[n] for n in known.known.sizes]
    else:
        return math.inf
    return each * math.prod(c.value if isinstance(c, ConstantInt) and c.value >= 0 else math.inf for c in counts)


def _only_numbers(place: Place | None) -> bool:
    """Is this an array of numbers, as all accesses and callers say?"""
    if place is None:
        return False
    region = place.resolved().region
    claims = {claim for content in region.contents() for claim in content.claims}
    arrays = (content.float_type for (_, stride), content in region.strided.items() if stride * 8 == _size(content))
    return len(claims) == 1 and all(isinstance(c, FloatType) for c in claims) and any(t is not None for t in arrays)


def _size(content: Content) -> int:
    return content.float_type.bits if isinstance(content.float_type, FloatType) else 0


def freed_by(module: Module, i: ir.Instruction) -> list[Value]:
    """The pointers that a call gives back."""
    known = call_effects(module, i) if isinstance(i, ir.CallBase) else None
    if known is None or not isinstance(i, ir.CallBase):
        return []
    numbers = [*known.frees, *([] if known.resizes is None else [known.resizes])]
    return [i.arguments[number] for number in numbers]


def _carries(type_: Type) -> bool:
    """Can a pointer be in a value of this type?"""
    if isinstance(type_, PointerType):
        return True
    scalar = type_.scalar
    if isinstance(scalar, IntType):
        return scalar.bits >= _BITS or scalar.bits == _WORD
    return not isinstance(scalar, FloatType)


def _moved(pointers: Iterable[Pointer], by: int | None) -> list[Pointer]:
    return [(o, None if at is None or by is None or isinstance(o, Whose) else at + by) for o, at in pointers]


def _anywhere(pointers: Iterable[Pointer]) -> set[Pointer]:
    return {(o, None) for o, _ in pointers}
