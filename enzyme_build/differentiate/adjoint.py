"""The adjoint of each instruction: what its result's adjoint adds to those of its operands.

x̄ₖ += ∂r/∂xₖ · r̄. A load adds to the shadow memory; a store takes over what the shadow memory holds and clears it,
since the value before the store has no influence. Each function here handles one family; calls are in
`adjoint_calls`.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import member_leaves, scalar_leaves
from enzyme_build.errors import InternalError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.parts import mask_lanes
from enzyme_build.ir.types import I64, IntType, Type, VectorType
from enzyme_build.ir.values import ConstantInt, Value, const_int, zero
from enzyme_build.rules import expr as e

from .askew import note_askew
from .atomic_sums import adjoint as adjoint_of_sum
from .atomic_sums import may_count
from .calls import unsupported_number
from .foreign_bytes import (
    end_word,
    forget_pointers,
    load_word,
    mark_ended,
    stop_at_moved_number,
    store_word,
    taken_words,
)
from .formula import Formula
from .forward import times
from .memory_scopes import joined
from .metadata import shadow_alignment, shadow_metadata, shadow_scopes
from .moved_parts import stop_at_adjoint, stop_at_parts
from .noted import end_noted, ends_others, note
from .numbers import add, add_adjoints, neutral
from .packed import move_adjoint, number_at, packed_numbers, with_number
from .sliding import contribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.analysis.needed import Partials

    from .reverse import ReverseSweep


def visit(sweep: ReverseSweep, i: ir.Instruction) -> None:
    """Emit the adjoint of an instruction that is no call, phi or terminator."""
    match i:
        case ir.Store():
            if sweep.activity.memory_active(i.pointer):
                _store(sweep, i)
        case ir.AtomicRMW() if i.type.is_float and sweep.activity.memory_active(i.operands[0]):
            adjoint_of_sum(sweep, i)
        case ir.AtomicRMW() | ir.CompareExchange() if sweep.activity.memory_active(i.operands[0]):
            if may_count(sweep.context, i):
                stop_at_adjoint(sweep, i, i.operands[0], i.operands[1].type)
        case ir.Alloca() if sweep.prepared.cleared(i):
            each = sweep.context.layout.alloc_size(i.allocated_type)
            clear_fresh(sweep, i, [*i.operands, const_int(I64, each)])
        case ir.Load() if sweep.activity.is_active(i):
            _load(sweep, i)
        case _ if sweep.activity.is_active(i):
            _value(sweep, i)
        case _:
            pass


def clear_fresh(sweep: ReverseSweep, memory: ir.Instruction, factors: Sequence[Value]) -> None:
    """The adjoint of what fresh memory holds at first is nobody's: zero it for another run of the reverse pass."""
    size: Value = const_int(I64, 1)
    for factor in factors:
        value = sweep.b.wide(sweep.recall.value(factor))
        size = value if isinstance(size, ConstantInt) and size.value == 1 else sweep.b.mul(size, value)
    transfers = sweep.forward.transfers
    transfers.clear_numbers(sweep.b, transfers.fields_of(memory, [memory], size), sweep.recall.shadow(memory), size)


def _value(sweep: ReverseSweep, i: ir.Instruction) -> None:
    match i:
        case ir.Binary() | ir.Cast(op="trunc" | "zext" | "sext") if isinstance(i.type, IntType):
            move_adjoint(sweep, i)
        case ir.Binary() | ir.Negate():
            partials = sweep.prepared.partials(i)
            if partials is None:
                raise unsupported_number(sweep.context.location(i), i)
            apply_partials(sweep, i, partials, i.operands, i.flags)
        case ir.Cast():
            _cast(sweep, i)
        case ir.Select():
            _select(sweep, i)
        case ir.Freeze():
            sweep.add_to(i.operands[0], sweep.take(i))
        case ir.ExtractValue():
            _extract_value(sweep, i)
        case ir.InsertValue():
            bar = sweep.take(i)
            share = sweep.b.extract_value(bar, i.indices)
            if i.operands[1] in sweep.activity.watched:
                bits = sweep.b.cast("bitcast", share, i.operands[1].type) if share.type.is_float_like else share
                stop_at_parts(sweep.context, sweep.b, i, bits)
            else:
                _check_member(sweep, i.operands[1], share)
                sweep.add_to(i.operands[1], share)
            sweep.add_to(i.operands[0], sweep.b.insert_value(bar, neutral(share.type), i.indices))
        case ir.ExtractElement() | ir.InsertElement() | ir.ShuffleVector():
            _vector(sweep, i)
        case _:
            raise unsupported_number(sweep.context.location(i), i)


