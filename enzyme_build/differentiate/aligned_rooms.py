"""Memory of the optimiser's own in which copied words lie at odd addresses is shifted.

Of a struct or an enum that is moved, the optimiser may keep what follows its first bytes in memory of its own, for
which one byte of alignment is enough. There the words of the struct lie at other distances from a multiple of eight
than in the objects that are copied to and from it, so that nothing could tell numbers and pointers among them (see
`transfer`). In the model that the pass reads such memory begins so far behind an aligned address that its words are
aligned, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.offsets import element_offset
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import users
from enzyme_build.ir.types import I8, array_type
from enzyme_build.regex import regex

from .lifetimes import is_lifetime

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    Begin = int
    """How far behind a multiple of eight memory begins."""
    Copy = tuple[Value, int, Value, int]
    """What is copied between, as bases and bytes behind them."""

_WORD: Final = 8
_ALIGN: Final = 16
_TOLD: Final = regex(r"\balign (\d+)")
_COPIES: Final = ("llvm.memcpy.p0.p0.", "llvm.memmove.p0.p0.")


def align_rooms(module: Module, function: Function) -> None:
    """Shift what begins elsewhere than what is copied to and from it."""
    layout = module.layout
    rooms = [i for i in function.instructions() if isinstance(i, ir.Alloca) and _is_room(layout, i)]
    if not rooms:
        return
    copies = list(_copies(layout, function))
    begins = _begins(copies, dict(_told(layout, function)), rooms)
    used = users(function)
    for room in rooms:
        if room in begins:
            _shift(layout, room, begins[room], used)


def _is_room(layout: DataLayout, room: ir.Alloca) -> bool:
    return not room.operands and room.align in range(1, _WORD) and layout.alloc_size(room.allocated_type) >= _WORD


def _copies(layout: DataLayout, function: Function) -> Iterator[Copy]:
    for i in function.instructions():
        if _is_copy(i):
            yield (*_base(layout, i.operands[0]), *_base(layout, i.operands[1]))


def _is_copy(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Call) and (getattr(i.callee, "name", None) or "").startswith(_COPIES)


def _base(layout: DataLayout, pointer: Value) -> tuple[Value, int]:
    """A pointer as another one, and how far behind it this is, but for multiples of eight."""
    at = 0
    while isinstance(pointer, ir.GetElementPtr):
        offset = element_offset(layout, pointer)
        if any(scale % _WORD for _, scale in offset.terms):
            break
        pointer, at = pointer.operands[0], (at + offset.constant) % _WORD
    return pointer, at


def _told(layout: DataLayout, function: Function) -> Iterator[tuple[Value, Begin]]:
    """Where memory begins, by the alignment of what is accessed in it."""
    for i in function.instructions():
        aligned: list[Value] = []
        match i:
            case ir.Alloca() if i.align >= _WORD:
                aligned = [i]
            case ir.Load() | ir.Store() if i.align >= _WORD:
                aligned = [i.pointer]
            case ir.CallBase():
                told = zip(i.arguments, i.argument_attributes, strict=False)
                aligned = [
                    argument for argument, text in told if (found := _TOLD.search(text)) and int(found[1]) >= _WORD
                ]
            case _:
                pass
        for pointer in aligned:
            base, at = _base(layout, pointer)
            yield base, -at % _WORD


def _begins(copies: list[Copy], known: dict[Value, Begin], rooms: list[ir.Alloca]) -> Mapping[Value, Begin]:
    """Where rooms begin, by what is copied to and from them, and on to further rooms; without those that would have to
    begin at several places."""
    begins = dict(known)
    unknown: set[Value] = {room for room in rooms if room not in known}
    both = [*copies, *((b, at, a, to) for a, to, b, at in copies)]
    while found := {
        a: (begins[b] + at - to) % _WORD for a, to, b, at in both if a in unknown and a not in begins and b in begins
    }:
        begins |= found
    crossed = {a for a, to, b, at in both if b in begins and begins.get(a) != (begins[b] + at - to) % _WORD}
    return {room: begin for room, begin in begins.items() if room in unknown and room not in crossed}


def _shift(layout: DataLayout, room: ir.Alloca, begin: Begin, used: Mapping[Value, list[ir.Instruction]]) -> None:
    room.align = _ALIGN
    if not begin:
        return
    room.allocated_type = array_type(I8, layout.alloc_size(room.allocated_type) + begin)
    assert room.block is not None
    builder = Builder(room.block, debug_attachment(room))
    builder.position = room.block.instructions.index(room) + 1
    shifted = builder.ptradd(room, begin)
    for i in used.get(room, ()):
        if not is_lifetime(i):
            i.operands[:] = [shifted if operand is room else operand for operand in i.operands]
