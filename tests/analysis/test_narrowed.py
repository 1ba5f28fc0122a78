"""What lies in front of an array is no part of it, where it is known from where on its elements lie."""

from __future__ import annotations

from enzyme_build.analysis.contents import Graph
from enzyme_build.analysis.fields import fields
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.narrowed import Narrowed, header
from enzyme_build.analysis.regions import Place, Region
from enzyme_build.analysis.spans import Span
from enzyme_build.ir.layout import DataLayout
from enzyme_build.ir.types import DOUBLE, FLOAT, X86_FP80

LAYOUT = DataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128")


def series(begin: int | None = 16) -> Region:
    """A pointer, a float and an integer, and doubles behind them."""
    region = Region(Graph())
    region.content(0, 0).mark(Kind.POINTER)
    region.content(8, 0).mark(Kind.FLOAT, FLOAT)
    region.content(12, 0).mark(Kind.INTEGER)
    content = region.content(0, 8, Span(begin)) if begin is not None else region.content(0, 8)
    content.mark(Kind.FLOAT, DOUBLE)
    return region


def test_the_header_ends_where_elements_begin():
    assert header([Place(series(), 0, 0)]) == 16
    assert header([Place(series(), 8, 0)]) == 8
    assert header([Place(series(), 0, 0), Place(series(24), 0, 0)]) == 16


def test_no_header_where_nothing_tells():
    assert header([Place(series(None), 0, 0)]) is None
    assert header([Place(series(), 0, 8)]) is None
    assert header([Place(series(), 16, 0)]) is None


def test_a_run_of_elements_has_nothing_of_the_header():
    region = series()
    assert fields(LAYOUT, [Place(region, 16, 0)], None).mixed
    found = fields(LAYOUT, [Narrowed().of(Place(region, 16, 0), None)], None)
    assert (found.period, found.numbers, found.pointers) == (8, ((0, DOUBLE),), ())
    assert not found.mixed
    assert not found.unknown


def test_a_run_that_ends_in_front_of_the_elements_has_none():
    found = fields(LAYOUT, [Narrowed().of(Place(series(), 0, 0), 16)], 16)
    assert (found.numbers, found.pointers, found.mixed) == (((8, FLOAT),), (0,), ())


def test_a_run_from_any_element_on_has_nothing_of_the_header():
    place = Place(series(), 0, 8).within(Span(16))
    found = fields(LAYOUT, [Narrowed().of(place, None)], None)
    assert (found.period, found.numbers, found.mixed) == (8, ((0, DOUBLE),), ())


def test_what_reaches_into_the_run_counts():
    region = series()
    region.content(12, 0).mark(Kind.FLOAT, X86_FP80)
    assert fields(LAYOUT, [Narrowed().of(Place(region, 16, 0), None)], None).mixed
