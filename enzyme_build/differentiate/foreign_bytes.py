"""Bytes that a struct declares as characters, or as a union, where they are copied in reverse mode.

Mostly they are text or integers, which have neither adjoints nor shadows. Nothing proves it of memory that callers
hand over, but the run shows it. In the forward sweep their shadow must be zero or what they are themselves, as in a
shadow that was made by copying the object: a pointer would have another one. In the reverse sweep the shadow of what
was overwritten must be zero: a number might have an adjoint there. So what a shadow has of text is cleared in the
forward sweep; text is characters that can be printed, up to the first zero, and no number looks like that. All else
ends the program with a message. Where the derivative is differentiated again, the same holds for the tangents
or adjoints of the shadow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I64
from enzyme_build.ir.values import ConstantInt, const_int

from .runtime import runtime_function, stop_if

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.analysis.declared_bytes import Range
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.values import Value

    from .augmented import AugmentedSweep
    from .context import Context
    from .forward import TangentSweep
    from .reverse import ReverseSweep


def read_words(sweep: AugmentedSweep, load: ir.Load) -> None:
    """Checks of a word that is read."""
    if load in sweep.activity.bytes and sweep.activity.has_shadow(load.pointer):
        for _ in sweep.lanes.each():
            check_source(sweep, load, load.pointer, _ranges(sweep.context, load.pointer, load))


def written_words(sweep: AugmentedSweep, store: ir.Store) -> None:
    """Checks of a word before it is written."""
    if store.value in sweep.activity.bytes and sweep.activity.memory_active(store.pointer):
        for _ in sweep.lanes.each():
            clear_text(sweep, store.pointer, _ranges(sweep.context, store.pointer, store.value))


def taken_words(sweep: ReverseSweep, store: ir.Store) -> None:
    """Checks of a word that was written, in the reverse sweep."""
    if store.value in sweep.activity.bytes:
        stop_at_adjoints(sweep, store, store.pointer, _ranges(sweep.context, store.pointer, store.value))


def _ranges(context: Context, pointer: Value, word: Value) -> list[Range]:
    size = context.layout.store_size(word.type)
    told = declared_bytes(context.memory).ranges(pointer, size)
    return [(0, size)] if told is None else told


def check_source(sweep: AugmentedSweep, i: ir.Instruction, pointer: Value, ranges: Iterable[Range]) -> None:
    """The shadow of what is copied has neither other pointers nor adjoints."""
    b = sweep.b
    for start, size in ranges:
        memory, shadow = (b.ptradd(p, start) for p in (sweep.value(pointer), sweep.shadow(pointer)))
        bits = b.call(runtime_function(sweep.module, "bytes_other"), [memory, shadow, const_int(I64, size)])
        _stop(sweep.context, b, i, bits)


def clear_text(sweep: AugmentedSweep, pointer: Value, ranges: Iterable[Range]) -> None:
    """The shadow of an object may have its text, which is no adjoint."""
    b = sweep.b
    for start, size in ranges:
        memory, shadow = (b.ptradd(p, start) for p in (sweep.value(pointer), sweep.shadow(pointer)))
        b.call(runtime_function(sweep.module, "bytes_clear"), [memory, shadow, const_int(I64, size)])


def stop_at_adjoints(sweep: ReverseSweep, i: ir.Instruction, pointer: Value, ranges: Iterable[Range]) -> None:
    """What was overwritten has no adjoint."""
    b = sweep.b
    shadow = sweep.recall.shadow(pointer)
    for start, size in ranges:
        left = runtime_function(sweep.module, "bytes_left")
        bits: Value = b.call(left, [b.ptradd(shadow, start), const_int(I64, size)])
        if sweep.activity.is_uncertain(pointer):
            constant = b.icmp("eq", shadow, sweep.recall.value(pointer))
            bits = b.select(constant, const_int(I64, 0), bits)
        _stop(sweep.context, b, i, bits)


def checked_tangents(sweep: TangentSweep, i: ir.CallBase) -> None:
    """The checks of a derivative that is differentiated: an adjoint that is zero may have a tangent."""
    name = i.callee.name if isinstance(i.callee, Function) else ""
    if name == "enzyme_build.bytes_left" and sweep.activity.has_shadow(i.arguments[0]):
        bits = sweep.b.call(i.callee, [sweep.shadow(i.arguments[0]), sweep.value(i.arguments[1])])
        sweep.values[i] = sweep.b.binary("or", sweep.value(i), bits)
    elif name == "enzyme_build.bytes_clear" and sweep.activity.has_shadow(i.arguments[1]):
        memory, shadow, size = i.arguments
        sweep.b.call(i.callee, [sweep.value(memory), sweep.shadow(shadow), sweep.value(size)])


def checked_shadow(i: ir.CallBase) -> Value | None:
    """The memory that a check of an inner derivative looks at, if it is one."""
    name = i.callee.name if isinstance(i.callee, Function) else ""
    return i.arguments[-2] if name in ("enzyme_build.bytes_left", "enzyme_build.bytes_other") else None


def checked_adjoints(sweep: ReverseSweep, i: ir.CallBase) -> None:
    """The same of adjoints: one of what was copied, or of where it was copied to."""
    shadow, size = checked_shadow(i), i.arguments[-1] if i.arguments else None
    if shadow is not None and isinstance(size, ConstantInt) and sweep.activity.memory_active(shadow):
        for _ in sweep.lanes.each():
            stop_at_adjoints(sweep, i, shadow, [(0, size.value)])


def _stop(context: Context, b: Builder, i: ir.Instruction, bits: Value) -> None:
    where = context.location(i) or context.function.name
    text = (
        f"{where}: bytes that a struct declares as characters or as a union are copied, and in its shadow they are "
        "neither zero nor a copy of the text; set them to zero there, or declare the numbers and pointers in them"
    )
    stop_if(context.module, b, bits, text)
