"""Leaves out what only an exception, or `longjmp`, can reach.

A derivative does not throw: calls that may unwind become ordinary calls in the model that the pass reads (the
program's own functions stay as they are). An exception that does leave a call inside a derivative ends the program.
`setjmp` returns once, zero, there; where it returns again, the derivative ends the program (see `sweep`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.metadata import unconditional
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import const_int
from enzyme_build.rules.inactive import SETJMP

from .edges import drop_edge, remove_unreachable
from .settled_branches import leave_out

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value


def without_unwinding(function: Function) -> None:
    """Turn every `invoke` of the function's model into a call that goes on at its normal destination."""
    replaced: dict[Value, Value] = {}
    for block in function.blocks:
        last = block.instructions[-1]
        if not isinstance(last, ir.Invoke):
            continue
        call = ir.Call(
            last.function_type,
            last.callee,
            last.arguments,
            argument_attributes=last.argument_attributes,
            convention=last.convention,
            result_attributes=last.result_attributes,
            function_attributes=last.function_attributes,
            name=last.name,
            metadata=last.metadata,
        )
        replaced[last] = call
        jump = ir.Jump(last.normal, unconditional(last.metadata))
        call.block = jump.block = block
        block.instructions[-1:] = [call, jump]
        if last.unwind is not last.normal:
            drop_edge(block, last.unwind)
    if replaced:
        remove_unreachable(function)
        for instruction in function.instructions():
            instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]
        leave_out(function)  # what is done if something was thrown (Rust's `catch_unwind`)


def without_second_returns(function: Function) -> None:
    """Have every `setjmp` of the function's model give zero, and take out what is reached behind another number."""
    found = {i for i in function.instructions() if is_setjmp(i) and isinstance(i.type, IntType)}
    if not found:
        return
    for i in function.instructions():
        i.operands[:] = [const_int(o.type, 0) if o in found else o for o in i.operands]
    leave_out(function)


def is_setjmp(i: ir.Instruction) -> bool:
    """Does this note where `longjmp` comes back to?"""
    return isinstance(i, ir.CallBase) and isinstance(i.callee, Function) and i.callee.name in SETJMP
