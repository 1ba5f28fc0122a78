"""Copies of an array with a header are two copies.

`memcpy(to, from, sizeof *from + n * sizeof from->items[0])` moves members that lie there once, and then elements of
which there are as many as the run tells. In the model that the pass reads the header is copied by itself, so that what
is moved is known for each: fields at known offsets, or fields that repeat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.elements import elements
from enzyme_build.analysis.fields import fields
from enzyme_build.analysis.narrowed import header
from enzyme_build.analysis.spread import accessed_places
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.function import remove_instructions
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import I1, I8, I64, PTR, array_type
from enzyme_build.ir.values import ConstantInt, const_int

if TYPE_CHECKING:
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_ALIGN: Final = 16


def split_headers(module: Module, function: Function, memory: Memory) -> bool:
    """Split the copies of the function's model of which nothing else tells what they move; was there any?"""
    split: set[ir.Instruction] = set()
    for call in [i for i in function.instructions() if isinstance(i, ir.Call)]:
        size = _header_of(module, memory, call)
        if size is not None:
            _split(module, function, call, size)
            split.add(call)
    remove_instructions(function, split)
    return bool(split)


def _header_of(module: Module, memory: Memory, call: ir.Call) -> int | None:
    """How many bytes of what is copied here are a header."""
    name = getattr(call.callee, "name", None) or ""
    if not name.startswith(("llvm.memcpy.p0.p0.", "llvm.memmove.p0.p0.")) or isinstance(call.arguments[2], ConstantInt):
        return None
    places = [place.resolved() for pointer in call.arguments[:2] for place in accessed_places(memory, pointer, call)]
    size = header(places)
    if size is None or elements(memory).copied(call.arguments[:2], call.arguments[2]) is not None:
        return None
    found = fields(module.layout, places, None)
    return size if found.mixed or found.unknown else None


def _split(module: Module, function: Function, call: ir.Call, size: int) -> None:
    name = call.callee.name  # type: ignore[attr-defined]
    copy = intrinsic(module, "memcpy", PTR, PTR, I64)
    room = _room(function, size) if "memmove" in name else None
    b = in_front_of(call)
    to, source, length = call.arguments[:3]
    wide = b.wide(length)
    first = b.call(intrinsic(module, "umin", I64), [wide, const_int(I64, size)])
    rest = b.sub(wide, first)
    behind = (b.ptradd(to, size), b.ptradd(source, size))
    if room is None:
        b.call(copy, [to, source, first, const_int(I1, 0)])
        b.call(copy, [*behind, rest, const_int(I1, 0)])
        return
    # Where the two overlap, the elements may be moved to where the header was.
    b.call(copy, [room, source, first, const_int(I1, 0)])
    b.call(intrinsic(module, "memmove", PTR, PTR, I64), [*behind, rest, const_int(I1, 0)])
    b.call(copy, [to, room, first, const_int(I1, 0)])


def _room(function: Function, size: int) -> ir.Alloca:
    entry = Builder(function.entry)
    entry.position = 0
    return entry.alloca(array_type(I8, size), None, _ALIGN)
