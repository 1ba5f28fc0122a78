"""Numbers that are looked up once are those that are looked up each time."""

from __future__ import annotations

import random

import pytest

from enzyme_build.analysis.claims import ClaimedNumbers, claims_at, lies_on_number
from enzyme_build.analysis.contents import Graph
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.regions import Place, Region
from enzyme_build.analysis.spans import Span
from enzyme_build.ir.layout import DataLayout
from enzyme_build.ir.types import DOUBLE, FLOAT, X86_FP80

LAYOUT = DataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128")


@pytest.mark.parametrize("seed", range(30))
def test_same_numbers_are_found(seed):
    chance = random.Random(seed)
    region = Region(Graph())
    for _ in range(chance.randrange(1, 12)):
        content = region.content(chance.randrange(64), chance.choice([0, 0, 1, 4, 8, 12, 16, 24]))
        match chance.randrange(4):
            case 0:
                content.tell(frozenset([chance.choice([DOUBLE, FLOAT]), Kind.INTEGER]))
            case 1:
                content.mark(Kind.POINTER)
            case _:
                content.mark(Kind.FLOAT, chance.choice([DOUBLE, FLOAT, X86_FP80]))
    claimed = ClaimedNumbers(LAYOUT, region)
    for offset in range(80):
        for stride in (0, 1, 8, 16, 20, 24):
            place = Place(region, offset % stride if stride else offset, stride)
            for size in (1, 4, 8, 10):
                assert claimed.touched(place, size) == claims_at(LAYOUT, place, size)
            found = {t for t in claims_at(LAYOUT, place, 1) if lies_on_number(LAYOUT, place, LAYOUT.store_size(t))}
            assert claimed.beginning(place) == found


@pytest.mark.parametrize("seed", range(30))
def test_same_numbers_are_found_where_elements_are_bounded(seed):
    chance = random.Random(seed)
    region = Region(Graph())
    for _ in range(chance.randrange(1, 12)):
        low = chance.randrange(64)
        span = Span(low, low + chance.randrange(1, 40)) if chance.randrange(3) else Span(low)
        content = region.content(chance.randrange(64), chance.choice([0, 4, 8, 16, 24]), span)
        content.mark(Kind.FLOAT, chance.choice([DOUBLE, FLOAT, X86_FP80]))
    claimed = ClaimedNumbers(LAYOUT, region)
    for offset in range(80):
        for stride in (0, 8, 16, 20):
            place = Place(region, offset % stride if stride else offset, stride)
            for size in (1, 4, 8, 10):
                assert claimed.touched(place, size) == claims_at(LAYOUT, place, size)


def test_elements_do_not_reach_the_header():
    region = Region(Graph())
    region.content(0, 8, Span(16)).mark(Kind.FLOAT, DOUBLE)
    assert not claims_at(LAYOUT, Place(region, 0, 0), 8)
    assert claims_at(LAYOUT, Place(region, 8, 0), 9) == {DOUBLE}
    assert claims_at(LAYOUT, Place(region, 24, 0), 4) == {DOUBLE}
    assert not ClaimedNumbers(LAYOUT, region).touched(Place(region, 8, 0), 8)
    assert claims_at(LAYOUT, Place(region, 0, 4), 4) == {DOUBLE}
