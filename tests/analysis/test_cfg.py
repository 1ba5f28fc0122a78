"""Order and edges."""

from __future__ import annotations

from enzyme_build.analysis.cfg import control_flow, reaching, returning
from enzyme_build.ir.instructions import Unreachable

from .graphs import graph


def test_reverse_postorder_has_the_first_successor_first():
    function, at = graph({"a": "bc", "c": "d", "b": "d", "d": ""})
    cfg = control_flow(function)
    assert cfg.order == (at["a"], at["b"], at["c"], at["d"])
    assert [cfg.index[block] for block in cfg.order] == [0, 1, 2, 3]


def test_unreachable_blocks_are_left_out():
    function, at = graph({"a": "b", "b": "", "x": "b"})
    cfg = control_flow(function)
    assert at["x"] not in cfg
    assert cfg.predecessors[at["b"]] == (at["a"],)


def test_edges_are_unique():
    function, at = graph({"a": "bbcb", "b": "c", "c": ""})
    cfg = control_flow(function)
    assert cfg.successors[at["a"]] == (at["b"], at["c"])
    assert cfg.predecessors[at["c"]] == (at["a"], at["b"])
    assert cfg.exits == (at["c"],)


def test_loop_body_comes_before_what_follows():
    function, at = graph({"a": "h", "h": "bx", "b": "h", "x": ""})
    assert control_flow(function).order == (at["a"], at["h"], at["b"], at["x"])


def test_returning_leaves_out_traps_and_endless_loops():
    function, at = graph({"a": "bcd", "b": "", "c": "", "d": "d"})
    at["c"].instructions[-1] = Unreachable()
    cfg = control_flow(function)
    assert returning(cfg) == {at["a"], at["b"]}
    assert reaching(cfg, [at["c"]]) == {at["a"], at["c"]}
