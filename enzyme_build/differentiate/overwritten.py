"""Says what library functions write to memory: numbers from outside, and pointers.

What `fread` or `scanf` reads has no derivative, and those of the numbers that were there before end with the call. In
the model that the pass reads, a fill of these bytes follows the call: it changes no primal memory, and its rule clears
the shadow. Where the result says that fewer items were read, fewer are marked.

Where nothing tells whether a number was read (`>>` at the end of a stream, a null value in Fortran), the call gets a
variable of its own that holds a NaN with a payload, which no input has. What is another number then replaces the old
one; comparing with the old one would not tell that the same number was read, which is constant.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.formats import constant_text, scanned
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import (
    DOUBLE,
    FLOAT,
    I64,
    PTR,
    VOID,
    X86_FP80,
    PointerType,
    array_type,
    fields_of,
    function_type,
    int_type,
)
from enzyme_build.ir.values import GlobalVariable, Value, const_float, const_int, zero
from enzyme_build.rules.inactive_rows import Fill, Inactive, Number
from enzyme_build.rules.registry import lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.module import Module

_UNREAD: Final[float] = struct.unpack(">d", (0x7FF8A5C3E0000000).to_bytes(8, "big"))[0]
"""A NaN with a payload that `float` has room for."""
_UNREAD_BITS: Final = {FLOAT: 0x7FC52E1F, DOUBLE: 0x7FF8A5C3E0000000, X86_FP80: 0x7FFFC52E1F0000000000}


def mark_overwritten(module: Module, function: Function) -> None:
    """Let fills follow the calls of the function's model that read numbers from outside."""
    for block in function.blocks:
        for call in [i for i in block.instructions if isinstance(i, ir.Call)]:
            known = reader(module, call)
            if known is not None:
                for number in known.numbers:
                    _read_apart(module, function, call, number)
                builder = _behind(call)
                for pointer, size in _runs(module, builder, call, known):
                    callee = module.declare("enzyme_build.overwritten", function_type(VOID, (PTR, I64)))
                    builder.call(callee, [pointer, size])


def follow_ends(module: Module, function: Function) -> None:
    """Say where the pointers lead to that library functions write. In the model that the pass reads, each is stored
    once more: one that `strtod` sets into its text as the text and a distance, which have a shadow together; one to new
    text, as `asprintf` and flang's `trim` make it, as what has none."""
    for call in [i for i in function.instructions() if isinstance(i, ir.Call)]:
        known = _inactive(module, call)
        if known is not None and known.ends is not None:
            target, text = (call.arguments[at] for at in known.ends)
            same = isinstance(text, ir.Load) and text.pointer is target
            if _is_memory(module, target) or same:  # else it may be null
                builder = _behind(call)
                end, start = (builder.cast("ptrtoint", pointer, I64) for pointer in (builder.load(PTR, target), text))
                builder.store(builder.ptradd(text, builder.sub(end, start)), target)
        elif known is not None and known.leaves is not None:
            target, builder = call.arguments[known.leaves], _behind(call)
            made = module.declare("enzyme_build.new_text", function_type(PTR, (PTR,)))
            builder.store(builder.call(made, [target]), target)


def _behind(call: ir.Call) -> Builder:
    assert call.block is not None
    builder = Builder(call.block, debug_attachment(call))
    builder.position = call.block.instructions.index(call) + 1
    return builder


def _is_memory(module: Module, pointer: Value) -> bool:
    base, _ = fixed_base(module.layout, pointer)
    return isinstance(base, ir.Alloca | GlobalVariable) or base is not pointer


def reader(module: Module, call: ir.CallBase) -> Inactive | None:
    """The row of an external function that reads numbers into memory."""
    known = _inactive(module, call)
    return known if known is not None and (known.fills or known.numbers or known.scans is not None) else None


def _inactive(module: Module, call: ir.CallBase) -> Inactive | None:
    """The row of an external function that has no derivative."""
    callee = call.callee
    if not isinstance(callee, Function) or module.is_defined(callee.name):
        return None
    known = lookup(callee.name, callee.function_type)
    return known if isinstance(known, Inactive) else None


def _runs(module: Module, builder: Builder, call: ir.Call, known: Inactive) -> Iterator[tuple[Value, Value]]:
    for fill in known.fills:
        if fill.pointer < len(call.arguments) and isinstance(call.arguments[fill.pointer].type, PointerType):
            yield call.arguments[fill.pointer], _size(builder, call, fill)
    if known.scans is None:
        return
    items = scanned_items(module, call, known)
    for number, (argument, size) in enumerate(items or []):
        if size and argument < len(call.arguments):
            read = builder.icmp("sgt", call, const_int(call.type, number))
            yield call.arguments[argument], builder.select(read, const_int(I64, size), const_int(I64, 0))


def _read_apart(module: Module, function: Function, call: ir.Call, number: Number) -> None:
    """Let the call read into a variable of its own, and what it has read replace the number that was there."""
    entry = Builder(function.entry)
    entry.position = 0
    own = entry.alloca(array_type(number.type, number.count))
    old, size = call.arguments[number.pointer], module.layout.alloc_size(number.type)
    call.operands[number.pointer], call.tail = own, ""
    before = in_front_of(call)
    for offset in range(0, number.count * size, size):
        before.store(const_float(number.type, _UNREAD), before.ptradd(own, offset))
    behind = _behind(call)
    for offset in range(0, number.count * size, size):
        read, place = behind.load(number.type, behind.ptradd(own, offset)), behind.ptradd(old, offset)
        whole = int_type(number.type.bits)
        none = behind.icmp("eq", behind.cast("bitcast", read, whole), const_int(whole, _UNREAD_BITS[number.type]))
        behind.store(behind.select(none, behind.load(number.type, place, align=1), read), place, align=1)


def _size(builder: Builder, call: ir.Call, fill: Fill) -> Value:
    factors = [call.arguments[at] for at in fill.sizes]
    if fill.counted:
        none = const_int(call.type, 0)
        factors.append(builder.select(builder.icmp("sgt", call, none), call, none))
    if fill.counter is not None:
        factors.append(builder.load(I64, builder.ptradd(call.arguments[0], fill.counter)))
    if fill.status:
        status = builder.extract_value(call, len(fields_of(call.type)) - 1) if fields_of(call.type) else call
        factors.append(builder.icmp("eq", status, zero(status.type)))
    total: Value | None = None if fill.constant == 1 else const_int(I64, fill.constant)
    for factor in factors:
        wide = builder.wide(factor)
        total = wide if total is None else builder.mul(total, wide)
    return total if total is not None else const_int(I64, 1)


def scanned_items(module: Module, call: ir.CallBase, known: Inactive) -> list[tuple[int, int]] | None:
    """(argument, bytes of a number or 0) for each item that the format reads; None if the format is not constant, or
    has what is not known."""
    assert known.scans is not None
    text = constant_text(module, call.arguments[known.scans])
    sizes = scanned(text) if text is not None else None
    if sizes is None:
        return None
    first = known.scans + 1
    return [(first + number, size) for number, size in enumerate(sizes) if size is not None]
