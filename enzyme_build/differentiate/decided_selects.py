"""Pointers that are chosen where it is decided before which one it is.

`select (p == null), inttoptr(size), p` is what late inlining leaves of an allocation that fails with its size in an
error, all of whose users are where `p` is not null. The integer leads nowhere, and has no shadow. In the model that the
pass reads users take what is chosen there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.types import PTR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.analysis.cfg import ControlFlow
    from enzyme_build.analysis.dominators import DominatorTree
    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.values import Value


def decide_selects(function: Function) -> None:
    """Replace such choices of the function's model."""
    selects = [i for i in function.instructions() if isinstance(i, ir.Select) and _has_integer(i)]
    if not selects:
        return
    cfg = control_flow(function)
    tree, read = dominators(cfg), users(function)
    for select in selects:
        for block, arm in _decided(cfg, select):
            for user in {*read.get(select, ())}:
                _replace(tree, user, select, arm, block)
    left = users(function)
    remove_instructions(function, {select for select in selects if select not in left})


def _has_integer(select: ir.Select) -> bool:
    return select.type is PTR and any(isinstance(o, ir.Cast) and o.op == "inttoptr" for o in select.operands[1:])


def _decided(cfg: ControlFlow, select: ir.Select) -> Iterator[tuple[Block, Value]]:
    """Blocks that are only reached where the condition is decided, and what is chosen there."""
    condition, *arms = select.operands
    for block in cfg.order:
        end = block.terminator
        if isinstance(end, ir.Branch) and end.operands[0] is condition:
            targets = end.successors
            for target, arm in zip(targets, arms, strict=True):
                if targets[0] is not targets[1] and cfg.predecessors[target] == (block,):
                    yield target, arm


def _replace(tree: DominatorTree, user: ir.Instruction, select: ir.Select, arm: Value, block: Block) -> None:
    places = user.blocks if isinstance(user, ir.Phi) else [user.block] * len(user.operands)
    user.operands[:] = [
        arm if operand is select and place in tree.depth and tree.dominates(block, place) else operand
        for operand, place in zip(user.operands, places, strict=True)
    ]
