"""Gives every cycle of control flow one way in, so that it is a loop.

A cycle that is entered at several blocks (a `goto` into a loop, Duff's device, a state machine of gotos) gets one
*dispatch* block through which all of these *entries* are reached: each way to an entry first notes its number, and the
dispatch branches on it. The paths through the function stay as they are; the cycle becomes a natural loop whose header
is the dispatch. A way from a block that the entry dominates closes an inner loop of that entry, and stays.

After that no path without the dispatch leads from one entry to another, so what is left of the cycle falls into
smaller ones, which are treated alike. Dominance among the old instructions is not changed: an entry was reached from
outside without the other entries, so nothing of the cycle dominated it. Only phis of entries move in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.errors import InternalError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import I1, I32
from enzyme_build.ir.values import Value, const_int, poison

from .edges import block_between, redirect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from enzyme_build.analysis.cfg import ControlFlow
    from enzyme_build.analysis.dominators import DominatorTree
    from enzyme_build.ir.function import Function


def make_reducible(function: Function) -> bool:
    """Insert the dispatch blocks that the function needs; were there any?"""
    changed = False
    while True:
        cfg = control_flow(function)
        retreating = [(b, to) for b in cfg.order for to in cfg.successors[b] if cfg.index[to] <= cfg.index[b]]
        if not retreating:
            return changed
        domtree = dominators(cfg)
        if all(domtree.dominates(target, source) for source, target in retreating):
            return changed
        _insert_dispatch(function, cfg, domtree, *_tangle(cfg))
        changed = True


def _tangle(cfg: ControlFlow) -> tuple[AbstractSet[Block], Sequence[Block]]:
    """An outermost cycle with several entries: its blocks, its entries."""
    pending: list[AbstractSet[Block]] = [frozenset(cfg.order)]
    while pending:
        for cycle in _cycles(cfg, pending.pop()):
            entries = [block for block in cycle if any(source not in cycle for source in cfg.predecessors[block])]
            if len(entries) > 1:
                return cycle, sorted(entries, key=cfg.index.__getitem__)
            pending.append(cycle - set(entries))
    raise InternalError("an edge goes back to a block that does not dominate it, but every cycle has one entry")


def _cycles(cfg: ControlFlow, among: AbstractSet[Block]) -> Iterator[AbstractSet[Block]]:
    """The strongly connected components of `among` that have a cycle (Kosaraju's algorithm)."""
    order = _postorder(cfg, among)
    seen: set[Block] = set()
    for root in reversed(order):
        if root in seen:
            continue
        component = {root}
        work = [root]
        while work:
            for source in cfg.predecessors[work.pop()]:
                if source in among and source not in seen and source not in component:
                    component.add(source)
                    work.append(source)
        seen |= component
        if len(component) > 1 or root in cfg.successors[root]:
            yield component


def _postorder(cfg: ControlFlow, among: AbstractSet[Block]) -> list[Block]:
    order: list[Block] = []
    seen: set[Block] = set()
    for root in cfg.order:
        if root in seen or root not in among:
            continue
        seen.add(root)
        stack = [(root, iter(cfg.successors[root]))]
        while stack:
            block, targets = stack[-1]
            for target in targets:
                if target in among and target not in seen:
                    seen.add(target)
                    stack.append((target, iter(cfg.successors[target])))
                    break
            else:
                order.append(block)
                stack.pop()
    return order


def _insert_dispatch(
    function: Function, cfg: ControlFlow, domtree: DominatorTree, cycle: AbstractSet[Block], entries: Sequence[Block]
) -> None:
    entering: list[Block] = []
    repeating: list[Block] = []
    for entry in entries:
        sources = cfg.predecessors[entry]
        outside = [source for source in sources if source not in cycle]
        inside = [source for source in sources if source in cycle and not domtree.dominates(entry, source)]
        entering.append(block_between(function, outside, entry, "entered"))
        repeating.append(block_between(function, inside, entry, "repeated"))
    name = entries[0].name or "b"
    preheader, latch, header = (function.add_block(Block(f"{name}.{part}")) for part in ("ways", "back", "dispatch"))
    where = debug_attachment(entries[0].terminator)
    before, after, dispatch = (Builder(block, where) for block in (preheader, latch, header))
    type_ = I1 if len(entries) == 2 else I32
    numbers = [const_int(type_, number) for number in range(len(entries))]
    first = _merged(before, entering, dict(zip(entering, numbers, strict=True)), numbers[0])
    again = _merged(after, repeating, dict(zip(repeating, numbers, strict=True)), numbers[0])
    selector = _merged(dispatch, (preheader, latch), {preheader: first, latch: again}, numbers[0])
    chosen = []
    for entry, outer, inner in zip(entries, entering, repeating, strict=True):
        case = function.add_block(Block(f"{entry.name or 'b'}.chosen"))
        for phi in entry.phis:
            nothing = poison(phi.type)
            value_before = _merged(before, entering, {outer: phi.incoming(outer)}, nothing)
            value_after = _merged(after, repeating, {inner: phi.incoming(inner)}, nothing)
            value = _merged(dispatch, (preheader, latch), {preheader: value_before, latch: value_after}, nothing)
            for old in (outer, inner):
                at = phi.blocks.index(old)
                del phi.blocks[at], phi.operands[at]
            Builder.add_incoming(phi, value, case)
        redirect(outer, entry, preheader)
        redirect(inner, entry, latch)
        Builder(case, where).jump(entry)
        chosen.append(case)
    before.jump(header)
    after.jump(header)
    if type_ is I1:
        dispatch.branch(selector, chosen[1], chosen[0])
    else:
        dispatch.switch(selector, chosen[0], list(zip(numbers[1:], chosen[1:], strict=True)))


def _merged(builder: Builder, sources: Sequence[Block], values: Mapping[Block, Value], otherwise: Value) -> Value:
    """A phi of what comes from each source."""
    phi = builder.phi(otherwise.type)
    for source in sources:
        Builder.add_incoming(phi, values.get(source, otherwise), source)
    return phi
