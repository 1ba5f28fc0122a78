"""`dynamic_cast` as pointer arithmetic.

The C++ runtime's `__dynamic_cast(object, from, to, hint)` returns null or a pointer into the object; with a hint ≥ 0
(Itanium C++ ABI, 2.9.5: `from` is a unique, public, non-virtual base of `to`, at that offset) it is the object moved
back by the hint. Without one, as across to another base of a larger object, it is the object moved as some class of the
link says (`analysis.class_layout`). In the model that the pass reads it is computed that way, so that its shadow is the
shadow of the object, moved the same. A cast that leads elsewhere ends the program; where no class of the link has both
parts, a cast of an object that carries derivatives is refused (`differentiate.calls`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.class_layout import leaps
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
    """Follow each cast by the arithmetic, and use that instead of its result."""
    replaced: dict[Value, Value] = {}
    checks: dict[ir.Instruction, Value] = {}
    for block in function.blocks:
        for call in [i for i in block.instructions if is_cast(i)]:
            assert isinstance(call, ir.CallBase)
            distances = known_distances(module, call)
            if not distances:
                continue
            builder = Builder(block, debug_attachment(call))
            before = len(block.instructions)
            builder.position = at = block.instructions.index(call) + 1
            moved = builder.ptradd(call.arguments[0], distances[0], "inbounds")
            for distance in distances[1:]:
                other = builder.ptradd(call.arguments[0], distance)
                moved = builder.select(builder.icmp("eq", call, other), other, moved)
            builder.call(runtime_function(module, "same_object"), [call, moved])
            replaced[call] = builder.select(builder.icmp("eq", call, null(PTR)), null(PTR), moved)
            checks |= dict.fromkeys(block.instructions[at : at + len(block.instructions) - before], call)
    if replaced:
        for instruction in function.instructions():
            # The arithmetic looks at its own cast's result, and begins at what an earlier cast became.
            own = checks.get(instruction)
            instruction.operands[:] = [o if o is own else replaced.get(o, o) for o in instruction.operands]


def is_cast(i: ir.Instruction) -> bool:
    return (
        isinstance(i, ir.CallBase)
        and isinstance(i.callee, Function)
        and i.callee.name == NAME
        and len(i.arguments) == 4
    )


def known_distances(module: Module, call: ir.CallBase) -> list[int]:
    """How far a `dynamic_cast` that does not fail may move its pointer."""
    hint = call.arguments[3]
    if isinstance(hint, ConstantInt) and 0 <= hint.value < 1 << 63:
        return [-hint.value]
    return leaps(module, call.arguments[1], call.arguments[2])
