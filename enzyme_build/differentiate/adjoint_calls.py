"""The adjoint of calls: known functions by their tables, copies and fills of memory, allocations, and callees with a
reverse pass of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.needed import OPERAND_NAMES, Item, ItemKind
from enzyme_build.ir.types import I1, I8, I32, I64, PTR, VOID, Type, VectorType, function_type
from enzyme_build.ir.values import Constant, Value, const_int, poison, zero
from enzyme_build.rules import expr as e
from enzyme_build.rules.memory import Allocation
from enzyme_build.rules.multiple import Member, Returned, Stored
from enzyme_build.rules.registry import MultipleFunction, ScalarFunction

from .adjoint import apply_partials, clear_fresh
from .allocations import freed_shadow
from .askew import stop_at_askew
from .calls import CallKind
from .foreign_bytes import (
    end_shared,
    every_element,
    moves_words,
    return_adjoints,
    stop_at_adjoints,
    stop_at_numbers,
)
from .formula import Formula
from .forward import times
from .inner_checks import checked_adjoints
from .moved_parts import stop_at_parts
from .noted import note
from .packed import from_signature, to_signature
from .parts_of_pointers import holds_pointers, is_own
from .runtime import runtime_function
from .signature import Role
from .union_members import stop_at_other_precision

if TYPE_CHECKING:
    from enzyme_build.analysis.fields import Fields
    from enzyme_build.analysis.known import CallEffects
    from enzyme_build.ir import instructions as ir

    from .engine import Derived
    from .replay import ReplaySweep
    from .reverse import ReverseSweep

_WORD = 8


def visit_call(sweep: ReverseSweep, i: ir.CallBase) -> None:
    """Emit the adjoint of a call."""
    kind, effects = sweep.prepared.kinds[i]
    match kind:
        case CallKind.MATH if sweep.activity.is_active(i):
            assert effects is not None
            assert isinstance(effects.known, ScalarFunction)
            partials = sweep.context.twins.partials(i, effects.known, before=False)
            for _ in sweep.lanes.each():
                apply_partials(sweep, i, partials, i.arguments, i.flags)
        case CallKind.MULTIPLE:
            again = Again(sweep, i)
            for _ in sweep.lanes.each():
                _multiple(sweep, i, effects, again)
        case CallKind.TRANSFER:
            for _ in sweep.lanes.each():
                _transfer(sweep, i, effects)
        case CallKind.ALLOCATION:
            _allocation(sweep, i, effects)
        case CallKind.DERIVE:
            _derived(sweep, i)
        case CallKind.JOINT:
            _joint(sweep, i)
        case CallKind.PLAIN:
            checked_adjoints(sweep, i)
        case _:
            pass


def _multiple(sweep: ReverseSweep, i: ir.CallBase, effects: CallEffects | None, again: Again) -> None:
    """Collect the adjoints of all results, then spread them over the operands; results are computed again."""
    assert effects is not None
    assert isinstance(effects.known, MultipleFunction)
    rule, type_ = effects.known.rule, effects.known.type
    whole = sweep.take(i) if sweep.activity.is_active(i) else None
    bars = [None if result.integer else _result_bar(sweep, i, result.place, type_, whole) for result in rule.results]
    operands = [i.arguments[at] for at in rule.operands]

    def operand(name: str) -> Value:
        if name in "rs":
            return again.result("rs".index(name))
        return sweep.recall.value(operands[OPERAND_NAMES.index(name)])

    formula = Formula(sweep.module, sweep.b, type_, operand)
    guarded = i in sweep.context.guarded
    for result, bar in zip(rule.results, bars, strict=True):
        if bar is None:
            continue
        for value, partial in zip(operands, result.partials, strict=False):
            if sweep.activity.is_active(value) and not e.is_zero(partial):
                sweep.add_to(value, times(formula, partial, bar, strong_zero=sweep.strong_zero, guarded=guarded))


def _result_bar(sweep: ReverseSweep, i: ir.CallBase, place: object, type_: Type, whole: Value | None) -> Value | None:
    match place:
        case Returned():
            return whole
        case Member() if whole is not None:
            if isinstance(whole.type, VectorType):
                return sweep.b.extract_element(whole, const_int(I64, place.index))
            return sweep.b.extract_value(whole, (place.index,))
        case Stored():
            pointer = i.arguments[place.argument]
            if not sweep.activity.memory_active(pointer):
                return None
            address = sweep.writable(pointer)
            note(sweep.engine, sweep.context, sweep.b, i, pointer, (type_, address))
            bar = sweep.b.load(type_, address)
            sweep.b.store(zero(type_), address)
            return bar
        case _:
            return None


class Again:
    """The call once more, into scratch memory, for the results that its partials read."""

    def __init__(self, sweep: ReverseSweep | ReplaySweep, call: ir.CallBase) -> None:
        self.sweep = sweep
        self.call = call
        _, effects = sweep.prepared.kinds[call]
        assert effects is not None
        assert isinstance(effects.known, MultipleFunction)
        self.type = effects.known.type
        self._result: Value | None = None
        self._scratch: dict[int, Value] = {}

    def result(self, number: int) -> Value:
        sweep, (_, effects) = self.sweep, self.sweep.prepared.kinds[self.call]
        assert effects is not None
        assert isinstance(effects.known, MultipleFunction)
        if self._result is None:
            arguments = []
            for at, argument in enumerate(self.call.arguments):
                if at in effects.writes:
                    self._scratch[at] = sweep.frame.variable(("scratch", self.call, at), self.type, name="scratch")
                    arguments.append(self._scratch[at])
                else:
                    arguments.append(sweep.recall.value(argument))
            self._result = sweep.b.call(self.call.callee, arguments, function_type=self.call.function_type)
        result = effects.known.rule.results[number]
        match result.place:
            case Returned():
                return self._result
            case Member():
                if isinstance(self.call.type, VectorType):
                    return sweep.b.extract_element(self._result, const_int(I64, result.place.index))
                return sweep.b.extract_value(self._result, (result.place.index,))
            case Stored():
                return sweep.b.load(I32 if result.integer else self.type, self._scratch[result.place.argument])


def _transfer(sweep: ReverseSweep, i: ir.CallBase, effects: CallEffects | None) -> None:
    assert effects is not None
    known = effects.known
    destination = i.arguments[known.destination]  # type: ignore[union-attr]
    if not sweep.activity.memory_active(destination):
        return
    length = i.arguments[known.length]  # type: ignore[union-attr]
    pointers = [destination]
    if effects.copies is not None:
        pointers.append(i.arguments[effects.copies[1]])
    transfers = sweep.forward.transfers
    copied = effects.copies is not None and sweep.activity.memory_active(pointers[1])
    found = transfers.fields_of(i, pointers, length, overwritten=not copied, checked=copied)
    foreign = found.doubtful if not copied or moves_words(sweep.engine, sweep.context) else ()
    size = sweep.recall.value(length)
    if found.shared and copied:
        stop_at_numbers(sweep, i, sweep.recall.shadow(destination), found, size)
    elif found.shared:
        target = sweep.recall.shadow(destination)
        end_shared(sweep, i, target, found, size, _where(sweep, destination))
    if not found.has_numbers and not found.doubtful:
        return
    every = every_element(sweep.b, found, size)
    if not foreign:
        stop_at_adjoints(sweep, i, destination, found.doubtful, every)
    if not found.has_numbers and not foreign:
        return
    target = sweep.recall.shadow(destination)
    where = _where(sweep, destination)
    if not copied:
        stop_at_askew(sweep.context, sweep.b, i, found, target, size, where)
        transfers.clear_numbers(sweep.b, found, target, size, where)
        return
    source = sweep.recall.shadow(pointers[1])
    kept = _where(sweep, pointers[1])
    keep = kept or const_int(I1, 1)
    for pointer, shadow, shadowed in zip(pointers, (target, source), (where, kept), strict=True):
        if holds_pointers(sweep.context.memory, pointer):
            own = is_own(sweep.context.memory, pointer)
            transfers.forget_pointers(sweep.b, found, shadow, size, shadowed, own=own)
    stop_at_other_precision(sweep, i, found, target, where)
    cuts = transfers.cuts(sweep.b, found, target, source, size, where)
    if cuts is not None:
        stop_at_parts(sweep.context, sweep.b, i, cuts)
    stop_at_askew(sweep.context, sweep.b, i, found, target, size, where)
    taken: Value | None = None
    reserved: Value | None = None
    if known.overlapping and not found.noted:  # type: ignore[union-attr]
        # memmove: take all adjoints out of the destination before adding any to the source.
        wide = sweep.b.wide(size)
        room = sweep.b.add(wide, const_int(I64, _WORD))
        taken = reserved = sweep.b.call(runtime_function(sweep.module, "reserve"), [zero(PTR), room])
        if found.anywhere or foreign:  # as far from a multiple of eight
            start = sweep.b.cast("ptrtoint", target, I64)
            taken = sweep.b.gep(I8, reserved, [sweep.b.binary("and", start, const_int(I64, _WORD - 1))])
        transfers.copy(taken, target, size, sweep.b)
        transfers.clear_numbers(sweep.b, found, target, size, where)
    transfers.return_adjoints(sweep.b, i, found, taken or target, source, size, keep, where)
    return_adjoints(sweep, i, (taken or target, source), foreign, length, every, keep, where)
    if reserved is not None:
        free = sweep.module.declare("free", function_type(VOID, (PTR,)))
        sweep.b.call(free, [reserved])


def _where(sweep: ReverseSweep, pointer: Value) -> Value | None:
    """Whether this memory has a shadow, where only the run shows."""
    return (
        sweep.forward.transfers.differs(sweep.b, pointer, sweep.recall.shadow(pointer), sweep.recall.value(pointer))
        if sweep.activity.is_uncertain(pointer)
        else None
    )


def _allocation(sweep: ReverseSweep, i: ir.CallBase, effects: CallEffects | None) -> None:
    assert effects is not None
    known = effects.known
    assert isinstance(known, Allocation)
    if effects.resizes is not None:
        if sweep.activity.memory_active(i):
            for _ in sweep.lanes.each():
                _reallocation(sweep, i, effects.resizes)
        return
    if sweep.prepared.cleared(i):
        for _ in sweep.lanes.each():
            clear_fresh(sweep, i, [i.arguments[at] for at in known.sizes])
    if i not in sweep.prepared.heap.matched:
        return
    memory = [sweep.recall.value(i)]
    if sweep.activity.has_shadow(i) and not sweep.forward.kept.owns(i):
        memory += [sweep.recall.shadow(i) for _ in sweep.lanes.each()]
    for number, pointer in enumerate(memory):
        arguments = [pointer if at < 0 else sweep.recall.value(i.arguments[at]) for at in known.freed_with]
        if number > 0 and known.freed_with[0] < 0:
            arguments = freed_shadow(sweep.b, arguments, 0)
        if known.alignment is not None and "align_val_t" in known.deallocator:
            arguments.append(sweep.recall.value(i.arguments[known.alignment]))
        types = tuple(a.type for a in arguments)
        free = sweep.module.declare(known.deallocator, function_type(VOID, types))
        result = free.function_type.result
        sweep.b.call(free, arguments, function_type=function_type(result, types))


def _reallocation(sweep: ReverseSweep, i: ir.CallBase, at: int) -> None:
    """The moved part's adjoints go back to the old memory."""
    old = i.arguments[at]
    if isinstance(old, Constant):
        return
    moved = sweep.recall.item(Item(ItemKind.TAPE, i))
    for part in sweep.forward.transfers.parts(sweep.b, i, [i, old], moved):
        _moved_back(sweep, i, old, part)


