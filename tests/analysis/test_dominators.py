"""Dominance against its definition: a dominates b if removing a cuts b off from the entry."""

from __future__ import annotations

import gc
import itertools
import random
import time

import pytest

from enzyme_build.analysis.cfg import ControlFlow, control_flow, restricted
from enzyme_build.analysis.dominators import dominators, post_dominators

from .graphs import graph, graph_of


def random_edges(seed: int) -> dict[str, list[str]]:
    source = random.Random(seed)
    count = source.randint(1, 14)
    names = [f"b{number}" for number in range(count)]
    return {name: source.choices(names[1:], k=source.choice([0, 1, 1, 2, 2, 3])) if count > 1 else [] for name in names}


def reachable(cfg: ControlFlow, start, without):
    """Blocks reachable from `start` when `without` is removed."""
    if start is without:
        return set()
    found, pending = {start}, [start]
    while pending:
        for target in cfg.successors[pending.pop()]:
            if target is not without and target not in found:
                found.add(target)
                pending.append(target)
    return found


@pytest.mark.parametrize("seed", range(150))
def test_dominators_by_definition(seed):
    function, _ = graph_of(random_edges(seed))
    cfg = control_flow(function)
    tree = dominators(cfg)
    for a in cfg.order:
        rest = reachable(cfg, cfg.entry, a)
        for b in cfg.order:
            assert tree.dominates(a, b) == (b not in rest), (a, b)
    for b in cfg.order:
        above = tree.idom[b]
        strict = [a for a in cfg.order if tree.strictly_dominates(a, b)]
        assert (above is None) == (not strict)
        assert all(tree.dominates(a, above) for a in strict)
        assert tree.depth[b] == len(strict)
        for c in cfg.order:
            shared = [a for a in cfg.order if tree.dominates(a, b) and tree.dominates(a, c)]
            assert tree.common(b, c) is max(shared, key=tree.depth.__getitem__)


@pytest.mark.parametrize("seed", range(150))
def test_post_dominators_by_definition(seed):
    function, _ = graph_of(random_edges(seed))
    cfg = control_flow(function)
    tree = post_dominators(cfg)
    exits = set(cfg.exits)
    ending = [b for b in cfg.order if reachable(cfg, b, None) & exits]
    endless = len(ending) < len(cfg.order)
    for b in ending:
        # A block that may also run forever has the endless region as another way to end.
        if endless and not reachable(cfg, b, None) <= set(ending):
            continue
        for a in cfg.order:
            assert tree.dominates(a, b) == (a is b or not reachable(cfg, b, a) & exits), (a, b)


def test_post_dominator_of_branches_is_the_join():
    function, at = graph({"a": "bc", "b": "d", "c": "d", "d": "ef", "e": "", "f": ""})
    tree = post_dominators(control_flow(function))
    assert tree.ipdom[at["a"]] is at["d"]
    assert tree.common(at["b"], at["c"]) is at["d"]
    assert tree.common(at["e"], at["f"]) is None


def test_endless_loop_gets_an_exit():
    function, at = graph({"a": "bc", "b": "", "c": "d", "d": "c"})
    tree = post_dominators(control_flow(function))
    assert tree.dominates(at["d"], at["c"])
    assert tree.ipdom[at["a"]] is None


def test_restricted_flow_forgets_dead_ends():
    function, at = graph({"a": "bc", "b": "d", "c": "", "d": ""})
    cfg = control_flow(function)
    kept = restricted(cfg, {at["a"], at["b"], at["d"]})
    assert kept.order == (at["a"], at["b"], at["d"])
    assert post_dominators(kept).ipdom[at["a"]] is at["b"]


def seconds_for(shape: str, count: int) -> float:
    """How long control flow and both trees of a graph of so many blocks take."""
    names = [f"b{number}" for number in range(count)]
    edges = {name: [after] for name, after in itertools.pairwise(names)}
    edges[names[-1]] = []
    if shape == "one failure block":
        edges = {name: [*targets, "fail"] for name, targets in edges.items()} | {"fail": []}
    elif shape == "nested":
        for number in range(count // 2 + 1, count - 1):
            edges[names[number]].append(names[count - number])
    elif shape == "ladder":
        for number in range(count - 2):
            edges[names[number]].append(names[number + 2])
    function, _ = graph_of(edges)
    gc.collect()
    gc.disable()  # what other tests left would be looked through, too
    start = time.process_time()
    cfg = control_flow(function)
    dominators(cfg)
    post_dominators(cfg)
    taken = time.process_time() - start
    gc.enable()
    return taken


@pytest.mark.parametrize("shape", ["chain", "one failure block", "nested", "ladder"])
def test_time_grows_as_the_graph(shape):
    """Eight times the blocks take 64 times as long where each looks at all others; other work of the machine may
    double what one run takes."""
    small = min(seconds_for(shape, 2_500) for _ in range(3))
    assert min(seconds_for(shape, 20_000) for _ in range(2)) < 32 * small
