"""Dependence of reads on later writes: against running random nests of loops, and the cases that matter by name."""

from __future__ import annotations

import random

import pytest

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dependence import Dependence
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.evolution import Evolution
from enzyme_build.analysis.inequalities import contradictory
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.analysis.progress import Progress
from enzyme_build.analysis.readings import Readings
from enzyme_build.ir.instructions import Load, Store
from enzyme_build.ir.layout import DataLayout
from enzyme_build.ir.parser import parse_module

from .nests import Access, Loop, evaluate, random_nest, run, text

LAYOUT = DataLayout("e-m:e-i64:64-f80:128-n8:16:32:64-S128")


def analysed(source):
    """(dependence, loops, accesses) of a function."""
    module = parse_module(source)
    function = module.function("f")
    cfg = control_flow(function)
    tree = dominators(cfg)
    forest = loop_forest(cfg, tree)
    evolution = Evolution(tree, forest, LAYOUT, Progress(module, function))
    dependence = Dependence(module, Readings(evolution, forest, cfg, tree, LAYOUT), forest, cfg)
    return dependence, forest, [i for block in cfg.order for i in block.instructions if isinstance(i, Load | Store)]


def number(access):
    return int(access.name[1:]) if isinstance(access, Load) else round(float(access.value.text))


def apart_in_iterations(source):
    """The pairs of accesses of an innermost loop of which different iterations never touch the same element."""
    dependence, forest, accesses = analysed(source)
    return {
        (number(a), number(b))
        for loop in forest.loops
        for a in accesses
        for b in accesses
        if not loop.children and a.block in loop.blocks and b.block in loop.blocks
        if dependence.apart_between_iterations((a.pointer, a.block, 8), (b.pointer, b.block, 8), loop)
    }


def meetings(statements, values):
    """Pairs of accesses of an innermost loop that touch the same element in different iterations of one entry."""
    found = set()
    for statement in statements:
        if not isinstance(statement, Access):
            at, stop, entry = evaluate(statement.start, values), evaluate(statement.stop, values), []
            while at < stop if statement.step > 0 else at > stop:
                inside = {**values, statement.name: at}
                found |= meetings(statement.body, inside)
                entry += [(at, a.number, evaluate(a.terms, inside)) for a in statement.body if isinstance(a, Access)]
                at += statement.step
            if all(isinstance(a, Access) for a in statement.body):
                found |= {(a, b) for i, a, x in entry for j, b, y in entry if i != j and x == y}
    return found


@pytest.mark.parametrize("seed", range(12))
def test_no_iterations_meet_that_were_proved_apart(seed):
    r = random.Random(1000 + seed)
    proved = possible = 0
    for _ in range(8):
        statements, _ = random_nest(r)
        source = text(statements, wide=r.random() < 0.5, split=r.random() < 0.5)
        answers = apart_in_iterations(source)
        met = set().union(*(meetings(statements, {"n": n, "m": m}) for n in range(6) for m in range(5)))
        assert not answers & met, (answers & met, source)
        proved += len(answers)
        possible += len(answers) + len(met)
    assert proved > 0.1 * possible


def pairs(source):
    """{(name of the load, stored number): is what was read never overwritten}"""
    dependence, _, accesses = analysed(source)
    order = {i: number for number, i in enumerate(accesses)}
    found = {}
    for read in accesses:
        for write in accesses:
            if isinstance(read, Load) and isinstance(write, Store):
                below = read.block is write.block and order[write] > order[read]
                found[read.name, write.value.text] = dependence.never_overwritten(
                    (read.pointer, read.block, 8), (write.pointer, write.block, 8), below=below
                )
    return found


def overwritten(statements, values):
    """Pairs (read, write) of which an execution of the write follows one of the read at the same element."""
    found = set()
    readers = {}
    for kind, number, element in run(statements, values):
        if kind == "load":
            readers.setdefault(element, set()).add(number)
        else:
            found.update((reader, number) for reader in readers.get(element, ()))
    return found


@pytest.mark.parametrize("seed", range(15))
def test_no_proof_is_refuted_by_running_random_nests(seed):
    r = random.Random(seed)
    proved = apart = 0
    for _ in range(8):
        statements, _ = random_nest(r)
        answers = pairs(text(statements, wide=r.random() < 0.3, split=r.random() < 0.5))
        seen = set()
        for n in range(6):
            for m in range(5):
                seen |= overwritten(statements, {"n": n, "m": m})
        for (read, value), never in answers.items():
            pair = int(read[1:]), round(float(value))
            assert not (never and pair in seen), (pair, text(statements, wide=True))
            proved += never
            apart += pair not in seen
    assert proved >= 0.2 * apart > 0


def loop(name, start, stop, *body, step=1, rotated=True):
    return Loop(name, start, stop, step, rotated, list(body))


def load(number, *terms):
    return Access("load", list(terms), number)


def store(number, *terms):
    return Access("store", list(terms), number)


ZERO = [(0, ())]
N = [(1, ("n",))]


def var(name, plus=0):
    return [(1, (name,)), (plus, ())]


