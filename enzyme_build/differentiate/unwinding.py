"""Leaves out what only an exception can reach.

A derivative does not throw: calls that may unwind become ordinary calls in the model that the pass reads (the
program's own functions stay as they are). An exception that does leave a call inside a derivative ends the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir

from .edges import drop_edge, remove_unreachable

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
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
        jump = ir.Jump(last.normal, last.metadata)
        call.block = jump.block = block
        block.instructions[-1:] = [call, jump]
        if last.unwind is not last.normal:
            drop_edge(block, last.unwind)
    if replaced:
        remove_unreachable(function)
        for instruction in function.instructions():
            instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]