def _check_member(sweep: ReverseSweep, member: Value, share: Value) -> None:
    """A word that may be a number, among the members of a struct, has an adjoint of no type."""
    active = isinstance(member.type, IntType) and sweep.activity.is_active(member)
    if active and sweep.adjoint_type(member) is not share.type:
        raise packed_numbers(sweep.context.memory)


def apply_partials(
    sweep: ReverseSweep, i: Value, partials: Partials, operands: Sequence[Value], flags: str = ""
) -> None:
    """Add partial · r̄ to the adjoints of the active operands."""
    bar = sweep.take(i)

    def operand(name: str) -> Value:
        return sweep.recall.value(partials.named(name, i, operands))

    formula = Formula(sweep.module, sweep.b, bar.type, operand, flags)
    guarded = i in sweep.context.guarded
    for value, partial in zip(operands, partials.formulas, strict=False):
        if sweep.activity.is_active(value) and not e.is_zero(partial):
            sweep.add_to(value, times(formula, partial, bar, strong_zero=sweep.strong_zero, guarded=guarded), flags)


def _cast(sweep: ReverseSweep, i: ir.Cast) -> None:
    source = i.operands[0]
    bar = sweep.take(i)
    type_ = sweep.adjoint_type(source)
    if i.op in ("fpext", "fptrunc"):
        bar = sweep.b.cast("fptrunc" if i.op == "fpext" else "fpext", bar, type_)
    elif (i.op == "bitcast" and bar.type is not type_) or i.op != "bitcast":
        raise unsupported_number(sweep.context.location(i), i)
    sweep.add_to(source, bar)


def _select(sweep: ReverseSweep, i: ir.Select) -> None:
    bar = sweep.take(i)
    condition = sweep.recall.value(i.operands[0])
    nothing = neutral(bar.type)
    a, b = i.operands[1:]
    if sweep.activity.is_active(a):
        sweep.add_to(a, sweep.b.select(condition, bar, nothing))
    if sweep.activity.is_active(b):
        sweep.add_to(b, sweep.b.select(condition, nothing, bar))


def _extract_value(sweep: ReverseSweep, i: ir.ExtractValue) -> None:
    aggregate = i.operands[0]
    if sweep.activity.is_active(aggregate):
        none, share = neutral(sweep.adjoint_type(aggregate)), sweep.take(i)
        _check_member(sweep, i, sweep.b.extract_value(none, i.indices))
        share = sweep.b.insert_value(none, share, i.indices)
        sweep.add_to(aggregate, share)


def _vector(sweep: ReverseSweep, i: ir.Instruction) -> None:
    bar = sweep.take(i)
    match i:
        case ir.ExtractElement():
            vector, index = i.operands
            if sweep.activity.is_active(vector):
                nothing = neutral(sweep.adjoint_type(vector))
                sweep.add_to(vector, sweep.b.insert_element(nothing, bar, sweep.recall.value(index)))
        case ir.InsertElement():
            vector, element, index = i.operands
            at = sweep.recall.value(index)
            sweep.add_to(element, sweep.b.extract_element(bar, at))
            cleared = sweep.b.insert_element(bar, neutral(bar.type.scalar), at)
            sweep.add_to(vector, cleared)
        case ir.ShuffleVector():
            _shuffle(sweep, i, bar)
        case _:
            raise InternalError("no vector instruction")


def _shuffle(sweep: ReverseSweep, i: ir.ShuffleVector, bar: Value) -> None:
    """Each lane of the result goes back to the lane it came from."""
    a, b, _ = i.operands
    assert isinstance(a.type, VectorType)
    lanes = mask_lanes(i)
    shares: list[Value] = [neutral(a.type), neutral(a.type)]
    for lane, source in enumerate(lanes):
        if source is None:
            continue
        side, at = divmod(source, a.type.count)
        old = sweep.b.extract_element(shares[side], const_int(I64, at))
        total = add(sweep.b, old, sweep.b.extract_element(bar, const_int(I64, lane)))
        shares[side] = sweep.b.insert_element(shares[side], total, const_int(I64, at))
    for operand, share in zip((a, b), shares, strict=True):
        if sweep.activity.is_active(operand):
            sweep.add_to(operand, share)


# Memory ------------------------------------------------------------------------------------------------------------


