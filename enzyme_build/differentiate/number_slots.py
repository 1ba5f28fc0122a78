"""Pointers that are read from local variables where numbers were written are read as integers, or as pointers before.

The optimiser keeps a word of an enum that is two `float`s in one variant and a pointer in another in a variable of the
pointer's type. It reads a pointer there also where only the floats can have been written: that is no pointer where it
is only moved, and an integer of several numbers moves their derivatives (see `analysis.packing`). Where it is followed,
it was read as two numbers before, in the place of the pointer that lies there: that is what is read instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment, location_of
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.metadata import retyped
from enzyme_build.ir.types import I64, PTR, FloatType, IntType, VectorType
from enzyme_build.ir.values import ConstantInt
from enzyme_build.records import dataclass

from .aligned_rooms import is_copy
from .by_value import may_write
from .lifetimes import is_lifetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    _Used: TypeAlias = Mapping[Value, Sequence[ir.Instruction]]
    _Before: TypeAlias = Mapping[Block, Sequence[Block]]

_WORD = 8


@dataclass(frozen=True)
class _Written:
    """What was written last to the bytes of a local variable that are read: `stores` of numbers, and of integers
    beside them that are no pointers."""

    stores: Mapping[ir.Store, int]
    """With where they begin, in bytes behind what is read."""
    passed: frozenset[ir.Instruction]
    """What may run between them and what reads."""
    always: bool
    """Is all of it written on every way?"""
    cut: bool
    """Are some of the bytes copied there by themselves?"""

    @property
    def may_be_pointer(self) -> bool:
        """May these be the parts of a pointer, read as what another variant has there and merged with that?"""
        read = (any(isinstance(leaf, ir.Load) for leaf in merged_from(store.value)) for store in self.stores)
        return self.cut and all(read)


def without_number_slots(module: Module, function: Function) -> list[UnsupportedError]:
    """Replace such reads in the function's model; a finding for each pointer that is followed and made of numbers of
    which nothing tells where they were read."""
    layout = module.layout
    loads = [
        i for i in function.instructions()
        if isinstance(i, ir.Load) and i.type is PTR and isinstance(fixed_base(layout, i.pointer)[0], ir.Alloca)
    ]  # fmt: skip
    if not loads:
        return []
    used, before = users(function), control_flow(function).predecessors
    gone: set[Value] = set()
    read: dict[Value, Value] = {}
    findings: list[UnsupportedError] = []
    for load in loads:
        reading = used.get(load, ())
        written = _written(layout, before, load, used) if reading else None
        if written is None:
            continue
        if written.may_be_pointer:
            findings.append(_unknown(module, load))
        elif all(_stores(i, load) for i in reading):
            gone |= _move(load, reading)
        elif (again := _pointer_before(layout, written)) is not None:
            read[load] = again
        elif any(_follows(i, load) for i in reading):
            findings.append(_unknown(module, load))
    replace_values(function, read)
    remove_instructions(function, {*gone, *read})
    return findings


def _move(load: ir.Load, stores: Sequence[ir.Instruction]) -> set[Value]:
    """Move an integer in the place of a pointer; what is to be removed."""
    word = in_front_of(load).load(I64, load.pointer, load.align, metadata=retyped(load.metadata))
    for store in stores:
        assert isinstance(store, ir.Store)
        in_front_of(store).store(word, store.pointer, store.align, metadata=retyped(store.metadata))
    return {load, *stores}


def _stores(i: ir.Instruction, word: Value) -> bool:
    return isinstance(i, ir.Store) and i.value is word and i.pointer is not word and not (i.ordering or i.volatile)


def _follows(i: ir.Instruction, word: Value) -> bool:
    return not isinstance(i, (*ir.MERGES, ir.Compare, ir.Cast)) and not _stores(i, word)


def _pointer_before(layout: DataLayout, written: _Written) -> Value | None:
    """The pointer, read where its parts were read as numbers from one place."""
    pieces = [(store.value, begin) for store, begin in sorted(written.stores.items(), key=lambda item: item[1])]
    first = pieces[0][0]
    if not written.always or not isinstance(first, ir.Load):
        return None
    block, (base, at) = first.block, fixed_base(layout, first.pointer)
    assert block is not None
    end = 0
    for piece, begin in pieces:
        if not isinstance(piece, ir.Load) or piece.ordering or piece.volatile or piece in written.passed:
            return None
        if begin != end or piece.block is not block or fixed_base(layout, piece.pointer) != (base, at + begin):
            return None
        end = begin + layout.store_size(piece.type)
    if end != _WORD:
        return None
    indices = [block.instructions.index(piece) for piece, _ in pieces if isinstance(piece, ir.Load)]
    if any(may_write(i) for i in block.instructions[min(indices) : max(indices)]):
        return None
    builder = Builder(block, debug_attachment(first))
    builder.position = block.instructions.index(first) + 1
    return builder.load(PTR, first.pointer, first.align)


def _unknown(module: Module, load: ir.Load) -> UnsupportedError:
    return UnsupportedError(
        "a pointer is made of the bits of floating-point numbers, of which nothing tells the shadow",
        location=location_of(module, load),
        hint="keep pointers and numbers in separate memory",
        code="E0110",
    )


def _written(layout: DataLayout, before: _Before, load: ir.Load, used: _Used) -> _Written | None:
    """What was written last to the bytes of a local variable; None where it may be something else than numbers
    and members beside them."""
    base, first = fixed_base(layout, load.pointer)
    assert isinstance(base, ir.Alloca)
    writes = _writes(layout, base, used)
    if writes is None or load.ordering or load.volatile or load.block is None:
        return None
    stores: dict[ir.Store, int] = {}
    passed: set[ir.Instruction] = set()
    always, cut = True, False
    pending = [(load.block, load.block.instructions.index(load), (1 << _WORD) - 1)]
    """From where to go back, and the bytes of which the last store has not been found."""
    seen: set[tuple[Block, int]] = set()
    while pending:
        block, end, wanted = pending.pop()
        for i in reversed(block.instructions[:end]):
            begin, size = writes.get(i, (0, 0))
            at = begin - first
            stored = ((1 << size) - 1 << at) if at >= 0 else (1 << max(size + at, 0)) - 1
            if stored & wanted:
                if isinstance(i, ir.Store):
                    if not _is_member(i.value):
                        return None
                    stores[i] = at
                elif size >= _WORD:
                    return None
                else:
                    cut = True
                wanted &= ~stored
                if not wanted:
                    break
            passed.add(i)
        else:
            always = always and bool(before[block])
            for source in before[block]:
                if (source, wanted) not in seen:
                    seen.add((source, wanted))
                    pending.append((source, len(source.instructions), wanted))
    some = any(_is_number(i.value) for i in stores)
    return _Written(stores, frozenset(passed), always, cut) if some else None


def _writes(layout: DataLayout, base: ir.Alloca, used: _Used) -> dict[ir.Instruction, tuple[int, int]] | None:
    """What writes to a local variable, to how many bytes from where; None where others may know its address."""
    writes: dict[ir.Instruction, tuple[int, int]] = {}
    pending: list[Value] = [base]
    while pending:
        address = pending.pop()
        begin = fixed_base(layout, address)[1]
        for user in used.get(address, ()):
            match user:
                case ir.Load():
                    pass
                case ir.Store() if user.value is not address:
                    writes[user] = begin, layout.store_size(user.value.type)
                case ir.GetElementPtr() if fixed_base(layout, user)[0] is base:
                    pending.append(user)
                case ir.Call(operands=[to, _, ConstantInt() as length, *_]) if is_copy(user):
                    if to is address:
                        writes[user] = begin, length.value
                case ir.Call() if is_lifetime(user):
                    pass
                case _:
                    return None
    return writes


def _is_number(value: Value) -> bool:
    type_ = value.type.scalar if isinstance(value.type, VectorType) else value.type
    return isinstance(type_, FloatType)


def _is_member(value: Value) -> bool:
    """May this be a member beside a number?"""
    return _is_number(value) or (isinstance(value.type, IntType) and value.type.bits < 8 * _WORD)
