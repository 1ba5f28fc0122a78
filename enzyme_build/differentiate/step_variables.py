"""Variables of one step of a checkpointed loop: they begin to live in it, and are nothing when it is over.

They lie on the host's stack, as all variables do, where they would be state of the loop. Where the compiler has made
several loops of one, or uses the variable again, the loop gets one of its own.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.values import Constant

if TYPE_CHECKING:
    from enzyme_build.analysis.flow import Flow
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.values import Value


def take_variables(flow: Flow, loop: Loop) -> list[ir.Alloca]:
    """The variables of the host that are an iteration's own, which it uses alone from now on."""
    found = []
    for i in list(flow.function.entry.instructions):
        if isinstance(i, ir.Alloca) and not i.operands and (uses := flow.users.get(i)):
            parts = [use for use in uses if _is_part(use) and use.block not in loop.blocks]
            inside = [u for v in (i, *parts) for u in flow.users.get(v, ()) if u.block in loop.blocks]
            shared = any(use.block not in loop.blocks and use not in parts for use in uses) or any(
                use.block not in loop.blocks for part in parts for use in flow.users.get(part, ())
            )
            if _begins_in_each(flow, inside) and (not shared or _ends_in_each(flow, loop, inside)):
                found.append(_given_to(i, parts, inside, loop))
    return found


def _is_part(use: ir.Instruction) -> bool:
    """Is this the address of a member, which is computed in front of the loop?"""
    return isinstance(use, ir.GetElementPtr) and all(isinstance(index, Constant) for index in use.operands[1:])


def _is_lifetime(use: ir.Instruction, word: str) -> bool:
    return isinstance(use, ir.CallBase) and (getattr(use.callee, "name", "") or "").startswith(f"llvm.lifetime.{word}.")


def _begins_in_each(flow: Flow, uses: list[ir.Instruction]) -> bool:
    """Are its contents nothing yet when an iteration first uses it?"""
    return any(_is_lifetime(use, "start") and all(_is_before(flow, use, other) for other in uses) for use in uses)


def _ends_in_each(flow: Flow, loop: Loop, uses: list[ir.Instruction]) -> bool:
    """Are they nothing again when the iteration is over?"""
    last = [*loop.latches, *(block for block, exit_ in loop.exit_edges if exit_ in flow.returning.index)]
    return any(
        _is_lifetime(use, "end") and all(flow.dominators.dominates(use.block, block) for block in last) for use in uses
    )


def _is_before(flow: Flow, first: ir.Instruction, second: ir.Instruction) -> bool:
    if first.block is second.block:
        here = first.block.instructions
        return here.index(first) <= here.index(second)
    return flow.dominators.dominates(first.block, second.block)


def _given_to(variable: ir.Alloca, parts: list[ir.Instruction], inside: list[ir.Instruction], loop: Loop) -> ir.Alloca:
    """A variable for the loop alone, in front of the other."""
    own = copy.copy(variable)
    block = variable.block
    block.instructions.insert(block.instructions.index(variable), own)
    new: dict[Value, Value] = {variable: own}
    b = Builder(loop.header)
    b.position = len(list(loop.header.phis))
    for part in parts:
        if any(part in use.operands for use in inside):
            again = copy.copy(part)
            again.operands = [own, *part.operands[1:]]
            new[part] = b.insert(again)
    for use in inside:
        use.operands[:] = [new.get(operand, operand) for operand in use.operands]
    return own
