"""Says what library functions write to memory: numbers from outside, and pointers.

What `fread` or `scanf` reads has no derivative, and those of the numbers that were there before end with the call. In
the model that the pass reads, a fill of these bytes follows the call: it changes no primal memory, and its rule clears
the shadow. Where the result says that fewer items were read, fewer are marked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.formats import constant_text
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I64, PTR, VOID, PointerType, function_type
from enzyme_build.ir.values import GlobalVariable, Value, const_int
from enzyme_build.regex import regex
from enzyme_build.rules.inactive import Fill, Inactive
from enzyme_build.rules.registry import lookup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.module import Module

# %[*][width][length]conversion; %% and %n read no item
_CONVERSION: Final = regex(r"%(\*?)\d*m?(hh|h|ll|l|L|q|j|z|t)?(\[\^?\]?[^]]*\]|.)", re.DOTALL)
_SIZES: Final = {"": 4, "l": 8, "L": 10}


def mark_overwritten(module: Module, function: Function) -> None:
    """Let fills follow the calls of the function's model that read numbers from outside."""
    for block in function.blocks:
        for call in [i for i in block.instructions if isinstance(i, ir.Call)]:
            known = reader(module, call)
            if known is not None:
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
    return known if known is not None and (known.fills or known.scans is not None) else None


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


def _size(builder: Builder, call: ir.Call, fill: Fill) -> Value:
    factors = [call.arguments[at] for at in fill.sizes]
    if fill.counted:
        none = const_int(call.type, 0)
        factors.append(builder.select(builder.icmp("sgt", call, none), call, none))
    total: Value | None = None if fill.constant == 1 else const_int(I64, fill.constant)
    for factor in factors:
        wide = builder.wide(factor)
        total = wide if total is None else builder.mul(total, wide)
    return total if total is not None else const_int(I64, 1)


def scanned_items(module: Module, call: ir.CallBase, known: Inactive) -> list[tuple[int, int]] | None:
    """(argument, bytes of a number or 0) for each item that the format reads; None if the format is not constant."""
    assert known.scans is not None
    text = constant_text(module, call.arguments[known.scans])
    if text is None or "$" in text:
        return None
    items = []
    argument = known.scans + 1
    for match in _CONVERSION.finditer(text):
        if match[1] or match[3] == "%":
            continue
        if match[3] != "n":
            items.append((argument, _SIZES.get(match[2] or "", 0) if match[3] in "aAeEfFgG" else 0))
        argument += 1
    return items
