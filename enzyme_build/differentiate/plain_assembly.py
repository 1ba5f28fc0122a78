"""Inline assembly that is known becomes plain instructions.

Numerical libraries use two kinds: an empty template, which only keeps the optimiser from looking through a value, and
`minpd`, `maxpd` and their like, for what they do with NaN. In the model that the pass reads, the first hands its inputs
on and the second is the comparison that the instruction makes (Intel's manual: the second source where neither is
less, or one is NaN). Other assembly stays, and is refused where active data goes through it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.assembly import assembly_of
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import VOID
from enzyme_build.ir.values import InlineAssembly, Value, poison

if TYPE_CHECKING:
    from enzyme_build.analysis.assembly import Assembly, Operands
    from enzyme_build.ir.function import Function

# AT&T's order: second source, (first source,) destination; without a first source it is the destination.
_EXTREMUM: Final = re.compile(r"v?(min|max)[ps][sd] \$(\d+), (?:\$(\d+), )?\$0")


def plain_assembly(function: Function) -> None:
    """Rewrite the known assembly of the function's model."""
    replaced: dict[Value, Value] = {}
    for block in function.blocks:
        for call in [i for i in block.instructions if isinstance(i, ir.Call) and isinstance(i.callee, InlineAssembly)]:
            found = assembly_of(call)
            if found is None:
                continue
            builder = Builder(block, debug_attachment(call))
            builder.position = block.instructions.index(call)
            if not found.statements:
                done = _hand_on(builder, call, found.operands, replaced)
            else:
                done = not found.is_intel and _extremum(builder, call, found, replaced)
            if done:
                block.instructions.remove(call)
    if replaced:
        for instruction in function.instructions():
            instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]


def _hand_on(builder: Builder, call: ir.Call, operands: Operands, replaced: dict[Value, Value]) -> bool:
    """An empty template: every output is the input that shares its place."""
    if any(number not in operands.inputs for number in range(len(operands.outputs))):
        return False
    returned = []
    for number, memory in enumerate(operands.outputs):
        value = operands.inputs[number]
        if memory is None:
            returned.append(value)
        else:
            builder.store(value, memory)
    if call.type is VOID:
        return True
    if len(returned) == 1:
        replaced[call] = returned[0]
        return returned[0].type is call.type
    whole: Value = poison(call.type)
    for index, value in enumerate(returned):
        whole = builder.insert_value(whole, value, (index,))
    replaced[call] = whole
    return True


def _extremum(builder: Builder, call: ir.Call, assembly: Assembly, replaced: dict[Value, Value]) -> bool:
    found = _EXTREMUM.fullmatch(assembly.template)
    operands = assembly.operands
    if found is None or operands.outputs != [None] or not call.type.is_float_like:
        return False
    second = operands.inputs.get(int(found[2]))
    first = operands.inputs.get(int(found[3] or 0))
    if first is None or second is None or first.type is not call.type or second.type is not call.type:
        return False
    first_taken = builder.fcmp("olt" if found[1] == "min" else "ogt", first, second)
    replaced[call] = builder.select(first_taken, first, second)
    return True
