"""Parts of numbers that integers move, watched while the derivative runs.

Where nothing tells whether bytes are those of a number or characters, tangents move along with them. Where such bytes
are changed, all bits of the tangent are set if there was any, and the program ends where they leave the registers. What
was multiplied may be a hash, which is kept like other integers: the set bits are its tangent, and the program ends
where it is stored as a part of a number for sure, or joins parts that were not multiplied. In reverse mode the adjoint
of a number that is put together of parts would have to be taken apart: it must be zero where parts are stored, as it is
for characters. A byte of an adjoint may be zero where the number is not: of memory with numbers the four aligned bytes
around it are looked at, which hold the exponent or are as good as nothing beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.punning import touches_number
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I8, I32, I64, VectorType, int_type
from enzyme_build.ir.values import ConstantSplat, Value, const_int, zero

from .runtime import stop_if

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.types import Type

    from .context import Context
    from .reverse import ReverseSweep

_GRANULE = 4
_MOVES = (ir.Cast, ir.Phi, ir.Select, ir.Freeze, ir.ExtractElement, ir.InsertElement, ir.ShuffleVector)


def stop_at_parts(context: Context, b: Builder, i: ir.Instruction, bits: Value) -> None:
    """End the program if bits of a derivative at `i` are not zero."""
    type_ = bits.type
    if isinstance(type_, VectorType):
        bits = b.cast("bitcast", bits, int_type(context.layout.bit_size(type_)))
    for start in range(0, max(context.layout.bit_size(bits.type), 1), 64):
        part = b.binary("lshr", bits, const_int(bits.type, start)) if start else bits
        if part.type is not I64:
            part = b.cast("zext" if context.layout.bit_size(part.type) < 64 else "trunc", part, I64)
        where = context.location(i) or context.function.name
        text = f"{where}: a number was moved byte by byte; copy it as a number or by memcpy"
        stop_if(context.module, b, part, text)


def any_part(context: Context, b: Builder, bits: Value) -> Value:
    """Is any bit set?"""
    if isinstance(bits.type, VectorType):
        bits = b.cast("bitcast", bits, int_type(context.layout.bit_size(bits.type)))
    return b.icmp("ne", bits, zero(bits.type))


def marked(context: Context, b: Builder, parts: Sequence[Value], type_: Type) -> Value:
    """All bits set, if any of these has one."""
    if not parts:
        return zero(type_)
    some = any_part(context, b, parts[0])
    for part in parts[1:]:
        some = b.binary("or", some, any_part(context, b, part))
    one = const_int(type_.scalar, -1)
    return b.select(some, ConstantSplat(type_, one) if isinstance(type_, VectorType) else one, zero(type_))


def is_changed(value: Value) -> bool:
    """Is this integer more than moved, since it was read, passed or returned?"""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        if isinstance(at, ir.Binary) or (isinstance(at, ir.CallBase) and not _has_body(at)):
            return True
        if isinstance(at, _MOVES):
            pending += at.operands
    return False


def _has_body(call: ir.CallBase) -> bool:
    return isinstance(call.callee, Function) and not call.callee.is_declaration


def stop_at_adjoint(sweep: ReverseSweep, i: ir.Store) -> None:
    """End the program if parts are stored over a number that has an adjoint."""
    layout, b = sweep.context.layout, sweep.b
    address, type_ = sweep.recall.shadow(i.pointer), i.value.type
    place = sweep.context.memory.place(i.pointer)
    if layout.store_size(type_) < _GRANULE and place is not None and touches_number(layout, place, _GRANULE):
        low = b.binary("and", b.cast("ptrtoint", address, I64), const_int(I64, _GRANULE - 1))
        around = b.gep(I8, address, [b.binary("sub", const_int(I64, 0), low)])
        bits: Value = b.load(I32, around, _GRANULE)
    else:
        bits = b.load(type_, address, 1)
    if sweep.activity.is_uncertain(i.pointer):
        constant = b.icmp("eq", address, sweep.recall.value(i.pointer))
        bits = b.select(constant, zero(bits.type), bits)
    stop_at_parts(sweep.context, b, i, bits)
