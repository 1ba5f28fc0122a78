"""Pointers that are read from local variables where numbers were written are read as integers.

The optimiser keeps a word of an enum that is two `float`s in one variant and a pointer in another in a variable of the
pointer's type, and reads it as one also where only the floats can have been written: that is no pointer, and an integer
of several numbers moves their derivatives (see `analysis.packing`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.metadata import retyped
from enzyme_build.ir.types import I64, PTR, FloatType, VectorType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    _Used: TypeAlias = Mapping[Value, Sequence[ir.Instruction]]
    _Before: TypeAlias = Mapping[Block, Sequence[Block]]

_WORD = 8
_MARKS = ("llvm.lifetime.start", "llvm.lifetime.end")


def integers_for_number_slots(module: Module, function: Function) -> None:
    """Replace such moves from these variables to memory in the function's model."""
    loads = [
        i for i in function.instructions()
        if isinstance(i, ir.Load) and i.type is PTR and isinstance(fixed_base(module.layout, i.pointer)[0], ir.Alloca)
    ]  # fmt: skip
    if not loads:
        return
    used, before = users(function), control_flow(function).predecessors
    gone: set[Value] = set()
    for load in loads:
        moves = used.get(load, ())
        if moves and all(_stores(i, load) for i in moves) and _holds_numbers(module, before, load, used):
            word = in_front_of(load).load(I64, load.pointer, load.align, metadata=retyped(load.metadata))
            for store in moves:
                assert isinstance(store, ir.Store)
                in_front_of(store).store(word, store.pointer, store.align, metadata=retyped(store.metadata))
            gone |= {load, *moves}
    if gone:
        remove_instructions(function, gone)


def _stores(i: ir.Instruction, word: Value) -> bool:
    return isinstance(i, ir.Store) and i.value is word and i.pointer is not word and not (i.ordering or i.volatile)


def _holds_numbers(module: Module, before: _Before, load: ir.Load, used: _Used) -> bool:
    """Have numbers, and nothing else, been written to the bytes of a local variable that are read here?"""
    base, first = fixed_base(module.layout, load.pointer)
    assert isinstance(base, ir.Alloca)
    writes = _writes(module, base, used)
    if writes is None or load.ordering or load.volatile or load.block is None:
        return False
    written = False
    whole = (1 << _WORD) - 1
    pending = [(load.block, load.block.instructions.index(load), whole)]
    """From where to go back, and the bytes of which the last store has not been found."""
    seen: set[tuple[Block, int]] = set()
    while pending:
        block, end, wanted = pending.pop()
        for i in reversed(block.instructions[:end]):
            if i in writes:
                begin, size = writes[i]
                stored = ((1 << size) - 1) << (begin + size - first) >> size if begin + size > first else 0
                if not stored & wanted:
                    continue
                if not isinstance(i, ir.Store) or not _is_number(i.value):
                    return False
                written = True
                wanted &= ~stored
                if not wanted:
                    break
        else:
            for source in before[block]:
                if (source, wanted) not in seen:
                    seen.add((source, wanted))
                    pending.append((source, len(source.instructions), wanted))
    return written


def _writes(module: Module, base: ir.Alloca, used: _Used) -> dict[ir.Instruction, tuple[int, int]] | None:
    """What writes to a local variable, to how many bytes from where; None where others may know its address."""
    writes: dict[ir.Instruction, tuple[int, int]] = {}
    pending: list[Value] = [base]
    while pending:
        address = pending.pop()
        begin = fixed_base(module.layout, address)[1]
        for user in used.get(address, ()):
            match user:
                case ir.Load():
                    pass
                case ir.Store() if user.value is not address:
                    writes[user] = begin, module.layout.store_size(user.value.type)
                case ir.GetElementPtr() if fixed_base(module.layout, user)[0] is base:
                    pending.append(user)
                case ir.Call() if (getattr(user.callee, "name", None) or "").startswith(_MARKS):
                    pass
                case _:
                    return None
    return writes


def _is_number(value: Value) -> bool:
    type_ = value.type.scalar if isinstance(value.type, VectorType) else value.type
    return isinstance(type_, FloatType)
