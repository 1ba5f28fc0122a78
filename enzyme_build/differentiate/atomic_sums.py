"""Numbers that are added to memory atomically, which other threads may add to as well.

m ← m + v gives the old number: ṁ ← ṁ + v̇, whose old number is the result's tangent; v̄ += m̄, then m̄ += r̄ of the result.

Processors without such an instruction compare and exchange: what was read, and its sum with v, until nobody came
between. In the model that the pass reads, an exchange whose new value is such a sum is the addition itself, which
always succeeds. That is one of the executions that the program allows, where between reading and exchanging nothing
else happens and the old number is used for nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.accessed import accessed_content
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.moved_atomics import moves_any, stored_pointers
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.values import Constant, const_int, poison, zero
from enzyme_build.records import dataclass

from .metadata import kept_metadata
from .moved_parts import exponents, is_word, stop_at_parts, weighty
from .noted import note
from .numbers import add_adjoints
from .settled_branches import leave_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.values import Value

    from .context import Context
    from .reverse import ReverseSweep
    from .sweep import Sweep

_SUMS = frozenset(["fadd", "fsub"])
_MULTIPLIED = "llvm.fmuladd."
_EFFECTS = (ir.CallBase, ir.Store, ir.AtomicRMW, ir.CompareExchange, ir.Fence)


# Derivatives -------------------------------------------------------------------------------------------------------


def tangent(sweep: Sweep, i: ir.AtomicRMW) -> None:
    """The same addition to the shadow memory."""
    pointer, value = i.operands
    if not sweep.activity.memory_active(pointer):
        return
    for _ in sweep.lanes.each():
        shadow = sweep.shadow(value) if sweep.activity.is_active(value) else zero(value.type)
        old = sweep.b.insert(
            ir.AtomicRMW(i.op, sweep.shadow(pointer), shadow, ordering=i.ordering, align=i.align,
                         metadata=kept_metadata(i))
        )  # fmt: skip
        if sweep.has_shadow(i):
            sweep.shadows[i] = old


def adjoint(sweep: ReverseSweep, i: ir.AtomicRMW) -> None:
    """What the addition hands on from the shadow memory, which keeps it."""
    if not is_sum(sweep.context, i):
        raise refused_atomic(sweep.context, i)
    pointer, value = i.operands
    address, type_ = sweep.recall.shadow(pointer), i.type
    align = sweep.context.layout.alignment(type_)
    note(sweep.engine, sweep.context, sweep.b, i, pointer, (type_, address))
    bar = sweep.b.load(type_, address, align, metadata=kept_metadata(i))
    if sweep.activity.is_active(value):
        sweep.add_to(value, sweep.b.fneg(bar) if i.op == "fsub" else bar)
    if sweep.activity.is_active(i):
        total = add_adjoints(sweep.b, bar, sweep.take(i), "nsz")
        sweep.b.store(total, address, align, metadata=kept_metadata(i))


def is_sum(context: Context, i: ir.AtomicRMW | ir.CompareExchange) -> bool:
    """Is this an addition to one number, or a subtraction, in memory that certainly has a shadow?"""
    if not isinstance(i, ir.AtomicRMW) or i.op not in _SUMS or not i.type.is_float or i.volatile:
        return False
    pointer, activity = i.operands[0], context.activity
    place = context.memory.place(pointer)
    if place is None or activity.is_uncertain(pointer) or activity.is_lost(pointer):
        return False
    content = accessed_content(place.region, place.offset, place.stride)
    return content is not None and content.kind is Kind.FLOAT and content.float_type is i.type


def may_count(context: Context, i: ir.AtomicRMW | ir.CompareExchange) -> bool:
    """Is this on an integer that only the run tells from the bits of a number, and that goes nowhere else?"""
    activity, values = context.activity, i.operands[1:]
    active = [value for value in (i, *values) if activity.is_active(value) or value in activity.watched]
    if not active and i not in activity.bit_flow.stores:
        return False  # for sure an integer
    words = all(is_word(value) for value in values)
    return words and activity.watched.issuperset(active) and not activity.is_lost(i.operands[0]) and not moves_any(i)


def counted(sweep: Sweep, i: ir.AtomicRMW | ir.CompareExchange) -> None:
    """End the program if the word, or what is put there, has a tangent: then it is none to count with."""
    pointer, *values = i.operands
    for _ in sweep.lanes.each():
        word = sweep.b.load(values[0].type, sweep.shadow(pointer), 1)
        found = exponents(sweep.context, sweep.b, word, pointer)
        if sweep.activity.is_uncertain(pointer):
            constant = sweep.b.icmp("eq", sweep.shadow(pointer), sweep.value(pointer))
            found = sweep.b.select(constant, zero(word.type), found)
        stop_at_parts(sweep.context, sweep.b, i, found)
        for value in values:
            if sweep.has_shadow(value):
                stop_at_parts(sweep.context, sweep.b, i, weighty(sweep.context, sweep.b, value, sweep.shadow(value)))
        if sweep.has_shadow(i):
            sweep.shadows[i] = zero(i.type)


def refused_atomic(context: Context, i: ir.Instruction) -> UnsupportedError:
    """The error for another atomic operation."""
    return UnsupportedError(
        "cannot differentiate an atomic operation on active data",
        location=context.location(i),
        hint="make the data inactive, or use ordinary loads and stores",
        code="E0130",
    )


def puts_pointer(context: Context, i: ir.AtomicRMW | ir.CompareExchange) -> bool:
    """Is a pointer to memory with a shadow put somewhere, be it as an integer? Nothing would put its shadow there."""
    return any(map(context.activity.has_shadow, stored_pointers(i)))


# The model ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Addition:
    """What is added or subtracted: one number, or the product of two."""

    op: str
    factors: tuple[Value, ...]


def sums_for_exchanges(function: Function) -> bool:
    """Put additions in place of comparing exchanges; was there any?"""
    exchanges = [i for i in function.instructions() if isinstance(i, ir.CompareExchange)]
    if not exchanges:
        return False
    known = users(function)
    found = {i: addition for i in exchanges if (addition := _addition(i, known)) is not None}
    for i, addition in found.items():
        _replace(i, addition, known)
    if found:
        # Nobody else used the sums; and what was read for nothing else goes with them.
        remove_instructions(function, {part for i in found for part in (i.operands[2], _bits_of(i.operands[2]))})
        leave_out(function)
        used = {operand for i in function.instructions() for operand in i.operands}
        readings = {i for i in known if any(_reading(i, exchange.operands[0]) is i for exchange in found)}
        remove_instructions(function, readings - used)
    return bool(found)


def _addition(i: ir.CompareExchange, known: Mapping[Value, list[ir.Instruction]]) -> Addition | None:
    """The sum that is written if nobody came between."""
    pointer, expected, replacement = i.operands
    old, total = _bits_of(expected), _bits_of(replacement)
    if "volatile" in i.modifiers or isinstance(old, Constant) or total is replacement or known[replacement] != [i]:
        return None
    addition = _read_addition(total, old)
    if addition is None or known[total] != [replacement]:
        return None
    both = {i, total}
    for user in known[old]:
        is_cast = isinstance(user, ir.Cast) and user.op == "bitcast" and both.issuperset(known[user])
        if user not in both and not is_cast:
            return None
    return addition if _is_fresh(i, pointer, old) else None


def _read_addition(total: Value, old: Value) -> Addition | None:
    match total:
        case ir.Binary(op="fadd" | "fsub"):
            a, b = total.operands
            if _bits_of(a) is old and _bits_of(b) is not old:
                return Addition(total.op, (b,))
            if total.op == "fadd" and _bits_of(b) is old and _bits_of(a) is not old:
                return Addition(total.op, (a,))
        case ir.CallBase() if _is_multiplication(total):
            a, b, c = total.arguments
            if _bits_of(c) is old and _bits_of(a) is not old and _bits_of(b) is not old:
                return Addition("fadd", (a, b))
        case _:
            pass
    return None


def _bits_of(value: Value) -> Value:
    """The value of another type that has these bits, or this one."""
    return value.operands[0] if isinstance(value, ir.Cast) and value.op == "bitcast" else value


def _is_fresh(i: ir.CompareExchange, pointer: Value, old: Value) -> bool:
    """Was the old number read from the same place, and did nothing happen since?"""
    before = i.block.instructions[: i.block.instructions.index(i)]
    reading = _reading(old, pointer)
    if reading is not None and reading in before:
        return _is_quiet(before[before.index(reading) + 1 :])
    if not _is_quiet(before):
        return False
    assert i.block.function is not None
    sources = [source for source in i.block.function.blocks if i.block in source.successors]
    merged = old.operands[0] if isinstance(old, ir.ExtractValue) else old
    for source in sources:
        last = reading
        if isinstance(merged, ir.Phi) and merged.block is i.block:
            last = _reading(merged.incoming(source), pointer)
        if last is None or not _ends_with(source, last):
            return False
    return bool(sources)


def _reading(value: Value, pointer: Value) -> ir.Load | ir.CompareExchange | None:
    """What gave a value, if it read the place."""
    match value:
        case ir.ExtractValue() if value.indices == (0,):
            return _reading(value.operands[0], pointer)
        case ir.Cast(op="bitcast"):
            return _reading(value.operands[0], pointer)
        case ir.Load() if value.pointer is pointer and not value.volatile:
            return value
        case ir.CompareExchange() if value.operands[0] is pointer:
            return value
        case _:
            return None


def _ends_with(source: Block, reading: ir.Instruction) -> bool:
    """Does nothing happen behind this at the end of a block, or of the one before that does nothing?"""
    assert source.function is not None
    if reading.block is not source and len(source.instructions) == 1:
        before = [block for block in source.function.blocks if source in block.successors]
        if len(before) == 1:
            source = before[0]
    if reading.block is not source:
        return False
    return _is_quiet(source.instructions[source.instructions.index(reading) + 1 :])


def _is_quiet(instructions: Sequence[ir.Instruction]) -> bool:
    return not any(isinstance(i, _EFFECTS) and not _is_multiplication(i) for i in instructions)


def _is_multiplication(i: ir.Instruction) -> bool:
    return isinstance(i, ir.CallBase) and (getattr(i.callee, "name", None) or "").startswith(_MULTIPLIED)


def _replace(i: ir.CompareExchange, addition: Addition, known: Mapping[Value, list[ir.Instruction]]) -> None:
    block, ordering = i.block, i.ordering.split()[:-1]  # the last one is that of a failure
    b = Builder(block, debug_attachment(i))
    b.position = block.instructions.index(i)
    value, *others = addition.factors
    for other in others:
        value = b.fmul(value, other)
    b.insert(ir.AtomicRMW(addition.op, i.operands[0], value, ordering=" ".join(ordering), align=i.align))
    block.instructions.remove(i)
    for user in known.get(i, ()):
        if isinstance(user, ir.ExtractValue) and user.indices == (1,):
            for reader in known.get(user, ()):
                reader.operands[:] = [const_int(user.type, 1) if o is user else o for o in reader.operands]
        else:
            user.operands[:] = [poison(i.type) if o is i else o for o in user.operands]
