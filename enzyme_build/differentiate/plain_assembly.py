"""Inline assembly that is known becomes plain instructions.

Numerical libraries use three kinds: an empty template, which only keeps the optimiser from looking through a value;
`minpd`, `maxpd` and their like, for what they do with NaN; and fused multiplications (`vfmadd231pd`), for which
register they overwrite. In the model that the pass reads, the first hands its inputs on, the second is the comparison
that the instruction makes (Intel's manual: the second source where neither is less, or one is NaN), and the third is
`llvm.fma` of the operands that the digits name. Other assembly stays, and is refused where active data goes through
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.assembly import assembly_of
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import DOUBLE, FLOAT, IntType, PointerType, fields_of
from enzyme_build.ir.values import InlineAssembly, Value, poison
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.analysis.assembly import Assembly, Operands
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

# AT&T's order: second source, (first source,) destination; without a first source it is the destination.
_EXTREMUM: Final = regex(r"v?(min|max)([ps][sd]) \$(\d+), (?:\$(\d+), )?\$0")
_FUSED: Final = regex(r"vf(n?)m(add|sub)(132|213|231)([ps][sd]) \$(\d+), \$(\d+), \$0")


def plain_assembly(module: Module, function: Function) -> None:
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
                done = not found.is_intel and (
                    _extremum(builder, call, found, replaced) or _fused(module, builder, call, found, replaced)
                )
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


def _registers(
    call: ir.Call, assembly: Assembly, kind: str, numbers: Sequence[int], replaced: dict[Value, Value]
) -> list[Value] | None:
    """The values in these operands of an instruction that gives one of the same type; `kind` is the end of its name:
    `s` of one number, `p` of all in a register, then `s` or `d` for their width."""
    element = FLOAT if kind[1] == "s" else DOUBLE
    if (
        assembly.operands.outputs != [None]
        or call.type.scalar is not element
        or (kind[0] == "s" and call.type is not element)
    ):
        return None
    values = [assembly.operands.inputs.get(number) for number in numbers]
    given = [replaced.get(value, value) for value in values if value is not None and value.type is call.type]
    return given if len(given) == len(numbers) else None


def _extremum(builder: Builder, call: ir.Call, assembly: Assembly, replaced: dict[Value, Value]) -> bool:
    found = _EXTREMUM.fullmatch(assembly.template)
    if found is None:
        return False
    given = _registers(call, assembly, found[2], [int(found[4] or 0), int(found[3])], replaced)
    if given is None:
        return False
    first, second = given
    first_taken = builder.fcmp("olt" if found[1] == "min" else "ogt", first, second)
    replaced[call] = builder.select(first_taken, first, second)
    return True


def _fused(module: Module, builder: Builder, call: ir.Call, assembly: Assembly, replaced: dict[Value, Value]) -> bool:
    found = _FUSED.fullmatch(assembly.template)
    if found is None:
        return False
    given = _registers(call, assembly, found[4], [0, int(found[6]), int(found[5])], replaced)
    if given is None:
        return False
    # The digits are the operands in the manual's order, the destination first: the product of two, and what is added.
    a, b, c = (given[int(digit) - 1] for digit in found[3])
    a = builder.fneg(a) if found[1] else a
    c = builder.fneg(c) if found[2] == "sub" else c
    replaced[call] = builder.call(intrinsic(module, "fma", call.type), [a, b, c])
    return True
