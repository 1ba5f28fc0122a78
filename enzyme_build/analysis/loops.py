"""Natural loops and how they nest.

An edge whose target dominates its source is a *back edge*; its source is a *latch*, its target the *header* of a
loop. The loop's blocks are the header and all blocks that reach a latch without passing the header, so every way
into the loop leads through the header. Back edges to one header make one loop.

A cycle with two ways in has no header. Its retreating edges are listed in `LoopForest.irreducible`: blocks on such a
cycle belong to no loop by it, and who repeats blocks by loop must handle or refuse them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Block

    from .cfg import ControlFlow
    from .dominators import DominatorTree


@dataclass(eq=False, slots=True)
class Loop:
    """One natural loop; complete when `loop_forest` returns, and not changed later."""

    header: Block
    latches: tuple[Block, ...]
    blocks: frozenset[Block] = frozenset()
    parent: Loop | None = None
    children: tuple[Loop, ...] = ()
    depth: int = 1
    """Number of loops that contain the header: 1 for an outermost loop."""
    preheader: Block | None = None
    """The only block outside that leads to the header, if it leads nowhere else."""
    exit_edges: tuple[tuple[Block, Block], ...] = ()
    """(exiting block inside, exit block outside), in the order of the exiting blocks."""

    def __repr__(self) -> str:
        return f"<loop {self.header.name} of {len(self.blocks)} blocks>"

    def __contains__(self, block: Block) -> bool:
        return block in self.blocks

    @property
    def latch(self) -> Block | None:
        """The latch, if there is just one."""
        return self.latches[0] if len(self.latches) == 1 else None

    @property
    def outermost(self) -> Loop:
        """The loop around this one that no other is around."""
        return self if self.parent is None else self.parent.outermost

    @property
    def exits(self) -> tuple[Block, ...]:
        return tuple(dict.fromkeys(exit_ for _, exit_ in self.exit_edges))

    @property
    def exiting(self) -> tuple[Block, ...]:
        return tuple(dict.fromkeys(block for block, _ in self.exit_edges))

    def encloses(self, other: Loop | None) -> bool:
        """Is `other` this loop or one inside it?"""
        while other is not None and other.depth > self.depth:
            other = other.parent
        return other is self


@dataclass(frozen=True, eq=False, slots=True)
class LoopForest:
    """All loops of a function."""

    loops: tuple[Loop, ...]
    """By the place of the header: a loop comes before those inside it."""
    irreducible: tuple[tuple[Block, Block], ...]
    """Retreating edges (source, target) whose target does not dominate the source."""
    _innermost: Mapping[Block, Loop]

    @property
    def roots(self) -> tuple[Loop, ...]:
        return tuple(loop for loop in self.loops if loop.parent is None)

    def loop_of(self, block: Block) -> Loop | None:
        """The innermost loop that contains the block."""
        return self._innermost.get(block)

    def depth_of(self, block: Block) -> int:
        loop = self._innermost.get(block)
        return loop.depth if loop else 0

    def nest_of(self, block: Block) -> tuple[Loop, ...]:
        """The loops around the block, outermost first."""
        nest: list[Loop] = []
        loop = self._innermost.get(block)
        while loop is not None:
            nest.append(loop)
            loop = loop.parent
        return tuple(reversed(nest))

    def common(self, a: Block, b: Block) -> Loop | None:
        """The innermost loop that contains both blocks."""
        loop = self._innermost.get(a)
        while loop is not None and b not in loop.blocks:
            loop = loop.parent
        return loop


def loop_forest(cfg: ControlFlow, domtree: DominatorTree) -> LoopForest:
    """The loops of a function, found from the inner headers to the outer ones."""
    innermost: dict[Block, Loop] = {}
    loops: list[Loop] = []
    irreducible: list[tuple[Block, Block]] = []
    for header in reversed(cfg.order):
        retreating = [source for source in cfg.predecessors[header] if cfg.index[source] >= cfg.index[header]]
        latches = tuple(source for source in retreating if domtree.dominates(header, source))
        irreducible += [(source, header) for source in retreating if not domtree.dominates(header, source)]
        if latches:
            loop = Loop(header, latches)
            loops.append(loop)
            _collect(loop, cfg, innermost)
    loops.reverse()
    irreducible.reverse()
    for loop in loops:
        loop.depth = loop.parent.depth + 1 if loop.parent else 1
    _complete(loops, cfg, innermost)
    return LoopForest(tuple(loops), tuple(irreducible), innermost)


def _collect(loop: Loop, cfg: ControlFlow, innermost: dict[Block, Loop]) -> None:
    """Claim the blocks of `loop` that no inner loop has, and adopt the inner loops."""
    innermost[loop.header] = loop
    pending = list(loop.latches)
    while pending:
        block = pending.pop()
        inner = innermost.get(block)
        if inner is None:
            innermost[block] = loop
            pending.extend(cfg.predecessors[block])
            continue
        root = inner.outermost
        if root is not loop:
            root.parent = loop
            # Inside the adopted loop there is nothing to find: go on before its header.
            pending.extend(source for source in cfg.predecessors[root.header] if source not in root.latches)


def _complete(loops: list[Loop], cfg: ControlFlow, innermost: Mapping[Block, Loop]) -> None:
    """Fill in blocks, children, preheader and exits; `loops` lists parents first."""
    members: dict[Loop, set[Block]] = {loop: set() for loop in loops}
    for block, loop in innermost.items():
        members[loop].add(block)
    children: dict[Loop, list[Loop]] = {loop: [] for loop in loops}
    for loop in reversed(loops):
        if loop.parent is not None:
            members[loop.parent] |= members[loop]
            children[loop.parent].append(loop)
    for loop in loops:
        blocks = loop.blocks = frozenset(members[loop])
        loop.children = tuple(reversed(children[loop]))
        outside = [source for source in cfg.predecessors[loop.header] if source not in blocks]
        if len(outside) == 1 and len(cfg.successors[outside[0]]) == 1:
            loop.preheader = outside[0]
        edges = [
            (cfg.index[block], block, target)
            for block in blocks
            for target in cfg.successors[block]
            if target not in blocks
        ]
        edges.sort(key=lambda edge: edge[0])
        loop.exit_edges = tuple((block, target) for _, block, target in edges)
