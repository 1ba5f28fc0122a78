"""Changes of control flow in the model of a function: blocks put on edges, edges left out.

The phis follow: whatever a block's phis took from the edges that now pass another block, they take from that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.errors import InternalError, UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment, location_of
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import VOID

if TYPE_CHECKING:
    from collections.abc import Collection

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module


def has_fixed_edges(module: Module, function: Function) -> bool:
    """Are there branches that LLVM puts no blocks behind, so that loops may lack their usual form?"""
    found = False
    for block in function.blocks:
        last = block.terminator
        found = found or isinstance(last, ir.IndirectBranch | ir.CallBranch)
        if isinstance(last, ir.CallBranch) and last.type is not VOID:
            raise UnsupportedError(
                f"cannot differentiate '{function.name}': inline assembly that jumps (asm goto) and has a result",
                location=location_of(module, last),
                hint="write it in C",
                code="E0101",
            )
    return found


def block_between(function: Function, sources: Collection[Block], target: Block, name: str) -> Block:
    """A new block on all edges from `sources` to `target`."""
    between = function.add_block(Block(f"{target.name or 'b'}.{name}"))
    where = debug_attachment(target.terminator)
    for phi in target.phis:
        taken = {source: phi.incoming(source) for source in phi.blocks if source in sources}
        for at in reversed(range(len(phi.blocks))):
            if phi.blocks[at] in taken:
                del phi.blocks[at], phi.operands[at]
        if len(taken) == 1:
            (value,) = taken.values()
        else:
            value = merged = Builder(between, where).phi(phi.type)
            for source, operand in taken.items():
                for _ in range(source.successors.count(target)):  # cases of a switch may share a block
                    Builder.add_incoming(merged, operand, source)
        phi.operands.append(value)
        phi.blocks.append(between)
    for source in sources:
        redirect(source, target, between)
    Builder(between, where).jump(target)
    return between


def redirect(source: Block, target: Block, to: Block) -> None:
    """Have every edge from `source` to `target` lead to `to` instead."""
    match source.terminator:
        case ir.Jump() as last:
            last.target = to
        case ir.Branch() as last:
            last.then = to if last.then is target else last.then
            last.otherwise = to if last.otherwise is target else last.otherwise
        case ir.Switch() as last:
            last.default = to if last.default is target else last.default
            last.cases = [(value, to if block is target else block) for value, block in last.cases]
        case ir.CallBranch() as last:
            last.fallthrough = to if last.fallthrough is target else last.fallthrough
            last.indirect = [to if block is target else block for block in last.indirect]
        case last:
            raise InternalError(f"an edge of {type(last).__name__} cannot lead elsewhere")


def drop_edge(source: Block, target: Block) -> None:
    """Have the phis of `target` forget a predecessor."""
    for phi in target.phis:
        for index in reversed(range(len(phi.blocks))):
            if phi.blocks[index] is source:
                del phi.blocks[index], phi.operands[index]


def remove_unreachable(function: Function) -> None:
    """Take out the blocks that no edge leads to any more, and what phis take from them."""
    reached = control_flow(function)
    for block in function.blocks:
        if block not in reached:
            for successor in dict.fromkeys(block.successors):
                drop_edge(block, successor)
    function.blocks[:] = [block for block in function.blocks if block in reached]


def split_at(function: Function, i: ir.Instruction, name: str) -> Block:
    """End the instruction's block in front of it; what comes behind it becomes a block of its own, which is given. The
    instruction is in neither."""
    block = i.block
    at = block.instructions.index(i)
    rest = Block(f"{block.name or 'b'}.{name}")
    rest.function = function
    function.blocks.insert(function.blocks.index(block) + 1, rest)
    for instruction in block.instructions[at + 1 :]:
        rest.append(instruction)
    del block.instructions[at:]
    for record in [r for r in block.records if r.index > at]:
        block.records.remove(record)
        record.index -= at + 1
        rest.records.append(record)
    for successor in rest.successors:
        for phi in successor.phis:
            phi.blocks[:] = [rest if source is block else source for source in phi.blocks]
    return rest
