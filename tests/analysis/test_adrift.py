"""Where numbers may lie elsewhere than where the fields of a copied run say."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.adrift import adrift, may_be_askew
from enzyme_build.analysis.contents import Graph
from enzyme_build.analysis.fields import ONCE, Fields
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.regions import Place, Region
from enzyme_build.ir.layout import DataLayout
from enzyme_build.ir.types import DOUBLE, FLOAT

LAYOUT = DataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128")
ARRAY = Fields(8, ((0, DOUBLE),), ())
PAIRS = Fields(16, ((8, DOUBLE),), ())
ONE = Fields(0, ((8, DOUBLE),), ())


def region(*numbers: tuple[int, int]) -> Region:
    made = Region(Graph())
    for offset, stride in numbers:
        made.content(offset, stride).mark(Kind.FLOAT, DOUBLE)
    return made


@pytest.mark.parametrize(
    ("numbers", "found", "length"),
    [
        ([(0, 8), (16, 0), (8, 16)], ARRAY, None),
        ([(8, 16), (24, 0)], PAIRS, None),
        ([(8, 0), (16, 0), (-8, 0)], ONE, 16),
        ([(8, 0)], Fields(ONCE, ((8, DOUBLE),), ()), None),
        ([(8, 24)], ONE, 16),
    ],
)
def test_numbers_where_fields_are_lie_nowhere_else(numbers, found, length):
    assert not adrift(LAYOUT, [Place(region(*numbers), 0, 0)], found, length)


@pytest.mark.parametrize(
    ("numbers", "found", "length"),
    [
        ([(0, 8), (2, 8)], ARRAY, None),
        ([(0, 8), (0, 2)], ARRAY, None),
        ([(0, 8)], PAIRS, None),
        ([(8, 0), (0, 1)], ONE, 16),
        ([(12, 0)], ONE, 16),
        ([(8, 0), (-6, 0)], ONE, 16),
    ],
)
def test_others_are_seen(numbers, found, length):
    assert adrift(LAYOUT, [Place(region(*numbers), 0, 0)], found, length)


def test_places_count_from_where_the_run_begins():
    assert not adrift(LAYOUT, [Place(region((4, 8)), 4, 0)], ARRAY, None)
    assert adrift(LAYOUT, [Place(region((4, 8)), 0, 0)], ARRAY, None)
    assert adrift(LAYOUT, [Place(region((0, 8)), 0, 4)], ARRAY, None)
    assert not adrift(LAYOUT, [Place(region((0, 8)), 0, 8)], ARRAY, None)


def test_types_count():
    assert adrift(LAYOUT, [Place(region((0, 8)), 0, 0)], Fields(8, ((0, FLOAT),), ()), None)


def test_a_program_without_scattered_numbers_has_none_askew():
    assert not may_be_askew([region((0, 8), (4, 16))])
    assert may_be_askew([region((0, 8)), region((3, 12))])
    text = Region(Graph())
    text.content(0, 1).mark(Kind.INTEGER)
    assert not may_be_askew([text])
