"""Natural loops against their definition, and the shapes the passes rely on."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.loops import loop_forest

from .graphs import graph, graph_of
from .test_dominators import random_edges


def forest_of(edges):
    function, at = graph(edges)
    cfg = control_flow(function)
    return loop_forest(cfg, dominators(cfg)), at


@pytest.mark.parametrize("seed", range(300))
def test_loops_by_definition(seed):
    function, _ = graph_of(random_edges(seed))
    cfg = control_flow(function)
    tree = dominators(cfg)
    forest = loop_forest(cfg, tree)
    expected = {}
    for source in cfg.order:
        for target in cfg.successors[source]:
            if tree.dominates(target, source):
                body = expected.setdefault(target, {target})
                pending = [source]
                while pending:
                    block = pending.pop()
                    if block not in body:
                        body.add(block)
                        pending.extend(cfg.predecessors[block])
            elif cfg.index[target] <= cfg.index[source]:
                assert (source, target) in forest.irreducible
    assert {loop.header: loop.blocks for loop in forest.loops} == expected
    for block in cfg.order:
        around = [loop for loop in forest.loops if block in loop]
        assert forest.depth_of(block) == len(around)
        assert set(forest.nest_of(block)) == set(around)
        inner = forest.loop_of(block)
        assert inner is (min(around, key=lambda loop: len(loop.blocks)) if around else None)
    for loop in forest.loops:
        assert loop.depth == len(forest.nest_of(loop.header))
        assert all(child.parent is loop and child.blocks < loop.blocks for child in loop.children)
        assert set(loop.exit_edges) == {
            (block, target) for block in loop.blocks for target in cfg.successors[block] if target not in loop.blocks
        }


def test_nest():
    forest, at = forest_of({"a": "p", "p": "i", "i": "ij", "j": "px", "x": ""})
    outer, inner = forest.loops
    assert outer.header is at["p"]
    assert outer.preheader is at["a"]
    assert outer.latch is at["j"]
    assert outer.exit_edges == ((at["j"], at["x"]),)
    assert inner.parent is outer
    assert outer.children == (inner,)
    assert inner.blocks == {at["i"]}
    assert inner.preheader is at["p"]
    assert forest.common(at["i"], at["j"]) is outer
    assert outer.encloses(inner)
    assert not inner.encloses(outer)


def test_no_preheader_when_entered_from_two_blocks_or_a_branch():
    forest, _ = forest_of({"a": "bh", "b": "h", "h": "hx", "x": ""})
    assert forest.loops[0].preheader is None
    forest, _ = forest_of({"a": "hx", "h": "hx", "x": ""})
    assert forest.loops[0].preheader is None


def test_two_entries_are_irreducible():
    forest, at = forest_of({"a": "bc", "b": "cx", "c": "b", "x": ""})
    assert forest.loops == ()
    assert len(forest.irreducible) == 1
    assert set(forest.irreducible[0]) == {at["b"], at["c"]}
