"""Inline assembly that is known becomes plain instructions.

Numerical libraries use two kinds: an empty template, which only keeps the optimiser from looking through a value, and
`minpd`, `maxpd` and their like, for what they do with NaN. In the model that the pass reads, the first hands its inputs
on and the second is the comparison that the instruction makes (Intel's manual: the second source where neither is
less, or one is NaN). Other assembly stays, and is refused where active data goes through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.assembly import assembly_of
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import IntType, PointerType, fields_of
from enzyme_build.ir.values import InlineAssembly, Value, poison
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from enzyme_build.analysis.assembly import Assembly, Operands
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.types import Type

# AT&T's order: second source, (first source,) destination; without a first source it is the destination.
_EXTREMUM: Final = regex(r"v?(min|max)[ps][sd] \$(\d+), (?:\$(\d+), )?\$0")


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
    values = [operands.inputs[number] for number in range(len(operands.outputs))]
    values = [replaced.get(value, value) for value in values]
    types = [call.type] if operands.outputs.count(None) == 1 else list(fields_of(call.type))
    kept = [value for value, memory in zip(values, operands.outputs, strict=True) if memory is None]
    returned = [_converted(builder, value, type_) for value, type_ in zip(kept, types, strict=True)] if kept else []
    if any(value is None for value in returned):
        return False
    for value, memory in zip(values, operands.outputs, strict=True):
        if memory is not None:
            builder.store(value, memory)
    whole: Value = poison(call.type)
    for index, part in enumerate(returned):
        assert part is not None
        whole = part if len(returned) == 1 else builder.insert_value(whole, part, (index,))
    if returned:
        replaced[call] = whole
    return True


def _converted(builder: Builder, value: Value, type_: Type) -> Value | None:
    """What went in, as the type in which it comes out."""
    if value.type is type_:
        return value
    if isinstance(type_, PointerType) and isinstance(value.type, IntType):
        return builder.cast("inttoptr", value, type_)
    if isinstance(type_, IntType) and isinstance(value.type, PointerType):
        return builder.cast("ptrtoint", value, type_)
    return None


def _extremum(builder: Builder, call: ir.Call, assembly: Assembly, replaced: dict[Value, Value]) -> bool:
    found = _EXTREMUM.fullmatch(assembly.template)
    operands = assembly.operands
    if found is None or operands.outputs != [None] or not call.type.is_float_like:
        return False
    second = operands.inputs.get(int(found[2]))
    first = operands.inputs.get(int(found[3] or 0))
    first, second = (replaced.get(value, value) if value is not None else None for value in (first, second))
    if first is None or second is None or first.type is not call.type or second.type is not call.type:
        return False
    first_taken = builder.fcmp("olt" if found[1] == "min" else "ogt", first, second)
    replaced[call] = builder.select(first_taken, first, second)
    return True