def at(row, column, size="n"):
    """Element (row, column) of an array with rows of `size` elements."""
    return (1, (row, size)), (1, (column,))


CASES = {
    # for i: x[i] = …; for k < i: … x[k]
    "forward substitution": (
        [loop("i", ZERO, N, loop("k", ZERO, var("i"), load(1, (1, ("k",)))), store(2, (1, ("i",))))],
        True,
    ),
    # for i downwards: for k > i: … x[k]; x[i] = …
    "backward substitution": (
        [
            loop(
                "i",
                [(1, ("n",)), (-1, ())],
                [(-1, ())],
                loop("k", var("i", 1), N, load(1, (1, ("k",)))),
                store(2, (1, ("i",))),
                step=-1,
            )
        ],
        True,
    ),
    # for j: for i > j: for k < j: … l[j][k]; l[i][j] = …
    "Cholesky": (
        [
            loop(
                "j",
                ZERO,
                N,
                loop("i", var("j", 1), N, loop("k", ZERO, var("j"), load(1, *at("j", "k"))), store(2, *at("i", "j"))),
            )
        ],
        True,
    ),
    # for k: for i > k: for j > k: … a[k][j]; a[i][j] = …
    "Gaussian elimination": (
        [
            loop(
                "k",
                ZERO,
                N,
                loop("i", var("k", 1), N, loop("j", var("k", 1), N, load(1, *at("k", "j")), store(2, *at("i", "j")))),
            )
        ],
        True,
    ),
    # for t: for i < n: … u[t][i]; u[t + 1][i] = …
    "time steps in a plane each": (
        [
            loop(
                "t",
                ZERO,
                [(1, ("m",))],
                loop("i", ZERO, N, load(1, *at("t", "i")), store(2, *at("t", "i"), (1, ("n",)))),
            )
        ],
        True,
    ),
    # Rows of m elements, and a first row that is longer.
    "columns beyond the row": (
        [
            loop(
                "j",
                ZERO,
                N,
                loop("k", ZERO, var("j"), load(1, *at("j", "k", "m"))),
                store(2, (1, ("j",))),
            )
        ],
        False,
    ),
    "read ahead": ([loop("i", ZERO, N, load(1, (1, ("i",)), (1, ())), store(2, (1, ("i",))))], False),
    "read behind": ([loop("i", ZERO, N, load(1, (1, ("i",)), (-1, ())), store(2, (1, ("i",))))], True),
    "updated in place": ([loop("i", ZERO, N, load(1, (1, ("i",))), store(2, (1, ("i",))))], False),
    "every second": ([loop("i", ZERO, N, load(1, (2, ("i",)), (1, ())), store(2, (2, ("i",))))], True),
    "swept twice": (
        [loop("t", ZERO, [(1, ("m",))], loop("i", ZERO, N, load(1, (1, ("i",)), (-1, ())), store(2, (1, ("i",)))))],
        False,
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("rotated", [True, False])
def test_loops_people_write(name, wide, rotated):
    statements, expected = CASES[name]
    for outer in statements:
        outer.rotated = rotated
    assert pairs(text(statements, wide))["a1", "2.0"] is expected
    values = [{"n": n, "m": m} for n in range(6) for m in range(5)]
    assert any((1, 2) in overwritten(statements, v) for v in values) is not expected


IN_ROWS = {"Cholesky", "Gaussian elimination", "time steps in a plane each"}
"""Of which rows are proved apart: by the product of two sizes, which may be any number modulo 2^64."""


@pytest.mark.parametrize("name", CASES)
def test_addresses_in_parts_without_a_promise(name):
    """What is left of the distance of two accesses is short, and so the same as modulo 2^64."""
    statements, expected = CASES[name]
    assert pairs(text(statements, wide=False, split=True))["a1", "2.0"] is (expected and name not in IN_ROWS)


@pytest.mark.parametrize(("wide", "split", "apart"), [(False, True, True), (True, True, False), (True, False, True)])
def test_rows_side_by_side(wide, split, apart):
    """for i: for j < n: … u[i][j]; u[i + 1][j] = …, which 64-bit sizes do not show without a promise."""
    inner = loop("j", ZERO, N, load(1, *at("i", "j")), store(2, *at("i", "j"), (1, ("n",))))
    found = apart_in_iterations(text([loop("i", ZERO, [(1, ("m",))], inner)], wide, split=split))
    assert ((1, 2) in found) is apart
    assert {(1, 1), (2, 2)} <= found


def test_inequalities():
    x, y, one = (1,), (2,), ()
    # x >= y + 1, y >= 0, x <= 0
    assert contradictory([{x: 1, y: -1, one: -1}, {y: 1}, {x: -1}])
    assert not contradictory([{x: 1, y: -1, one: -1}, {y: 1}, {x: -1, one: 1}])
    # 2x = 1 has no integer solution
    assert contradictory([{x: 2, one: -1}, {x: -2, one: 1}])
    assert contradictory([{one: -1}])
    assert not contradictory([])
