"""Loops that copy or exchange bytes, where the two runs overlap.

Then bytes repeat, as in fills and decompression, or go round, as in rotations of characters. Numbers and pointers do
not: where the memory may have some, and it has a shadow, that ends the derivative's program with a message. Text is
moved as the program does it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.claims import touches_number, touches_pointer
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I64
from enzyme_build.ir.values import const_int

from .runtime import runtime_function, stop_if

if TYPE_CHECKING:
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .context import Context
    from .sweep import Sweep

_REPEATED: Final = "bytes_repeated"
_ROTATED: Final = "bytes_rotated"
_OVERLAP: Final = (
    "bytes are copied or exchanged one by one in memory that overlaps, where there may be numbers or pointers, which "
    "has no derivative; use memmove, or copy numbers as numbers"
)


def overlapping(module: Module, b: Builder, operands: list[Value], *, exchanges: bool) -> None:
    """Do what a loop over bytes does, from its destination, its source, a number of bytes, and whether it begins at the
    end."""
    b.call(runtime_function(module, _ROTATED if exchanges else _REPEATED), operands)


def stop_at_overlap(sweep: Sweep, i: ir.CallBase) -> None:
    """Derivatives end in such a loop over what may be numbers or pointers."""
    name = i.callee.name if isinstance(i.callee, Function) else ""
    if name not in {f"enzyme_build.{_REPEATED}", f"enzyme_build.{_ROTATED}"}:
        return
    if any(sweep.activity.has_shadow(a) and not _is_text(sweep.context, a) for a in i.arguments[:2]):
        where = sweep.context.location(i) or sweep.context.function.name
        stop_if(sweep.module, sweep.b, const_int(I64, 1), f"{where}: {_OVERLAP}")


def _is_text(context: Context, pointer: Value) -> bool:
    """Is there nothing but bytes at an address, and at all that are reached from there byte by byte?"""
    place = context.memory.place(pointer)
    if place is None:
        return False
    bytes_ = replace(place.resolved(), stride=1)
    return not touches_number(context.layout, bytes_, 1) and not touches_pointer(bytes_, 1)
