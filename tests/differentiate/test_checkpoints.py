"""The schedule of checkpointed loops: each step is reversed once, from the last to the first, and no schedule with so
many snapshots runs fewer steps again."""

from __future__ import annotations

import ctypes
import functools

import pytest

from enzyme_build.differentiate import runtime
from enzyme_build.differentiate.checkpointed import ADVANCE, COMPARE, KEEP, RESTORE, REVERSE
from enzyme_build.differentiate.helpers import ensure_helpers
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module

from .jit import Compiled

SQUARE_ROOT, LOGARITHM = 0, -1
HELD = 2
"""The word of a record that counts the snapshots."""


@pytest.fixture(scope="module")
def record():
    """The functions that keep the record of a loop."""
    module = parse_module('target triple = "x86_64-pc-linux-gnu"\n')
    for name in ("new", "keep", "turn", "next"):
        runtime.runtime_function(module, f"checkpoint_{name}")
    ensure_helpers(module)
    compiled = Compiled(print_module(module).replace("define internal", "define"))
    word, pointer = ctypes.c_int64, ctypes.c_void_p
    types = {
        "new": (pointer, word, word, word),
        "keep": (pointer, pointer, word),
        "turn": (None, pointer, word),
        "next": (word, pointer, pointer),
    }
    return {name: compiled(f"enzyme_build.checkpoint_{name}", *types[name]) for name in types}


class Run:
    """A loop of so many steps whose state is the number of the step, as both passes run it."""

    def __init__(self, record, steps, slots, *, known):
        self.most = self.again = self.compared = 0
        self.reversed = []
        here = record["new"](8, steps if known else -1, slots)
        for step in range(steps):
            memory = record["keep"](here, step)
            if memory:
                ctypes.c_int64.from_address(memory).value = step
            self.note(here)
        record["turn"](here, steps)
        place = ctypes.c_void_p()
        state = None
        while True:
            self.note(here)
            match record["next"](here, ctypes.byref(place)):
                case 0:
                    break
                case code if code == RESTORE:
                    state = ctypes.c_int64.from_address(place.value).value
                case code if code == KEEP:
                    ctypes.c_int64.from_address(place.value).value = state
                case code if code == ADVANCE:
                    state += 1
                    self.again += 1
                case code if code == REVERSE:
                    self.reversed.append(state)
                    state = None
                case code if code == COMPARE:
                    assert ctypes.c_int64.from_address(place.value).value == state + 1
                    self.compared += 1

    def note(self, here):
        self.most = max(self.most, (ctypes.c_int64 * 3).from_address(here)[HELD])


@functools.cache
def fewest(steps, slots):
    """Steps that the best schedule runs on the way to all steps: the definition, by Bellman's principle."""
    if steps <= 1:
        return 0
    if slots == 1:
        return steps * (steps - 1) // 2
    return min(first + fewest(steps - first, slots - 1) + fewest(first, slots) for first in range(1, steps))


@pytest.mark.parametrize("slots", [1, 2, 3, 5, 8, 60])
def test_binomial_schedule_is_optimal(record, slots):
    for steps in range(1, 50):
        run = Run(record, steps, slots, known=True)
        assert run.reversed == list(reversed(range(steps)))
        assert run.most <= slots
        # The forward sweep goes through all steps: as a schedule for one more, whose last one is free.
        assert run.again == fewest(steps + 1, slots) - steps


@pytest.mark.parametrize("slots", [SQUARE_ROOT, LOGARITHM, 1, 2, 3, 8, 60])
def test_unknown_number_of_steps(record, slots):
    for steps in (*range(1, 50), 1000, 1500):
        run = Run(record, steps, slots, known=False)
        assert run.reversed == list(reversed(range(steps)))
        assert slots <= 0 or run.most <= slots


def test_no_steps(record):
    assert Run(record, 0, SQUARE_ROOT, known=True).reversed == []


@pytest.mark.parametrize("known", [True, False])
def test_memory_grows_with_the_root_or_the_logarithm(record, known):
    for steps in (100, 1000, 10000):
        root, logarithm = (Run(record, steps, slots, known=known) for slots in (SQUARE_ROOT, LOGARITHM))
        assert root.most <= 3 * steps**0.5
        assert logarithm.most <= 2 * steps.bit_length() + 4
        assert root.again <= 2 * steps
        assert logarithm.again <= steps * steps.bit_length() / 2


def test_snapshots_are_checked(record):
    """The steps in front of each snapshot of the forward sweep, but for the first, lead to it once more."""
    assert Run(record, 100, 10, known=True).compared == 9
    assert Run(record, 100, 100, known=True).compared == 99
