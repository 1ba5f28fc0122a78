"""`dynamic_cast` as pointer arithmetic.

The C++ runtime's `__dynamic_cast(object, from, to, hint)` returns null or a pointer into the object; with a hint ≥ 0
(Itanium C++ ABI, 2.9.5: `from` is a unique, public, non-virtual base of `to`, at that offset) it is the object moved
back by the hint. In the model that the pass reads it is computed that way, so that its shadow is the shadow of the
object, moved the same. A cast across to another base of a larger object ends the program; without a hint the pointer's
origin is not known, and a cast of an object that carries derivatives is refused (`differentiate.calls`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PTR
from enzyme_build.ir.values import ConstantInt, Value, null

from .runtime import runtime_function

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

NAME = "__dynamic_cast"


def casts_as_arithmetic(module: Module, function: Function) -> None:
    """Follow each cast with a hint by the arithmetic, and use that instead of its result."""
    replaced: dict[Value, Value] = {}
    made: set[ir.Instruction] = set()
    for block in function.blocks:
        for call in [i for i in block.instructions if has_hint(i)]:
            assert isinstance(call, ir.CallBase)
            hint = call.arguments[3]
            assert isinstance(hint, ConstantInt)
            builder = Builder(block, debug_attachment(call))
            before = len(block.instructions)
            builder.position = at = block.instructions.index(call) + 1
            moved = builder.ptradd(call.arguments[0], -hint.value, "inbounds")
            builder.call(runtime_function(module, "same_object"), [call, moved])
            replaced[call] = builder.select(builder.icmp("eq", call, null(PTR)), null(PTR), moved)
            made.update(block.instructions[at : at + len(block.instructions) - before])
    if replaced:
        for instruction in function.instructions():
            if instruction not in made:
                instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]


def has_hint(i: ir.Instruction) -> bool:
    """Is this a `dynamic_cast` whose result is known but for failure?"""
    if not isinstance(i, ir.CallBase) or not isinstance(i.callee, Function) or i.callee.name != NAME:
        return False
    hint = i.arguments[3] if len(i.arguments) == 4 else None
    return isinstance(hint, ConstantInt) and 0 <= hint.value < 1 << 63
