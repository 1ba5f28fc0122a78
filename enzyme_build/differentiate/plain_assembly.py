"""Inline assembly that is known becomes plain instructions.

Numerical libraries use two kinds: an empty template, which only keeps the optimiser from looking through a value, and
`minpd`, `maxpd` and their like, for what they do with NaN. In the model that the pass reads, the first hands its inputs
on and the second is the comparison that the instruction makes (Intel's manual: the second source where neither is
less, or one is NaN). Other assembly stays, and is refused where active data goes through it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import VOID
from enzyme_build.ir.values import InlineAssembly, Value, poison

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function

_ASSEMBLY: Final = re.compile(r'asm (?:(?:sideeffect|alignstack|unwind) )*"([^"]*)", "([^"]*)"')
# AT&T's order: second source, (first source,) destination; without a first source it is the destination.
_EXTREMUM: Final = re.compile(r"v?(min|max)[ps][sd] \$(\d+), (?:\$(\d+), )?\$0")


def plain_assembly(function: Function) -> None:
    """Rewrite the known assembly of the function's model."""
    replaced: dict[Value, Value] = {}
    for block in function.blocks:
        for call in [i for i in block.instructions if isinstance(i, ir.Call) and isinstance(i.callee, InlineAssembly)]:
            found = _ASSEMBLY.fullmatch(call.callee.text) if isinstance(call.callee, InlineAssembly) else None
            if found is None:
                continue
            builder = Builder(block, debug_attachment(call))
            builder.position = block.instructions.index(call)
            operands = _Operands(found[2], call.arguments)
            if found[1] == "":
                done = _hand_on(builder, call, operands, replaced)
            else:
                done = _extremum(builder, call, operands, found[1], replaced)
            if done:
                block.instructions.remove(call)
    if replaced:
        for instruction in function.instructions():
            instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]


class _Operands:
    """The constraints of one call: per output the memory it goes to (None: it is returned), per number an input."""

    def __init__(self, constraints: str, arguments: list[Value]) -> None:
        self.outputs: list[Value | None] = []
        self.inputs: dict[int, Value] = {}
        """Inputs by number; one that shares its place with an output, by the number of that."""
        rest = list(arguments)
        number = 0
        for constraint in constraints.split(","):
            if constraint.startswith("~"):
                continue
            if constraint.startswith("="):
                self.outputs.append(rest.pop(0) if constraint.startswith("=*") else None)
            else:
                self.inputs[int(constraint) if constraint.isdigit() else number] = rest.pop(0)
            number += 1


def _hand_on(builder: Builder, call: ir.Call, operands: _Operands, replaced: dict[Value, Value]) -> bool:
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


def _extremum(
    builder: Builder, call: ir.Call, operands: _Operands, template: str, replaced: dict[Value, Value]
) -> bool:
    found = _EXTREMUM.fullmatch(template)
    if found is None or operands.outputs != [None] or not call.type.is_float_like:
        return False
    second = operands.inputs.get(int(found[2]))
    first = operands.inputs.get(int(found[3] or 0))
    if first is None or second is None or first.type is not call.type or second.type is not call.type:
        return False
    first_taken = builder.fcmp("olt" if found[1] == "min" else "ogt", first, second)
    replaced[call] = builder.select(first_taken, first, second)
    return True
