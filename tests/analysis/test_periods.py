"""After how many bytes the fields of an array repeat."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.fields import Fields
from enzyme_build.analysis.periods import of_shortest_period
from enzyme_build.ir.types import DOUBLE, FLOAT


def test_a_block_of_structs_is_no_struct():
    found = Fields(72, tuple((at, DOUBLE) for at in (8, 32, 56)), (0, 24, 48))
    assert of_shortest_period(found) == Fields(24, ((8, DOUBLE),), (0,))


def block(*pointers: int, size: int = 1008, type_=DOUBLE) -> Fields:
    """Structs of 16 bytes with a number and what is a word in each, but a number where `pointers` says so."""
    words = tuple(at for at in range(0, size, 16) if at not in pointers)
    numbers = [*((at, DOUBLE) for at in pointers), *((at + 8, type_) for at in range(0, size, 16))]
    return Fields(size, tuple(sorted(numbers, key=lambda one: one[0])), (), words=words)


def test_of_a_long_block_all_structs_are_as_any_of_them():
    assert of_shortest_period(block(32, 48)) == Fields(16, ((8, DOUBLE),), (), words=(0,))


@pytest.mark.parametrize("found", [block(32, size=96), block(32, type_=FLOAT), block(32)])
def test_not_where_that_is_short_or_not_all_have_a_field_there(found: Fields):
    kept = Fields(found.period, found.numbers, (), words=found.words[1:]) if found.period > 100 else found
    assert of_shortest_period(kept) == kept
