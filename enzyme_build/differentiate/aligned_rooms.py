"""Memory of the optimiser's own in which copied words lie at odd addresses is shifted.

Of a struct or an enum that is moved, the optimiser may keep what follows its first bytes in memory of its own, for
which one byte of alignment is enough, or which is aligned though the pointers in it are not. There the words of the
struct lie at other distances from a multiple of eight than in the objects that are copied to and from it, so that
nothing could tell numbers and pointers among them (see `transfer`). In the model that the pass reads such memory begins
so far behind an aligned address that its words are aligned, too.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.offsets import element_offset, fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import users
from enzyme_build.ir.types import DOUBLE, I8, PTR, array_type
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
    large = [
        i for i in function.instructions()
        if isinstance(i, ir.Alloca) and not i.operands and layout.alloc_size(i.allocated_type) >= _WORD
    ]  # fmt: skip
    if not large:
        return
    used = users(function)
    words = {room: found for room in large if room.align >= _WORD and (found := _words(layout, room, used)) is not None}
    rooms = [room for room in large if room.align in range(1, _WORD) or room in words]
    if not rooms:
        return
    copies = list(_copies(layout, function))
    told = {base: begin for base, begin in _told(layout, function) if base not in words}
    begins = _begins(copies, told, rooms)
    for room in rooms:
        if room in begins and not any((begins[room] + at) % _WORD for at in words.get(room, ())):
            _shift(layout, room, begins[room], used)


def _words(layout: DataLayout, room: ir.Alloca, used: Mapping[Value, list[ir.Instruction]]) -> set[int] | None:
    """Where pointers and doubles are accessed in memory of which only this function knows, but for multiples of eight;
    None where others do, or where nothing lies askew."""
    found: set[int] = set()
    pending: list[Value] = [room]
    while pending:
        address = pending.pop()
        base, at = fixed_base(layout, address)
        for user in used.get(address, ()):
            match user:
                case ir.Load(type=type_) if base is room:
                    found |= {at % _WORD} if type_ in (PTR, DOUBLE) else set()
                case ir.Store() if base is room and user.value is not address:
                    found |= {at % _WORD} if user.value.type in (PTR, DOUBLE) else set()
                case ir.GetElementPtr() if user.operands[0] is address:
                    pending.append(user)
                case ir.Call() if is_copy(user) or is_lifetime(user):
                    pass
                case _:
                    return None
    return found if len(found) == 1 and any(found) else None


def _copies(layout: DataLayout, function: Function) -> Iterator[Copy]:
    for i in function.instructions():
        if is_copy(i):
            yield (*_base(layout, i.operands[0]), *_base(layout, i.operands[1]))


def is_copy(i: ir.Instruction) -> bool:
    """Is this a copy within usual memory?"""
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
    pending: list[tuple[ir.Instruction, Value, int]] = [
        (i, room, begin) for i in used.get(room, ()) if not is_lifetime(i)
    ]
    """What uses an address, and a number of bytes of which that is a multiple."""
    for i, _, _ in pending:
        i.operands[:] = [shifted if operand is room else operand for operand in i.operands]
    while pending:
        i, address, at = pending.pop()
        match i:
            case ir.GetElementPtr():
                offset = element_offset(layout, i)
                further = gcd(at + offset.constant, *(scale for _, scale in offset.terms))
                pending += [(user, i, further) for user in used.get(i, ())]
            case ir.Load() | ir.Store():
                i.align = gcd(i.align or _ALIGN, at, _ALIGN)
            case ir.Call():
                i.argument_attributes = [
                    _TOLD.sub("", text) if argument in (address, shifted) else text
                    for argument, text in zip(i.arguments, i.argument_attributes, strict=True)
                ]
            case _:
                pass
