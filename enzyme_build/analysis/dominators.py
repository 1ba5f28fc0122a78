"""Dominators and post-dominators.

Block a *dominates* b if every path from the entry to b passes a; a *post-dominates* b if every path from b to the
end of the function passes a. Both relations are reflexive. The immediate dominator of b is the nearest other block
that dominates b.

Post-dominance is dominance in the reversed graph from one virtual exit behind all blocks without successors. From
an endless loop no exit is reached: its last block in reverse postorder counts as an exit too.

Lengauer and Tarjan's algorithm with path compression: O(edges · log blocks) whatever the shape. (Iterating over
predecessors is quadratic on what Rust gives us: thousands of bounds checks that fail into one block.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.function import Block

    from .cfg import ControlFlow


@dataclass(frozen=True, eq=False, slots=True)
class DominatorTree:
    """`idom` of the entry is None; `children` in reverse postorder; `depth` of the entry is 0."""

    idom: Mapping[Block, Block | None]
    children: Mapping[Block, tuple[Block, ...]]
    depth: Mapping[Block, int]
    _spans: Mapping[Block, tuple[int, int]]

    def dominates(self, a: Block, b: Block) -> bool:
        first, last = self._spans[a]
        return first <= self._spans[b][0] <= last

    def strictly_dominates(self, a: Block, b: Block) -> bool:
        return a is not b and self.dominates(a, b)

    def common(self, a: Block, b: Block) -> Block:
        """The nearest block that dominates both."""
        nearest: Block | None = a
        while nearest is not None:
            if self.dominates(nearest, b):
                return nearest
            nearest = self.idom[nearest]
        raise AssertionError("the entry dominates every block")


@dataclass(frozen=True, eq=False, slots=True)
class PostDominatorTree:
    """`ipdom` is None where only the virtual exit post-dominates."""

    ipdom: Mapping[Block, Block | None]
    _spans: Mapping[Block, tuple[int, int]]

    def dominates(self, a: Block, b: Block) -> bool:
        """Does every path from `b` to the end of the function pass `a`?"""
        first, last = self._spans[a]
        return first <= self._spans[b][0] <= last

    def common(self, a: Block, b: Block) -> Block | None:
        """The nearest block that post-dominates both, or None: only the end of the function does."""
        nearest: Block | None = a
        while nearest is not None and not self.dominates(nearest, b):
            nearest = self.ipdom[nearest]
        return nearest


def dominators(cfg: ControlFlow) -> DominatorTree:
    """The dominator tree of the reachable blocks."""
    order, index = cfg.order, cfg.index
    edges = [[index[target] for target in cfg.successors[block]] for block in order]
    parents = _immediate_dominators(edges, 0)
    spans, children, depths = _numbered(parents, 0)
    return DominatorTree(
        idom={block: order[parent] if parent >= 0 else None for block, parent in zip(order, parents, strict=True)},
        children={block: tuple(order[child] for child in children[at]) for at, block in enumerate(order)},
        depth=dict(zip(order, depths, strict=True)),
        _spans=dict(zip(order, spans, strict=True)),
    )


def post_dominators(cfg: ControlFlow) -> PostDominatorTree:
    """The post-dominator tree, its root being a virtual exit behind the last blocks."""
    order, index = cfg.order, cfg.index
    exit_ = len(order)
    edges = [[index[source] for source in cfg.predecessors[block]] for block in order]
    edges.append(_exits(cfg, edges))
    parents = _immediate_dominators(edges, exit_)
    spans, _, _ = _numbered(parents, exit_)
    return PostDominatorTree(
        ipdom={block: order[parents[at]] if parents[at] < exit_ else None for at, block in enumerate(order)},
        _spans={block: spans[at] for at, block in enumerate(order)},
    )


def _exits(cfg: ControlFlow, backward: Sequence[Sequence[int]]) -> list[int]:
    """Blocks without successors, then one block of each region that reaches none of those."""
    exits = [cfg.index[block] for block in cfg.exits]
    reached = bytearray(len(cfg.order))

    def walk(pending: list[int]) -> None:
        for at in pending:
            reached[at] = 1
        while pending:
            for source in backward[pending.pop()]:
                if not reached[source]:
                    reached[source] = 1
                    pending.append(source)

    walk(list(exits))
    for at in range(len(cfg.order) - 1, -1, -1):
        if not reached[at]:
            exits.append(at)
            walk([at])
    return exits


def _immediate_dominators(edges: Sequence[Sequence[int]], root: int) -> list[int]:
    """Immediate dominator of each node of a graph that `root` reaches as a whole; -1 for the root.

    Inside, nodes are their depth-first numbers: `semi` is the semidominator, `label` the node of least
    semidominator on the compressed path, `ancestor` the forest linked so far.
    """
    nodes, parent, number = _depth_first(edges, root)
    count = len(nodes)
    sources: list[list[int]] = [[] for _ in range(count)]
    for at, node in enumerate(nodes):
        for target in edges[node]:
            sources[number[target]].append(at)
    semi = list(range(count))
    label = list(range(count))
    ancestor = [-1] * count
    idom = [0] * count
    buckets: list[list[int]] = [[] for _ in range(count)]

    def least(v: int) -> int:
        if ancestor[v] < 0:
            return v
        path = []
        x = v
        while ancestor[ancestor[x]] >= 0:
            path.append(x)
            x = ancestor[x]
        for x in reversed(path):
            above = ancestor[x]
            if semi[label[above]] < semi[label[x]]:
                label[x] = label[above]
            ancestor[x] = ancestor[above]
        return label[v]

    for w in range(count - 1, 0, -1):
        for v in sources[w]:
            semi[w] = min(semi[w], semi[least(v)])
        buckets[semi[w]].append(w)
        above = parent[w]
        ancestor[w] = above
        for v in buckets[above]:
            u = least(v)
            idom[v] = u if semi[u] < semi[v] else above
        buckets[above] = []
    result = [-1] * len(edges)
    for w in range(1, count):
        if idom[w] != semi[w]:
            idom[w] = idom[idom[w]]
        result[nodes[w]] = nodes[idom[w]]
    return result


def _depth_first(edges: Sequence[Sequence[int]], root: int) -> tuple[list[int], list[int], list[int]]:
    """Nodes in preorder, the preorder number of each one's parent, and the number of each node."""
    number = [-1] * len(edges)
    nodes: list[int] = []
    parent: list[int] = []
    stack = [(root, -1)]
    while stack:
        node, above = stack.pop()
        if number[node] >= 0:
            continue
        at = number[node] = len(nodes)
        nodes.append(node)
        parent.append(above)
        stack.extend((target, at) for target in reversed(edges[node]) if number[target] < 0)
    return nodes, parent, number


def _numbered(parents: Sequence[int], root: int) -> tuple[list[tuple[int, int]], list[list[int]], list[int]]:
    """Span of depth-first numbers of each node's subtree, its children, and its depth."""
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(node)
    first = [0] * len(parents)
    depth = [0] * len(parents)
    preorder: list[int] = []
    stack = [root]
    while stack:
        node = stack.pop()
        first[node] = len(preorder)
        preorder.append(node)
        for child in reversed(children[node]):
            depth[child] = depth[node] + 1
            stack.append(child)
    last = list(first)
    for node in reversed(preorder):
        if node != root:
            last[parents[node]] = max(last[parents[node]], last[node])
    return list(zip(first, last, strict=True)), children, depth