def _moved_back(sweep: ReverseSweep, i: ir.CallBase, old: Value, part: tuple[Fields, int, Value]) -> None:
    found, start, length = part
    target, source = (sweep.b.ptradd(sweep.recall.shadow(pointer), start) for pointer in (i, old))
    keep = _where(sweep, old) or const_int(I1, 1)
    stop_at_numbers(sweep, i, target, found, length)
    stop_at_askew(sweep.context, sweep.b, i, found, target, length, None)
    for pointer, shadow, shadowed in ((i, target, None), (old, source, _where(sweep, old))):
        if holds_pointers(sweep.context.memory, pointer):
            own = is_own(sweep.context.memory, pointer)
            sweep.forward.transfers.forget_pointers(sweep.b, found, shadow, length, shadowed, own=own)
    sweep.forward.transfers.return_adjoints(sweep.b, i, found, target, source, length, keep)
    every = every_element(sweep.b, found, length)
    if moves_words(sweep.engine, sweep.context):
        return_adjoints(sweep, i, (target, source), found.doubtful, length, every, keep, None)
    else:
        stop_at_adjoints(sweep, i, i, found.doubtful, every)


def _derived(sweep: ReverseSweep, i: ir.CallBase) -> None:
    split = sweep.prepared.derived.get(i)
    if split is None:
        return
    arguments: list[Value] = []
    for part, used in zip(sweep.lanes.of(split.reverse.signature.parameters), split.used, strict=True):
        match part.role:
            case Role.SEED:
                arguments.append(to_signature(sweep.b, sweep.take(i), part.type))
            case _ if not used:
                arguments.append(poison(part.type))
            case Role.PRIMAL:
                arguments.append(sweep.recall.value(i.arguments[part.index]))
            case Role.SHADOW:
                arguments.append(sweep.recall.shadow(i.arguments[part.index]))
            case Role.TAPE:
                arguments.append(sweep.recall.item(Item(ItemKind.TAPE, i)))
            case _:
                raise AssertionError(part)
    _take_adjoints(sweep, i, split.reverse, arguments)


def _joint(sweep: ReverseSweep, i: ir.CallBase) -> None:
    """The whole derivative, which runs the callee forwards again."""
    derived = sweep.prepared.joint[i]
    arguments: list[Value] = []
    for part in sweep.lanes.of(derived.signature.parameters):
        match part.role:
            case Role.SEED:
                arguments.append(to_signature(sweep.b, sweep.take(i), part.type))
            case Role.SHADOW:
                arguments.append(sweep.recall.shadow(i.arguments[part.index]))
            case _ if sweep.prepared.is_passed(i, part.index):
                arguments.append(zero(part.type))
            case _:
                arguments.append(sweep.recall.value(i.arguments[part.index]))
    _take_adjoints(sweep, i, derived, arguments)


def _take_adjoints(sweep: ReverseSweep, i: ir.CallBase, derived: Derived, arguments: list[Value]) -> None:
    signature = derived.signature
    result = sweep.b.call(derived.function, arguments)
    for part in sweep.lanes.of(signature.results):
        adjoint = signature.extract(sweep.b, result, part.role, part.index, part.lane)
        if adjoint is not None:
            actual = i.arguments[part.index]
            sweep.add_to(actual, from_signature(sweep.b, adjoint, sweep.adjoint_type(actual)))
