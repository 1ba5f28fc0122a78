"""The cut against all subsets of small graphs."""

from __future__ import annotations

import itertools
import random

import pytest

from enzyme_build.differentiate import mincut
from enzyme_build.differentiate.mincut import minimum_cut


@pytest.fixture(autouse=True, params=[mincut._LARGE, 0], ids=["own", "scipy"])
def size_of_large_graphs(request, monkeypatch):
    monkeypatch.setattr(mincut, "_LARGE", request.param)


def cut(edges, sources, sinks, weights):
    return minimum_cut({k: list(v) for k, v in edges.items()}, set(sources), list(sinks), lambda v: weights.get(v, 1))


def parted(edges, sources, sinks, removed):
    """Can no sink be computed from a source without a removed vertex?"""
    pending = [s for s in sinks if s not in removed]
    seen = set(pending)
    while pending:
        v = pending.pop()
        if v in sources:
            return False
        for w in edges.get(v, ()):
            if w not in removed and w not in seen and w in edges:
                seen.add(w)
                pending.append(w)
    return True


def test_the_lighter_of_two_in_a_chain():
    edges = {"b": "a", "a": ""}
    assert cut(edges, "a", "b", {"a": 8, "b": 4}) == {"b"}
    assert cut(edges, "a", "b", {"a": 4, "b": 8}) == {"a"}


def test_one_source_of_many():
    edges = {"a": "", "b": "a", "c": "a", "d": "a"}
    assert cut(edges, "a", "bcd", {}) == {"a"}


def test_many_sources_of_one():
    edges = {"a": "", "b": "", "c": "ab"}
    assert cut(edges, "ab", "c", {}) == {"c"}


def test_what_needs_no_source_is_not_cut():
    edges = {"i": "n", "a": "", "b": "ai"}
    assert cut(edges, "a", "i", {}) == set()


def test_a_needed_source_is_kept_itself():
    assert cut({"a": ""}, "a", "a", {}) == {"a"}


def test_nothing_needed():
    assert cut({"a": ""}, "a", "", {}) == set()


def test_cycles():
    edges = {"a": "b", "b": "as", "s": ""}
    assert cut(edges, "s", "a", {"s": 3, "b": 2, "a": 1}) == {"a"}


@pytest.mark.parametrize("seed", range(40))
def test_against_all_subsets(seed):
    choose = random.Random(seed)
    names = "abcdefg"
    edges = {v: [w for w in names[:n] if choose.random() < 0.5] for n, v in enumerate(names)}
    sources = {v for v in names if not edges[v] or choose.random() < 0.15}
    sinks = [v for v in names if choose.random() < 0.4]
    weights = {v: choose.randint(1, 9) for v in names}
    found = cut(edges, sources, sinks, weights)
    assert parted(edges, sources, sinks, found)
    subsets = itertools.chain.from_iterable(itertools.combinations(names, n) for n in range(len(names) + 1))
    best = min(sum(weights[v] for v in s) for s in subsets if parted(edges, sources, sinks, set(s)))
    assert sum(weights[v] for v in found) == best


@pytest.mark.parametrize("seed", range(5))
def test_both_ways_find_the_same_cut(seed, monkeypatch):
    choose = random.Random(seed)
    edges = {n: [choose.randrange(max(0, n - 30), n) for _ in range(choose.choice((1, 2, 3)))] for n in range(20, 400)}
    edges |= {n: [] for n in range(20)}
    weights = {n: choose.choice((4, 8, 16, 800)) for n in edges}
    sinks = [n for n in edges if choose.random() < 0.3]
    found = []
    for large in (0, len(edges) ** 2):
        monkeypatch.setattr(mincut, "_LARGE", large)
        found.append(cut(edges, range(20), sinks, weights))
    assert found[0] == found[1]
    assert found[0]
