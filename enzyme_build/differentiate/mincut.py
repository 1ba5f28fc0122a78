"""A minimum vertex cut, by scipy's maximum flow (Dinic's algorithm in C)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

T = TypeVar("T")
_INFINITE = 1 << 30


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
