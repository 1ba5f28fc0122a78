"""Brings loops into the form that the derivatives rely on, where LLVM did not or could not.

A loop has a *preheader*, the one block outside that leads to its header and nowhere else; *exits of its own*, reached
from inside only; and it is *closed*: what is computed inside is used outside by phis in its exits only, which take the
value of the last iteration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow, returning
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder

from .edges import block_between

if TYPE_CHECKING:
    from enzyme_build.analysis.cfg import ControlFlow
    from enzyme_build.analysis.loops import LoopForest
    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.values import Value


def canonical_loops(function: Function) -> None:
    """Give all loops of a function without irreducible cycles that form."""
    cfg = control_flow(function)
    for loop in loop_forest(cfg, dominators(cfg)).loops:
        if loop.preheader is None:
            outside = [source for source in cfg.predecessors[loop.header] if source not in loop.blocks]
            block_between(function, outside, loop.header, "before")
    _give_exits(function)
    _close(function)


def _give_exits(function: Function) -> None:
    cfg = control_flow(function)
    ends = returning(cfg)
    sources = {block: list(cfg.predecessors[block]) for block in cfg.order}
    loops = loop_forest(cfg, dominators(cfg)).loops
    blocks = {loop: {block: None for block in cfg.order if block in loop.blocks} for loop in loops}
    # Inner loops first: the block between an inner loop and an exit may be an exit of the outer one too.
    for loop in reversed(loops):
        inside = blocks[loop]
        for exit_ in dict.fromkeys(to for block in inside for to in block.successors if to not in inside):
            leaving = [source for source in sources[exit_] if source in inside]
            if exit_ not in ends or len(leaving) == len(sources[exit_]):
                continue
            between = block_between(function, leaving, exit_, "left")
            sources[between] = leaving
            sources[exit_] = [source for source in sources[exit_] if source not in inside] + [between]
            outer = loop.parent
            while outer is not None:
                if exit_ in blocks[outer]:
                    blocks[outer][between] = None
                outer = outer.parent


def _close(function: Function) -> None:
    cfg = control_flow(function)
    closing = _Closing(cfg, loop_forest(cfg, dominators(cfg)))
    for block in cfg.order:
        for i in list(block.instructions):
            for at, operand in enumerate(i.operands):
                place = i.blocks[at] if isinstance(i, ir.Phi) else block
                if isinstance(operand, ir.Instruction) and place in cfg.index:
                    i.operands[at] = closing.value(operand, place)
    closing.simplify()
    for i in function.instructions():
        i.operands[:] = [closing.replaced.get(operand, operand) for operand in i.operands]


class _Closing:
    """Phis for values at blocks outside of the loops that they are computed in."""

    def __init__(self, cfg: ControlFlow, forest: LoopForest) -> None:
        self.cfg = cfg
        self.forest = forest
        self.known: dict[tuple[Value, Block], Value] = {}
        self.joining: list[ir.Phi] = []
        """Phis that are not in exits."""
        self.replaced: dict[Value, Value] = {}

    def value(self, value: ir.Instruction, block: Block) -> Value:
        """What `value` is called in a block other than its own."""
        loop = self.forest.loop_of(value.block)
        if loop is None or block in loop.blocks:
            return value
        found = self.known.get((value, block))
        if found is not None:
            return found
        sources = self.cfg.predecessors[block]
        left = [self.forest.common(value.block, source) for source in sources]
        is_exit = any(loop is not None and block not in loop.blocks for loop in left)
        if len(sources) == 1 and not is_exit:
            result = self.known[value, block] = self.value(value, sources[0])
            return result
        phi = self.known[value, block] = Builder(block).phi(value.type)
        if not is_exit:
            self.joining.append(phi)
        for source in sources:
            for _ in range(source.successors.count(block)):  # cases of a switch may share a block
                Builder.add_incoming(phi, self.value(value, source), source)
        return phi

    def simplify(self) -> None:
        """Drop phis of one value."""
        pending = self.joining
        while pending:
            joining, pending = pending, []
            for phi in joining:
                phi.operands[:] = [self._final(operand) for operand in phi.operands]
                different = {operand for operand in phi.operands if operand is not phi}
                if len(different) == 1:
                    (self.replaced[phi],) = different
                    phi.block.instructions.remove(phi)
                else:
                    pending.append(phi)
            if len(pending) == len(joining):
                break
        self.replaced = {phi: self._final(phi) for phi in self.replaced}

    def _final(self, value: Value) -> Value:
        while value in self.replaced:
            value = self.replaced[value]
        return value
