"""Reversing control flow: where the reverse sweep goes after the reverse of each block.

Every block from which a return is reached has a reverse block, and leaving it means going to the reverse of the
predecessor that the block was entered from. Loops and branches without reverse work are passed by in one jump.

*Steps*: `Finish` at the entry; `Single` predecessor (which may skip work-free regions); `Choice` between several by
an EDGE item; `Header` of a loop by its iteration number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import InternalError
from enzyme_build.ir import instructions as ir
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .context import Context


@dataclass(frozen=True, slots=True)
class Finish:
    """The entry: the reverse sweep ends."""


@dataclass(frozen=True, slots=True)
class Single:
    """Always this block; `skips` if it is not the predecessor itself."""

    block: Block
    skips: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several predecessors, by the EDGE item of the block."""

    predecessors: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """The preheader in iteration 0, otherwise a latch (by the EDGE item if there are several)."""

    loop: Loop
    preheader: Block
    latches: tuple[Block, ...]


Step = Finish | Single | Choice | Header


class Reversal:
    """The steps of one function; `works(i)` says whether an instruction has reverse work, `upward(loop)` whether the
    reverse of a loop may run in the order of the primal."""

    def __init__(
        self, context: Context, works: Callable[[ir.Instruction], bool], upward: Callable[[Loop], bool]
    ) -> None:
        self.context = context
        self.facts = context.facts
        self.cfg = self.facts.returning
        self.loops = self.facts.loops
        self.working = {block for block in self.cfg.order if any(works(i) for i in block.instructions)}
        self.working_loops = {loop for loop in self.loops.loops if not self.working.isdisjoint(loop.blocks)}
        self._check()
        self.upward = {loop for loop in self.loops.loops if loop in self.working_loops and upward(loop)}
        """Loops whose iterations are reversed in the order of the primal (see `ascending`)."""
        self.steps: dict[Block, Step] = {}
        pending = [b for b in self.cfg.order if isinstance(b.terminator, ir.Return)]
        self.returns = tuple(pending)
        while pending:
            block = pending.pop()
            if block in self.steps:
                continue
            step = self._step(block)
            self.steps[block] = step
            pending.extend(self.targets(step))

    @staticmethod
    def targets(step: Step) -> tuple[Block, ...]:
        """Blocks whose reverse may come next."""
        match step:
            case Single():
                return (step.block,)
            case Choice():
                return step.predecessors
            case Header():
                return (step.preheader, *step.latches)
            case Finish():
                return ()

    def _check(self) -> None:
        if self.loops.irreducible or any(loop.preheader is None for loop in self.working_loops):
            raise InternalError(f"the loops of '{self.context.function.name}' have not been given their form")

    def _step(self, block: Block) -> Step:
        if block is self.cfg.entry:
            return Finish()
        loop = self.loops.loop_of(block)
        predecessors = self.cfg.predecessors[block]
        if loop is not None and loop.header is block:
            assert loop.preheader is not None
            latches = tuple(p for p in predecessors if p in loop.blocks)
            return Header(loop, loop.preheader, latches)
        skipped = self._skipped_loop(block, predecessors)
        if skipped is not None:
            return Single(skipped, skips=True)
        if len(predecessors) == 1:
            return Single(predecessors[0])
        if not self._active_phis(block):
            dominator = self.facts.dominators.idom[block]
            if dominator is not None and self._nothing_between(dominator, block):
                return Single(dominator, skips=True)
        return Choice(predecessors)

    def _active_phis(self, block: Block) -> bool:
        return any(self.context.activity.is_active(phi) for phi in block.phis)

    def _skipped_loop(self, block: Block, predecessors: tuple[Block, ...]) -> Block | None:
        """The preheader of a work-free loop that all predecessors leave."""
        inner = self.loops.loop_of(block)
        first = self.loops.loop_of(predecessors[0])
        left = None
        while first is not None and first is not inner and block not in first.blocks:
            left, first = first, first.parent
        if left is None or left in self.working_loops or left.preheader is None:
            return None
        if self._active_phis(block) or not all(p in left.blocks for p in predecessors):
            return None
        return left.preheader

    def _nothing_between(self, dominator: Block, block: Block) -> bool:
        """Is there no reverse work on any path from `dominator` to `block`, both left out?"""
        if self.loops.loop_of(dominator) is not self.loops.loop_of(block):
            return False
        seen: set[Block] = set()
        pending = list(self.cfg.predecessors[block])
        while pending:
            current = pending.pop()
            if current is dominator or current in seen:
                continue
            if current in self.working or len(seen) > 64:
                return False
            seen.add(current)
            pending.extend(self.cfg.predecessors[current])
        return True

    def entered_loops(self, source: Block, target: Block) -> list[Loop]:
        """Loops that hold `target` and not `source`, outermost first: their last iteration is entered backward."""
        result = []
        loop = self.loops.loop_of(target)
        while loop is not None and source not in loop.blocks:
            result.append(loop)
            loop = loop.parent
        return result[::-1]

    def deciding_condition(self, block: Block) -> tuple[Value, int, int] | None:
        """(condition, index of the predecessor if it holds, if not) where one branch decides the edge."""
        predecessors = self.cfg.predecessors[block]
        dominator = self.facts.dominators.idom[block]
        if len(predecessors) != 2 or dominator is None:
            return None
        branch = dominator.terminator
        if not isinstance(branch, ir.Branch) or branch.then is branch.otherwise:
            return None
        if self.loops.loop_of(dominator) is not self.loops.loop_of(block):
            return None
        sides = [self._side(dominator, branch, block, p) for p in predecessors]
        if sorted(sides) != [0, 1]:
            return None
        return branch.operands[0], sides.index(1), sides.index(0)

    def _side(self, dominator: Block, branch: ir.Branch, block: Block, predecessor: Block) -> int:
        """1 if only the `then` edge leads through `predecessor` to `block`, 0 the other, -1 both."""
        for side, successor in ((1, branch.then), (0, branch.otherwise)):
            if predecessor is dominator:
                if successor is block:
                    return side
                continue
            alone = self.facts.cfg.predecessors[successor] == (dominator,)
            if alone and self.facts.dominators.dominates(successor, predecessor):
                return side
        return -1
