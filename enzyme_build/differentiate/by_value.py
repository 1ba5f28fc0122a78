"""Structs passed by value in memory: the callee owns its copy.

A `byval` parameter is a pointer to the caller's memory that the call copies. A derivative function takes the caller's
pointer and its shadow instead, so the model that the pass reads copies at its entry: then what the callee writes, and
the adjoints of it, stay its own. The copy is left out where nobody can tell: LLVM may hand over memory that the callee
writes to by other ways (an element of an array), which a copy does not see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import I1, I64, PTR
from enzyme_build.ir.values import Value, const_int
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_BY_VALUE = regex(r"\bbyval\(((?:[^()]|\([^()]*\))*)\)")
_ALIGN = regex(r"\balign (\d+)")


def own_copies(module: Module, function: Function) -> None:
    """Make the function's model copy its `byval` parameters."""
    if not function.blocks:
        return
    builder = Builder(function.entry)
    builder.position = 0
    replaced: dict[Value, Value] = {}
    writes = any(map(may_write, function.instructions()))
    for argument in function.arguments:
        found = _BY_VALUE.search(argument.attributes)
        if found is None:
            continue
        type_ = module.parse_type(found[1])
        align = _ALIGN.search(argument.attributes)
        unchanged = not writes and all(word in argument.attributes for word in ("readonly", "captures(none)"))
        argument.attributes = argument.attributes.replace(found[0], f"byref({found[1]})")
        if unchanged:
            continue
        copy = builder.alloca(type_, None, int(align[1]) if align else 0, f"{argument.name or 'argument'}.copy")
        move = intrinsic(module, "memcpy", PTR, PTR, I64)
        builder.call(move, [copy, argument, const_int(I64, module.layout.alloc_size(type_)), const_int(I1, 0)])
        replaced[argument] = copy
    if replaced:
        for block in function.blocks:
            for at, instruction in enumerate(block.instructions):
                if block is not function.entry or at >= (builder.position or 0):
                    instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]


def may_write(i: ir.Instruction) -> bool:
    """May this write to memory? Calls do, but for intrinsic functions of numbers."""
    if isinstance(i, ir.CallBase):
        return not i.type.scalar.is_float or not (getattr(i.callee, "name", None) or "").startswith("llvm.")
    return isinstance(i, ir.Store | ir.AtomicRMW | ir.CompareExchange)
