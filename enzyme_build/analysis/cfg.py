"""Control flow: the reachable blocks of a function, their order and the edges between them.

*Reverse postorder* lists a block before its successors except along retreating edges; where a block has two
successors the first one's part comes first. Edges are unique here: a `switch` with three cases to one block is one
edge. Unreachable blocks do not exist for any analysis: they are neither in `order` nor among the predecessors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.instructions import Return
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from enzyme_build.ir.function import Block, Function


@dataclass(frozen=True, eq=False, slots=True)
class ControlFlow:
    """Blocks and edges; `predecessors` of a block are in the order of `order`, `successors` as in the terminator."""

    order: tuple[Block, ...]
    index: Mapping[Block, int]
    predecessors: Mapping[Block, tuple[Block, ...]]
    successors: Mapping[Block, tuple[Block, ...]]

    @property
    def entry(self) -> Block:
        return self.order[0]

    @property
    def exits(self) -> tuple[Block, ...]:
        """Blocks without successors: `ret`, `unreachable`, `resume`."""
        return tuple(block for block in self.order if not self.successors[block])

    def __contains__(self, block: Block) -> bool:
        return block in self.index


def control_flow(function: Function) -> ControlFlow:
    """The control flow of a function with a body."""
    successors: dict[Block, tuple[Block, ...]] = {}
    return _ordered(function.entry, successors)


def returning(cfg: ControlFlow) -> frozenset[Block]:
    """The blocks from which a `ret` can be reached: the others end in a trap, an abort or an endless loop."""
    return reaching(cfg, (block for block in cfg.exits if isinstance(block.terminator, Return)))


def reaching(cfg: ControlFlow, targets: Iterable[Block]) -> frozenset[Block]:
    """The blocks from which one of `targets` can be reached, `targets` included."""
    found = set(targets)
    pending = list(found)
    while pending:
        for block in cfg.predecessors[pending.pop()]:
            if block not in found:
                found.add(block)
                pending.append(block)
    return frozenset(found)


def reached_from(
    cfg: ControlFlow, start: Block, without: Block | None = None, closed: Collection[tuple[Block, Block]] = ()
) -> frozenset[Block]:
    """The blocks that control comes to from the end of `start` without entering `without`, nor by `closed` edges."""
    found: set[Block] = set()
    pending = [start]
    while pending:
        at = pending.pop()
        new = {block for block in cfg.successors[at] if block is not without and (at, block) not in closed} - found
        found |= new
        pending += new
    return frozenset(found)


def restricted(cfg: ControlFlow, kept: Collection[Block]) -> ControlFlow:
    """The control flow within `kept` (entry included): edges to other blocks are left out, order is made anew."""
    successors = {
        block: tuple(target for target in cfg.successors[block] if target in kept)
        for block in cfg.order
        if block in kept
    }
    return _ordered(cfg.entry, successors)


def _ordered(entry: Block, successors: dict[Block, tuple[Block, ...]]) -> ControlFlow:
    """Depth-first from `entry`; missing `successors` are read from the terminators."""
    postorder: list[Block] = []
    seen = {entry}
    stack = [(entry, list(_successors(entry, successors)))]
    while stack:
        block, targets = stack[-1]
        # From the last successor to the first, so that the reversed order has the first one's part first.
        while targets:
            target = targets.pop()
            if target not in seen:
                seen.add(target)
                stack.append((target, list(_successors(target, successors))))
                break
        else:
            postorder.append(block)
            stack.pop()
    order = tuple(reversed(postorder))
    predecessors: dict[Block, list[Block]] = {block: [] for block in order}
    for block in order:
        for target in successors[block]:
            predecessors[target].append(block)
    return ControlFlow(
        order=order,
        index={block: number for number, block in enumerate(order)},
        predecessors={block: tuple(sources) for block, sources in predecessors.items()},
        successors={block: successors[block] for block in order},
    )


def _successors(block: Block, known: dict[Block, tuple[Block, ...]]) -> tuple[Block, ...]:
    found = known.get(block)
    if found is None:
        found = known[block] = tuple(dict.fromkeys(block.successors))
    return found
