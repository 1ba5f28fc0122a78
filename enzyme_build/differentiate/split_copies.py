"""Copies that the optimiser took apart are whole again.

A union of a byte and a struct, in which the standard library keeps a value that is constructed later (as what
`std::vector::insert` puts in), is cut by the byte that its constructor sets: its first byte goes through a register,
the others through memory of their own, and so are variables that are copied to it. A pointer or a number at its
beginning would be in two parts, of which neither has a shadow. In the model that the pass reads the byte goes with the
others: wherever they are put in their room, the byte is what was loaded in front of them.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.types import I8, array_type
from enzyme_build.ir.values import ConstantExpression, ConstantInt, Undef, Value, const_int
from enzyme_build.records import dataclass

from .lifetimes import is_lifetime

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from enzyme_build.analysis.cfg import ControlFlow
    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module

_ALIGN: Final = 16
_WORD: Final = 8
_TO, _FROM, _LENGTH, _VOLATILE = range(4)
_WAYS: Final = (ir.Jump, ir.Branch, ir.Switch)
_READS: Final = (ir.GetElementPtr, ir.Load, ir.Cast, ir.Binary, ir.Compare, ir.Select, ir.Phi, *_WAYS)
"""What writes nothing, and goes nowhere but to its successors."""


def join_copies(module: Module, function: Function) -> None:
    """Have first bytes go through the memory that the bytes behind them go through."""
    rooms = [i for i in function.instructions() if isinstance(i, ir.Alloca) and not i.operands]
    used = users(function) if rooms else {}
    groups = list(_groups(module.layout, rooms, used))
    if not groups:
        return
    cfg = control_flow(function)
    gone: set[ir.Store] = set()
    for group in groups:
        if group.find(module.layout, cfg):
            group.join()
            gone |= set(group.stores.values())
    if gone:
        left: dict[Value, int] = {}
        for store in gone:
            left[store.value] = left.get(store.value, len(used[store.value])) - 1
        remove_instructions(function, {*gone, *(byte for byte, others in left.items() if not others)})


@dataclass(eq=False)
class _Group:
    """Memory of one size that is only copied to and from, and the copies."""

    rooms: dict[ir.Alloca, int]
    """What is left of the objects there, in bytes: all of one size."""
    copies: list[ir.Instruction]
    harmless: Collection[ir.Instruction]
    """Copies to memory that nothing points to but copies."""
    stores: dict[ir.Instruction, ir.Store] = field(default_factory=dict)
    """Where the first byte is put in front of what a copy out of the rooms puts."""
    loads: dict[ir.Instruction, ir.Load] = field(default_factory=dict)
    """Where the first byte comes from, of a copy into them."""

    def find(self, layout: DataLayout, cfg: ControlFlow) -> bool:
        """Does the byte always come and go with the others?"""
        if any(copy.block not in cfg for copy in self.copies):
            return False
        inner = [copy for copy in self.copies if copy.operands[_TO] in self.rooms]
        outer = [copy for copy in self.copies if copy.operands[_TO] not in self.rooms]
        for copy in outer:
            stores = [i for i in _just_before(copy) if isinstance(i, ir.Store) and i.value.type is I8]
            found = [i for i in stores if _lies_before(layout, i.pointer, copy.operands[_TO])]
            if not found:
                return False
            self.stores[copy] = found[0]
        put: dict[ir.Instruction, Value] = {}
        checked: set[ir.Instruction] = set()
        pending = [(copy, self.stores[copy].value) for copy in outer]
        while pending:
            copy, byte = pending.pop()
            room = copy.operands[_FROM]
            into = [other for other in inner if other.operands[_TO] is room]
            for other, what in _last_before(copy, byte, into, cfg):
                if other is None and isinstance(what, Undef):
                    continue
                if other is None or put.setdefault(other, what) is not what:
                    return False
                if other in checked:
                    continue
                checked.add(other)
                if other.operands[_FROM] in self.rooms:
                    pending.append((other, what))
                elif isinstance(what, ir.Load) and self._comes_along(layout, what, other, cfg):
                    self.loads[other] = what
                else:
                    return False
        return bool(outer) and checked == set(inner)

    def _comes_along(self, layout: DataLayout, byte: ir.Load, copy: ir.Instruction, cfg: ControlFlow) -> bool:
        """Is this what lies in front of what is copied, when it is copied?"""
        if byte.ordering or byte.volatile or not _lies_before(layout, byte.pointer, copy.operands[_FROM]):
            return False
        for other in _before(copy, cfg):
            if other is byte:
                return True
            if not isinstance(other, _READS) and not is_lifetime(other) and other not in self.harmless:
                return False
        return False

    def join(self) -> None:
        """Make the rooms and the copies one byte longer."""
        for room, size in self.rooms.items():
            room.allocated_type = array_type(I8, size + 1)
            if (size + 1) % _WORD == 0:  # else there may be more in front of it (see `aligned_rooms`)
                room.align = max(room.align, _ALIGN)
        for copy in self.copies:
            if copy in self.stores:
                copy.operands[_TO] = self.stores[copy].pointer
            elif copy.operands[_FROM] not in self.rooms:
                copy.operands[_FROM] = self.loads[copy].pointer
            length = copy.operands[_LENGTH]
            assert isinstance(length, ConstantInt)
            copy.operands[_LENGTH] = const_int(length.type, length.value + 1)
            # What is told of members counts from the second byte.
            told = attachments(copy).items()
            copy.metadata = ", ".join(f"!{name} {node}" for name, node in told if name != "tbaa.struct")


def _groups(
    layout: DataLayout, rooms: Iterable[ir.Alloca], used: dict[Value, list[ir.Instruction]]
) -> Iterator[_Group]:
    """Rooms to which nothing is done but such copies, with those that they are copied to and from."""
    copied: dict[ir.Alloca, list[ir.Instruction]] = {}
    for room in rooms:
        size = layout.alloc_size(room.allocated_type)
        copies = [i for i in used.get(room, ()) if not is_lifetime(i)]
        if len(copies) > 1 and all(_copies(i, size) for i in copies):
            copied[room] = copies
    harmless = {copy for room, copies in copied.items() for copy in copies if copy.operands[_TO] is room}
    seen: set[Value] = set()
    for first in copied:
        together: dict[ir.Alloca, int] = {}
        pending: list[Value] = [first]
        while pending:
            one = pending.pop()
            if one in seen or not isinstance(one, ir.Alloca) or one not in copied:
                continue
            seen.add(one)
            together[one] = layout.alloc_size(one.allocated_type)
            pending += [copy.operands[side] for copy in copied[one] for side in (_TO, _FROM)]
        if together:
            yield _Group(together, list(dict.fromkeys(copy for room in together for copy in copied[room])), harmless)


def _last_before(
    copy: ir.Instruction, byte: Value, into: list[ir.Instruction], cfg: ControlFlow
) -> Iterator[tuple[ir.Instruction | None, Value]]:
    """The copies of `into` that may be the last before `copy`, with what the value `byte`, as it is there, is known as
    then; None where it may have got its value since, or where there was no copy."""
    assert copy.block is not None
    pending = [(copy.block, copy.block.instructions.index(copy), byte)]
    seen: set[tuple[Block, Value]] = set()
    while pending:
        block, end, value = pending.pop()
        last = next((i for i in reversed(block.instructions[:end]) if i in into or i is value), None)
        if last is not None and not isinstance(last, ir.Phi):
            yield (None if last is value else last), value
            continue
        before = cfg.predecessors[block]
        if not before:
            yield None, value
        for earlier in before:
            what = value.incoming(earlier) if isinstance(value, ir.Phi) and value is last else value
            if (earlier, what) not in seen:
                seen.add((earlier, what))
                pending.append((earlier, len(earlier.instructions), what))


def _copies(i: ir.Instruction, size: int) -> bool:
    """Are as many bytes copied here?"""
    if not isinstance(i, ir.Call) or not (getattr(i.callee, "name", None) or "").startswith("llvm.memcpy.p0.p0."):
        return False
    length, volatile = i.operands[_LENGTH], i.operands[_VOLATILE]
    return isinstance(length, ConstantInt) and length.value == size and volatile == const_int(volatile.type, 0)


def _before(i: ir.Instruction, cfg: ControlFlow) -> Iterator[ir.Instruction]:
    """What is in front of `i`, last first, as far as there is one way to it."""
    block, end = i.block, i.block.instructions.index(i) if i.block is not None else 0
    seen: set[Block] = set()
    while block is not None and block not in seen:
        seen.add(block)
        yield from reversed(block.instructions[:end])
        before = cfg.predecessors[block]
        if len(before) != 1:
            return
        block, end = before[0], len(before[0].instructions)


def _just_before(i: ir.Instruction) -> list[ir.Instruction]:
    """What is in front of `i` in its block, last first, up to the last store, if nothing was read since."""
    assert i.block is not None
    before: list[ir.Instruction] = []
    for other in reversed(i.block.instructions[: i.block.instructions.index(i)]):
        if isinstance(other, ir.Store):
            loaded = any(isinstance(later, ir.Load) for later in before)
            return before if loaded or other.ordering or other.volatile else [*before, other]
        if not isinstance(other, _READS) and not is_lifetime(other):
            break
        before.append(other)
    return before


def _lies_before(layout: DataLayout, byte: Value, rest: Value) -> bool:
    """Are these the address of a byte and that of the next?"""
    known, then = _known_address(byte), _known_address(rest)
    if known is not None and then is not None:
        return then == known + 1
    base, at, loops = _place(layout, byte)
    return _place(layout, rest) == (base, at + 1, loops)


def _place(layout: DataLayout, pointer: Value) -> tuple[Value, int, tuple[Block | None, ...]]:
    """A base, the distance from it in bytes, and the blocks behind loops in whose last iteration it is so."""
    base, at = fixed_base(layout, pointer)
    loops: list[Block | None] = []
    while isinstance(base, ir.Phi) and len(base.operands) == 1 and base.block not in loops:
        loops.append(base.block)
        base, more = fixed_base(layout, base.operands[0])
        at += more
    return base, at, tuple(loops)


def _known_address(pointer: Value) -> int | None:
    """The number that an address is, as where memory is read that is none: `inttoptr (i64 32 to ptr)`."""
    if isinstance(pointer, ConstantExpression) and pointer.op == "inttoptr":
        number = pointer.operands[0]
        return number.value if isinstance(number, ConstantInt) else None
    return None
