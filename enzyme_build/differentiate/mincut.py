"""A minimum vertex cut, by a maximum flow: Dinic's algorithm, here for small graphs, scipy's for large ones.

Source: E. A. Dinic, "Algorithm for solution of a problem of maximum flow in a network with power estimation", 1970.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

T = TypeVar("T")
_INFINITE: Final = 1 << 30
_LARGE: Final = 20_000
"""Edges from which on it pays to load scipy, which takes longer than all other imports together."""


def minimum_cut(
    edges: Mapping[T, Sequence[T]], sources: Collection[T], sinks: Sequence[T], weight: Callable[[T], int]
) -> set[T]:
    """The lightest vertices whose removal parts every source from every sink.

    `edges[v]` lists the vertices that v is computed from; vertices not among its keys cost nothing and are not cut.
    Of several lightest cuts the one nearest to the sinks is taken.
    """
    reached = _reached(edges, sources)
    wanted = [v for v in dict.fromkeys(sinks) if v in reached]
    if not wanted:
        return set()
    number = {v: n for n, v in enumerate(reached)}
    count = len(number)
    source, sink = 2 * count, 2 * count + 1
    rows: list[int] = []
    columns: list[int] = []
    capacities: list[int] = []

    def edge(a: int, b: int, capacity: int) -> None:
        rows.append(a)
        columns.append(b)
        capacities.append(capacity)

    for v, n in number.items():
        edge(2 * n, 2 * n + 1, min(weight(v), _INFINITE // 2))
        for w in dict.fromkeys(edges[v]):
            if w in number:
                edge(2 * number[w] + 1, 2 * n, _INFINITE)
    for v in sources:
        if v in number:
            edge(source, 2 * number[v], _INFINITE)
    for v in wanted:
        edge(2 * number[v] + 1, sink, _INFINITE)
    behind = _sink_side(rows, columns, capacities, 2 * count + 2, source, sink)
    return {v for v, n in number.items() if 2 * n + 1 in behind and 2 * n not in behind}


def _reached(edges: Mapping[T, Sequence[T]], sources: Collection[T]) -> dict[T, None]:
    """What is computed, however indirectly, from a source."""
    users: dict[T, list[T]] = {}
    for v, operands in edges.items():
        for w in operands:
            users.setdefault(w, []).append(v)
    found: dict[T, None] = {v: None for v in edges if v in sources}
    pending = list(found)
    while pending:
        for user in users.get(pending.pop(), ()):
            if user not in found:
                found[user] = None
                pending.append(user)
    return found


def _sink_side(  # noqa: PLR0913, PLR0917
    rows: list[int], columns: list[int], capacities: list[int], size: int, source: int, sink: int
) -> set[int]:
    """Nodes from which the sink can still be reached once the flow is maximal."""
    side = _sink_side_of_large if len(rows) >= _LARGE else _sink_side_of_small
    return side(rows, columns, capacities, size, source, sink)


def _sink_side_of_large(  # noqa: PLR0913, PLR0917
    rows: list[int], columns: list[int], capacities: list[int], size: int, source: int, sink: int
) -> set[int]:
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    shape = (size, size)
    graph = csr_array((np.array(capacities, dtype=np.int32), (np.array(rows), np.array(columns))), shape=shape)
    flow = maximum_flow(graph, source, sink).flow
    residual = csr_array((graph - flow).T)
    residual.data = (residual.data > 0).astype(np.int32)
    residual.eliminate_zeros()
    order = breadth_first_order(residual, sink, return_predecessors=False)
    return set(order.tolist())


def _sink_side_of_small(  # noqa: PLR0913, PLR0917
    rows: list[int], columns: list[int], capacities: list[int], size: int, source: int, sink: int
) -> set[int]:
    # Edge e leads to heads[e] and has room[e] left; e ^ 1 is its reverse.
    heads: list[int] = []
    room: list[int] = []
    leaving: list[list[int]] = [[] for _ in range(size)]
    for a, b, capacity in zip(rows, columns, capacities, strict=True):
        for start, end, free in ((a, b, capacity), (b, a, 0)):
            leaving[start].append(len(heads))
            heads.append(end)
            room.append(free)
    while True:
        level = _levels(heads, room, leaving, sink)
        if level[source] < 0:
            return {v for v in range(size) if level[v] >= 0}
        _block(heads, room, leaving, level, source)


def _levels(heads: list[int], room: list[int], leaving: list[list[int]], sink: int) -> list[int]:
    """How many edges with room lie between each node and the sink; -1: it cannot be reached."""
    level = [-1] * len(leaving)
    level[sink] = 0
    pending = deque([sink])
    while pending:
        v = pending.popleft()
        for e in leaving[v]:
            if room[e ^ 1] and level[heads[e]] < 0:
                level[heads[e]] = level[v] + 1
                pending.append(heads[e])
    return level


def _block(heads: list[int], room: list[int], leaving: list[list[int]], level: list[int], source: int) -> None:
    """Push flow along shortest paths until each has an edge without room."""
    tried = [0] * len(leaving)
    path: list[int] = []
    v = source
    while True:
        if not level[v]:
            amount = min(room[e] for e in path)
            for e in path:
                room[e] -= amount
                room[e ^ 1] += amount
            full = next(at for at, e in enumerate(path) if not room[e])
            v = heads[path[full] ^ 1]
            del path[full:]
            continue
        edges, at = leaving[v], tried[v]
        while at < len(edges) and not (room[edges[at]] and level[heads[edges[at]]] == level[v] - 1):
            at += 1
        tried[v] = at
        if at < len(edges):
            path.append(edges[at])
            v = heads[edges[at]]
        elif path:
            v = heads[path.pop() ^ 1]
            tried[v] += 1
        else:
            return
