"""Loops that the reverse sweep may run in the order of the primal.

Where no iteration needs the adjoint of what a later one computed, the reverse of the iterations may come in any order.
In the order of the primal, values that change from iteration to iteration need not be kept: what is not differentiated
(an angle that is turned on, the state of a recurrence, a pointer that walks) is computed along once more. And memory is
run through upward, as processors and LLVM like it best.

So it is with an innermost loop that is left by its only latch, where

- the adjoints of different iterations meet in memory only to be added: no iteration touches what another one stores;
- active values go from one iteration to the next, and out of the loop, only as sums: s + x, whose adjoint is the same
  in all iterations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir

from .calls import CallKind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from enzyme_build.analysis.known import CallEffects
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .context import Context

_MOST_ACCESSES: Final = 24
"""Of active memory in a loop: their number counts twice in the time to compare them."""
_HARMLESS: Final = (CallKind.MATH, CallKind.PLAIN, CallKind.DROPPED)
_ADDITIONS: Final = ("llvm.fma.", "llvm.fmuladd.")


def runs_upward(context: Context, loop: Loop, kinds: Mapping[ir.CallBase, tuple[CallKind, CallEffects | None]]) -> bool:
    """May the reverse of this loop run in the primal's order?"""
    if loop.children or loop.preheader is None or loop.latch is None:
        return False
    # What ends the program, as a failed check of bounds, is no way back into the loop.
    if {block for block, exit_ in loop.exit_edges if exit_ in context.facts.returning.index} != {loop.latch}:
        return False
    if context.request.replayed:
        return False
    instructions = [i for block in loop.blocks for i in block.instructions]
    if not all(_is_plain(context, i, kinds) for i in instructions):
        return False
    return _only_sums(context, loop, instructions) and _apart(context, loop, instructions)


def _is_plain(
    context: Context, i: ir.Instruction, kinds: Mapping[ir.CallBase, tuple[CallKind, CallEffects | None]]
) -> bool:
    """Is this no instruction whose reverse does more than add to adjoints?"""
    match i:
        case ir.CallBase():
            return kinds[i][0] in _HARMLESS if i in kinds else False
        case ir.AtomicRMW() | ir.CompareExchange():
            return not context.activity.memory_active(i.operands[0])
        case ir.Store():
            return not (i.ordering or i.volatile)
        case ir.Load():
            return not (i.ordering or i.volatile) or not context.activity.is_active(i)
        case _:
            return not isinstance(i, ir.Alloca)


# Values ------------------------------------------------------------------------------------------------------------


def _only_sums(context: Context, loop: Loop, instructions: Collection[ir.Instruction]) -> bool:
    """Do active values leave an iteration as sums only?"""
    assert loop.latch is not None
    users = context.facts.users
    sums: set[Value] = set()
    results: set[Value] = set()
    for phi in loop.header.phis:
        if context.activity.is_active(phi):
            parts = _parts_of_sum(phi, loop.latch, loop.blocks)
            if parts is None or not sums.isdisjoint(parts):
                return False
            result = phi.incoming(loop.latch)
            if any(user not in parts for part in parts for user in users.get(part, ()) if part is not result):
                return False
            if any(user is not phi and user.block in loop.blocks for user in users.get(result, ())):
                return False
            sums |= parts
            results.add(result)
    return not any(
        context.activity.is_active(i) and i not in results and any(u.block not in loop.blocks for u in users.get(i, ()))
        for i in instructions
    )


def _parts_of_sum(phi: ir.Phi, latch: Block, blocks: Collection[Block]) -> set[Value] | None:
    """The values from a phi to what it is in the next iteration, if each of them is the phi plus something."""
    parts: set[Value] = {phi}
    seen: set[Value] = set()

    def is_part(value: Value) -> bool:
        if value in parts:
            return True
        if value in seen or not isinstance(value, ir.Instruction) or value.block not in blocks:
            return False
        seen.add(value)
        match value:
            case ir.Binary(op="fadd"):
                found = sum(map(is_part, value.operands)) == 1
            case ir.Binary(op="fsub"):
                found = is_part(value.operands[0]) and not is_part(value.operands[1])
            case ir.CallBase() if (getattr(value.callee, "name", None) or "").startswith(_ADDITIONS):
                found = is_part(value.arguments[2]) and not any(map(is_part, value.arguments[:2]))
            case ir.Phi():
                found = all(map(is_part, value.operands))
            case ir.Select():
                found = all(map(is_part, value.operands[1:]))
            case _:
                found = False
        if found:
            parts.add(value)
        return found

    result = phi.incoming(latch)
    return parts if result is not phi and is_part(result) else None


# Memory ------------------------------------------------------------------------------------------------------------


def _apart(context: Context, loop: Loop, instructions: Collection[ir.Instruction]) -> bool:
    """Does no iteration touch active memory that another one stores to?"""
    activity = context.activity
    stores = [i for i in instructions if isinstance(i, ir.Store) and activity.memory_active(i.pointer)]
    loads: list[ir.Load | ir.Store] = [i for i in instructions if isinstance(i, ir.Load) and activity.is_active(i)]
    if stores and len(stores) + len(loads) > _MOST_ACCESSES:
        return False
    return all(
        context.aliasing.apart_between_iterations(access, store, loop)
        for at, store in enumerate(stores)
        for access in [*loads, *stores[at:]]
    )
