"""The solver on problems with known answers."""

from __future__ import annotations

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dataflow import Analysis, operands, readers, solve
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.instructions import Binary, Jump, Phi, Return
from enzyme_build.ir.types import DOUBLE, function_type
from enzyme_build.ir.values import Argument, const_float

from .graphs import graph


def test_reachability_through_a_cycle():
    edges = {"a": ["c"], "b": ["a"], "c": ["b", "x"], "d": ["y"], "e": []}
    problem = Analysis(initial=False, join=any, transfer=lambda node, fact: fact or node == "x")
    assert solve(edges, problem) == {"a": True, "b": True, "c": True, "d": False, "e": False, "x": True, "y": False}


def test_dominators_as_sets():
    function, at = graph({"a": "bc", "b": "d", "c": "d", "d": "ax", "x": ""})
    cfg = control_flow(function)
    everything = frozenset(cfg.order)

    def join(facts):
        return frozenset.intersection(everything, *facts)

    def transfer(block, fact):
        return frozenset([block]) if block is cfg.entry else fact | {block}

    facts = solve(cfg.predecessors, Analysis(initial=everything, join=join, transfer=transfer))
    assert facts[at["x"]] == {at["a"], at["d"], at["x"]}


def loop_function():
    x = Argument(DOUBLE, "x", 0)
    function = Function("f", "@f", function_type(DOUBLE, (DOUBLE,)), [x])
    entry, body = function.add_block(Block("entry")), function.add_block(Block("body"))
    entry.append(Jump(body))
    phi = Phi(DOUBLE, [const_float(DOUBLE, 1.0), x], [entry, body])
    body.append(phi)
    product = body.append(Binary("fmul", phi, phi))
    other = body.append(Binary("fadd", const_float(DOUBLE, 2.0), const_float(DOUBLE, 3.0)))
    body.append(Return(product))
    return function, x, phi, product, other


def test_varied_and_useful():
    function, x, phi, product, other = loop_function()
    varied = solve(operands(function), Analysis(initial=False, join=any, transfer=lambda v, fact: fact or v is x))
    assert varied[phi]
    assert varied[product]
    assert not varied[other]
    useful = solve(
        readers(function),
        Analysis(initial=False, join=any, transfer=lambda v, fact: fact or isinstance(v, Return)),
    )
    assert useful[x]
    assert useful[phi]
    assert not useful[other]
