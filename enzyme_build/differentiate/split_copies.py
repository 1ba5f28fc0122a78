"""Copies that the optimiser took apart are whole again.

A union of a byte and a struct, in which the standard library keeps a value that is constructed later (as what
`std::vector::insert` puts in several times), is cut by the byte that its constructor sets: its first byte goes through
a register, the others through memory of their own. A pointer or a number at its beginning would be in two parts, of
which neither has a shadow. In the model that the pass reads the byte goes with the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.types import I8, array_type
from enzyme_build.ir.values import ConstantInt, Value, const_int

from .lifetimes import is_lifetime

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module

_ALIGN = 16
_TO, _FROM, _LENGTH, _VOLATILE = range(4)


def join_copies(module: Module, function: Function) -> None:
    """Have first bytes go through the memory that the bytes behind them go through."""
    rooms = [i for i in function.instructions() if isinstance(i, ir.Alloca) and not i.operands]
    if not rooms:
        return
    used = users(function)
    gone: set[ir.Store] = set()
    for room in rooms:
        gone |= _joined(module.layout, room, used)
    if gone:
        bytes_ = {store.value for store in gone if gone.issuperset(used[store.value])}
        remove_instructions(function, {*gone, *bytes_})


def _joined(layout: DataLayout, room: ir.Alloca, used: dict[Value, list[ir.Instruction]]) -> set[ir.Store]:
    """The stores of first bytes that copies out of this memory now hold, if all that is done to it are such copies."""
    size = layout.alloc_size(room.allocated_type)
    copies = [i for i in used.get(room, ()) if not is_lifetime(i)]
    if len(copies) < 2 or not all(_copies(i, size) for i in copies):
        return set()
    into = [i for i in copies if i.operands[_TO] is room]
    out_of = [i for i in copies if i.operands[_FROM] is room]
    if len(into) != 1 or len(into) + len(out_of) != len(copies):
        return set()
    loads = [i for i in _just_before(into[0]) if isinstance(i, ir.Load) and _is_byte(i)]
    first = next((i for i in loads if _lies_before(layout, i.pointer, into[0].operands[_FROM])), None)
    stores: list[ir.Store] = []
    for copy in out_of:
        found = [i for i in _just_before(copy) if isinstance(i, ir.Store) and i.value is first]
        stores += [i for i in found if _lies_before(layout, i.pointer, copy.operands[_TO])][:1]
    if first is None or len(stores) != len(out_of):
        return set()
    room.allocated_type = array_type(I8, size + 1)
    room.align = max(room.align, _ALIGN)
    into[0].operands[_FROM] = first.pointer
    for copy, store in zip(out_of, stores, strict=True):
        copy.operands[_TO] = store.pointer
    for copy in copies:
        copy.operands[_LENGTH] = const_int(copy.operands[_LENGTH].type, size + 1)
        # What is told of members counts from the second byte.
        told = attachments(copy).items()
        copy.metadata = ", ".join(f"!{name} {node}" for name, node in told if name != "tbaa.struct")
    return set(stores)


def _copies(i: ir.Instruction, size: int) -> bool:
    """Are as many bytes copied here?"""
    if not isinstance(i, ir.Call) or not (getattr(i.callee, "name", None) or "").startswith("llvm.memcpy.p0.p0."):
        return False
    length, volatile = i.operands[_LENGTH], i.operands[_VOLATILE]
    return isinstance(length, ConstantInt) and length.value == size and volatile == const_int(volatile.type, 0)


def _is_byte(value: Value) -> bool:
    return isinstance(value, ir.Load) and value.type is I8 and not value.ordering and not value.volatile


def _just_before(i: ir.Instruction) -> list[ir.Instruction]:
    """What is in front of `i`, last first, up to what may write to memory; with the last store, if nothing was read
    since."""
    assert i.block is not None
    before: list[ir.Instruction] = []
    for other in reversed(i.block.instructions[: i.block.instructions.index(i)]):
        if isinstance(other, ir.Store):
            loaded = any(isinstance(later, ir.Load) for later in before)
            return before if loaded or other.ordering or other.volatile else [*before, other]
        reads = isinstance(other, ir.GetElementPtr | ir.Load | ir.Cast | ir.Binary | ir.Compare)
        if not reads and not is_lifetime(other):
            break
        before.append(other)
    return before


def _lies_before(layout: DataLayout, byte: Value, rest: Value) -> bool:
    """Are these the address of a byte and that of the next?"""
    base, at = fixed_base(layout, byte)
    return fixed_base(layout, rest) == (base, at + 1)
