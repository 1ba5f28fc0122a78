"""Functions with any control flow behave as before when their loops have got their form."""

from __future__ import annotations

import random

import pytest

from enzyme_build.analysis.cfg import control_flow, returning
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.differentiate.loop_form import canonical_loops
from enzyme_build.differentiate.reducible import make_reducible
from enzyme_build.ir.check import check_function
from enzyme_build.ir.instructions import Instruction, Phi
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text
from tests.analysis.graphs import graph_of
from tests.analysis.interpret import Run
from tests.analysis.test_dominators import random_edges


def random_text(seed):
    """A function that scrambles a number in every block, and branches by it, also by several cases of a switch to one
    block."""
    edges = {name: list(dict.fromkeys(targets)) for name, targets in random_edges(seed).items()}
    function, _ = graph_of(edges)
    cfg = control_flow(function)
    tree = dominators(cfg)
    source = random.Random(seed)
    ways = {block: [to.name for to in cfg.successors[block]] for block in cfg.order}
    for block, targets in ways.items():
        if 1 < len(targets) < 4 and source.random() < 0.7:
            ways[block] = targets + source.choices(targets, k=4 - len(targets))
    lines = ["define i32 @f(i32 %start, i32 %y) {"]
    for block in cfg.order:
        b = block.name
        above = [other.name for other in cfg.order if tree.strictly_dominates(other, block)]
        incoming = ", ".join(
            f"[ %o.{p.name}, %{p.name} ]" for p in cfg.predecessors[block] for to in ways[p] if to == b
        )
        lines.append(f"{b}:")
        lines.append(f"  %s.{b} = phi i32 {incoming}" if incoming else f"  %s.{b} = add i32 %start, 0")
        lines.append(f"  %t.{b} = mul i32 %s.{b}, 1664525")
        other = f"%o.{source.choice(above)}" if above and source.random() < 0.7 else "%y"
        lines.append(f"  %u.{b} = add i32 %t.{b}, {other}")
        lines.append(f"  %o.{b} = add i32 %u.{b}, {source.randrange(1, 10**9)}")
        match ways[block]:
            case []:
                lines.append(f"  ret i32 %o.{b}")
            case [to]:
                lines.append(f"  br label %{to}")
            case [first, *others]:
                mask = (1 << 28) + (1 << 29)
                lines.append(f"  %m.{b} = and i32 %o.{b}, {mask}")
                cases = " ".join(f"i32 {(number + 1) << 28}, label %{to}" for number, to in enumerate(others))
                lines.append(f"  switch i32 %m.{b}, label %{first} [ {cases} ]")
    return "\n".join([*lines, "}"])


def results(function):
    found = []
    for start in range(12):
        run = Run(function, [start * 99991, 7 * start + 1], limit=1000)
        found.append((run.run() is not None, run.result))
    return found


def forms(text):
    module = parse_module(text)
    function = module.function("f")
    changed = make_reducible(function)
    canonical_loops(function)
    return module, function, changed


@pytest.mark.parametrize("seed", range(150))
def test_the_same_results_with_loops_of_one_way_in(seed):
    text = random_text(seed)
    before = results(parse_module(text).function("f"))
    module, function, _ = forms(text)
    assert check_function(module, function) == []
    module.replace_function("f")
    parse_text(print_module(module), "the function").close()
    for (ended, value), (ends, result) in zip(before, results(function), strict=True):
        # The new blocks count as steps, so the limit may be reached earlier.
        assert not ends or (ended, value) == (True, result)
    cfg = control_flow(function)
    forest = loop_forest(cfg, dominators(cfg))
    assert forest.irreducible == ()
    ends = returning(cfg)
    for loop in forest.loops:
        assert loop.preheader is not None
        for exit_ in loop.exits:
            assert exit_ not in ends or all(source in loop.blocks for source in cfg.predecessors[exit_])
    for block in cfg.order:
        for i in block.instructions:
            for at, operand in enumerate(i.operands):
                if isinstance(operand, Instruction):
                    loop = forest.loop_of(operand.block)
                    assert loop is None or (i.blocks[at] if isinstance(i, Phi) else block) in loop.blocks


def test_the_random_functions_have_what_is_tested():
    changed = [seed for seed in range(150) if forms(random_text(seed))[2]]
    ending = [
        seed for seed in changed if any(ended for ended, _ in results(parse_module(random_text(seed)).function("f")))
    ]
    assert len(ending) > 10


def test_three_ways_in_are_one_dispatch():
    function, at = graph_of({"a": "bcd", "b": "c", "c": "dx", "d": "b", "x": ""})
    assert make_reducible(function)
    assert not make_reducible(function)
    cfg = control_flow(function)
    (loop,) = loop_forest(cfg, dominators(cfg)).loops
    assert loop.header.name == "d.dispatch"  # the first in reverse postorder
    assert loop.latch is not None
    assert {at["b"], at["c"], at["d"]} < loop.blocks


def test_an_inner_loop_of_an_entry_stays():
    function, at = graph_of({"a": "bc", "b": "bc", "c": "bx", "x": ""})
    make_reducible(function)
    cfg = control_flow(function)
    outer, inner = loop_forest(cfg, dominators(cfg)).loops
    assert inner.header is at["b"]
    assert inner.latches == (at["b"],)
    assert inner.preheader is not None
    assert outer.encloses(inner)


def test_functions_with_loops_of_one_way_in_stay_as_they_are():
    function, _ = graph_of({"a": "p", "p": "i", "i": "ij", "j": "px", "x": ""})
    before = list(function.blocks)
    assert not make_reducible(function)
    assert function.blocks == before