def _load(sweep: ReverseSweep, i: ir.Load) -> None:
    if i in sweep.activity.bytes:
        load_word(sweep, i)
        return
    bar = sweep.take(i)
    if (window := sweep.windows.of(i)) is not None:
        contribute(sweep, window, i, bar)
        return
    pointer = sweep.writable(i.pointer)
    numbers = _numbers(sweep, i)
    forget_pointers(sweep, i.pointer, pointer, [(at, type_) for _, type_, at, _ in numbers])
    tags = joined(sweep.tags_of_sums.of(i), shadow_scopes(sweep.context, i))
    natural = shadow_alignment(sweep.context.layout, i)
    for path, type_, offset, inside in numbers:
        part = sweep.b.extract_value(bar, path) if path else bar
        if inside is not None:
            part = number_at(sweep.b, part, inside, sweep.context.layout.store_size(type_))
        address = sweep.b.ptradd(pointer, offset)
        align = natural if not offset else 1
        note_askew(sweep.engine, sweep.b, type_, address, gcd(natural, offset))
        note(sweep.engine, sweep.context, sweep.b, i, i.pointer, (type_, address))
        old = sweep.b.load(type_, address, align, metadata=tags)
        # Of memory that was cleared before, nothing is left to do where nobody asks for the sign of a zero.
        new = sweep.b.store(add_adjoints(sweep.b, old, part, "nsz"), address, align, metadata=tags)
        sweep.adjoints_of |= {old: i, new: i}


def _store(sweep: ReverseSweep, i: ir.Store) -> None:
    value = i.value
    taken_words(sweep, i)
    stop_at_moved_number(sweep, i)
    if value in sweep.activity.bytes and sweep.activity.is_active(value):
        store_word(sweep, i)
        return
    if isinstance(value.type.scalar, IntType) and not sweep.activity.is_active(value):
        if value in sweep.activity.watched and i in sweep.activity.bit_flow.stores:
            stop_at_adjoint(sweep, i, i.pointer, value.type)
            mark_ended(sweep, i)
        _clear(sweep, i)
        return
    numbers = _numbers(sweep, value)
    if not numbers:
        end_word(sweep, i)
        return
    pointer = sweep.writable(i.pointer)
    forget_pointers(sweep, i.pointer, pointer, [(at, type_) for _, type_, at, _ in numbers])
    tags = shadow_metadata(sweep.context, i)
    whole: Value | None = None
    for path, type_, offset, inside in numbers:
        address = sweep.b.ptradd(pointer, offset)
        align = shadow_alignment(sweep.context.layout, i) if not offset else 1
        note(sweep.engine, sweep.context, sweep.b, i, i.pointer, (type_, address))
        bar = sweep.b.load(type_, address, align, metadata=tags)
        sweep.adjoints_of |= {bar: i, sweep.b.store(zero(type_), address, align, metadata=tags): i}
        if sweep.activity.is_active(value):
            share: Value = bar
            if sweep.activity.is_uncertain(i.pointer):
                constant = sweep.b.icmp("eq", sweep.recall.shadow(i.pointer), sweep.recall.value(i.pointer))
                share = sweep.b.select(constant, neutral(type_), bar)
            start = whole if whole is not None else neutral(sweep.adjoint_type(value))
            if inside is not None:
                size = sweep.context.layout.store_size(type_)
                lanes = sweep.b.extract_value(start, path) if path else start
                share = with_number(sweep.b, lanes, inside, size, share)
            whole = sweep.b.insert_value(start, share, path) if path else share
    if whole is not None:
        sweep.add_to(value, whole)


def _clear(sweep: ReverseSweep, i: ir.Store) -> None:
    """An inactive integer ends the adjoints of the numbers that it overwrites."""
    numbers = sweep.stored_numbers(i)
    if numbers:
        pointer = sweep.writable(i.pointer)
        for type_, offset in numbers:
            sweep.b.store(
                zero(type_), sweep.b.ptradd(pointer, offset), 1 if offset else shadow_alignment(sweep.context.layout, i)
            )
    elif i.value not in sweep.activity.bytes:
        if sweep.engine.options.noted and ends_others(sweep.context, i):
            end_noted(sweep.context, sweep.b, i, sweep.writable(i.pointer))
        end_word(sweep, i)


def _numbers(sweep: ReverseSweep, value: Value) -> list[tuple[tuple[int, ...], Type, int, int | None]]:
    """(path, type, offset, offset in a packed integer) of the floating-point parts of a loaded or stored value."""
    type_ = value.type
    if type_.is_float_like:
        return [((), type_, 0, None)]
    if isinstance(type_, IntType) and not sweep.activity.is_active(value):
        return []
    packing = sweep.activity.packing
    found: list[tuple[tuple[int, ...], Type, int, int | None]] = []
    layout = sweep.context.layout
    for member, leaf, start in member_leaves(layout, type_):
        if leaf.is_float_like:
            found.append((member, leaf, start, None))
            continue
        for path, _, offset in scalar_leaves(layout, leaf, start, member):
            parts = packing.parts(value, path)
            if parts:
                found += [(path, part, offset + at, at) for at, part in sorted(parts.items())]
            elif isinstance(type_, IntType):
                found.append(((), sweep.adjoint_type(value), 0, None))
    return found
