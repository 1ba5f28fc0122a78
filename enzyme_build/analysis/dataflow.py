"""The worklist solver: a dataflow problem is a value.

A problem is a graph that says from which nodes each node gets its fact, and an `Analysis`: the fact to start from,
how facts of several sources join, and what a node makes of the joined fact. The solution is the least fixed point,
provided that `join` and `transfer` are monotone over a lattice of finite height and `initial` is its bottom.
Direction is the choice of graph: `operands` carries facts along the data, `readers` against it;
`ControlFlow.predecessors` and `ControlFlow.successors` do the same for blocks.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Generic, TypeVar

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

Node = TypeVar("Node")
Fact = TypeVar("Fact")


@dataclass(frozen=True, slots=True)
class Analysis(Generic[Node, Fact]):
    """`join` gets the facts of all sources (none for a node without), `transfer` the node and the joined fact."""

    initial: Fact
    join: Callable[[Iterable[Fact]], Fact]
    transfer: Callable[[Node, Fact], Fact]


def solve(sources: Mapping[Node, Sequence[Node]], problem: Analysis[Node, Fact]) -> dict[Node, Fact]:
    """The fact of every node of the graph; nodes that occur only as sources have none themselves.

    Nodes are visited in the order of the mapping, which should list sources first where it can.
    """
    nodes = list(sources)
    known = set(nodes)
    for feeding in sources.values():
        for source in feeding:
            if source not in known:
                known.add(source)
                nodes.append(source)
    number = {node: at for at, node in enumerate(nodes)}
    readers_: list[list[int]] = [[] for _ in nodes]
    for node, feeding in sources.items():
        for source in feeding:
            readers_[number[source]].append(number[node])
    facts = dict.fromkeys(nodes, problem.initial)
    # Leaves that came last in `nodes` feed the others: visit them first.
    pending = [*range(len(sources), len(nodes)), *range(len(sources))]
    rank = {at: place for place, at in enumerate(pending)}
    heap = list(range(len(pending)))
    waiting = bytearray(b"\1") * len(nodes)
    while heap:
        at = pending[heapq.heappop(heap)]
        waiting[at] = 0
        node = nodes[at]
        fact = problem.transfer(node, problem.join([facts[source] for source in sources.get(node, ())]))
        if fact == facts[node]:
            continue
        facts[node] = fact
        for reader in readers_[at]:
            if not waiting[reader]:
                waiting[reader] = 1
                heapq.heappush(heap, rank[reader])
    return facts


def operands(function: Function) -> dict[Value, Sequence[Value]]:
    """Each instruction gets from its operands: facts flow along the data."""
    return {instruction: instruction.operands for instruction in function.instructions()}


def readers(function: Function) -> dict[Value, Sequence[Value]]:
    """Each value gets from the instructions that read it: facts flow against the data."""
    result: dict[Value, list[Value]] = {}
    instructions = list(function.instructions())
    for instruction in reversed(instructions):
        result[instruction] = []
    for instruction in instructions:
        for operand in instruction.operands:
            result.setdefault(operand, []).append(instruction)
    return dict(result)
