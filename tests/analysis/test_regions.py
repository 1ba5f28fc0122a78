"""Places, contents and their unification."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.accessed import accessed_content, unify_overlapping_pointers
from enzyme_build.analysis.contents import Content, Graph
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.regions import Place, Region
from enzyme_build.analysis.spans import ANYWHERE, Span
from enzyme_build.ir.types import DOUBLE, FLOAT


@pytest.fixture
def graph():
    return Graph()


def test_moving_by_elements_forgets_which_element(graph):
    place = Place(Region(graph), 0, 0).moved(40).moved(0, 24)
    assert (place.offset, place.stride) == (16, 24)
    assert place.moved(8).offset == 0
    assert place.moved(0, 16).stride == 8  # 24 a + 16 b are the multiples of 8


def test_joined_places_are_one_region_shifted(graph):
    a, b = Region(graph), Region(graph)
    joined = Place(a, 16, 0).join(Place(b, 0, 0))
    assert Place(b, 8, 0).resolved() == Place(a.root, joined.offset + 8, 0)
    assert Place(a, 24, 0).resolved() == Place(b, 8, 0).resolved()


def test_two_offsets_of_one_region_join_to_a_stride(graph):
    region = Region(graph)
    assert Place(region, 8, 0).join(Place(region, 32, 0)) == Place(region, 8, 24)
    assert Place(region, 4, 12).join(Place(region, 0, 8)) == Place(region, 0, 4)


def test_fields_follow_their_region(graph):
    a, b = Region(graph), Region(graph)
    b.content(8, 0).mark(Kind.FLOAT, DOUBLE)
    a.content(4, 0).mark(Kind.INTEGER)
    Place(a, 100, 0).join(Place(b, 0, 0))
    inside = Place(a, 108, 0).resolved()
    assert inside.region.content(inside.offset, 0).kind is Kind.FLOAT
    first = Place(a, 4, 0).resolved()
    assert first.region.content(first.offset, 0).kind is Kind.INTEGER


def test_the_coarsest_elements_that_a_place_may_be_tell_of_it(graph):
    a, b = Region(graph), Region(graph)
    a.content(0, 8).mark(Kind.INTEGER)
    b.content(16, 24).mark(Kind.FLOAT, DOUBLE)
    Place(a, 0, 0).join(Place(b, 0, 0))
    root = a.root
    assert accessed_content(root, 40, 0).kind is Kind.FLOAT
    assert accessed_content(root, 16, 48).kind is Kind.FLOAT
    assert accessed_content(root, 32, 0).kind is Kind.INTEGER
    assert accessed_content(root, 16, 0, skip=root.content(16, 24).root).kind is Kind.INTEGER
    assert accessed_content(root, 4, 0) is None
    root.content(40, 0).mark(Kind.POINTER)
    assert accessed_content(root, 40, 0).kind is Kind.POINTER


def test_flags_and_origins_follow_too(graph):
    a, b = Region(graph), Region(graph, external=True)
    b.origins.add("argument")
    b.set_flag("writes")
    Place(a, 0, 0).join(Place(b, 0, 0))
    assert a.root.external
    assert a.root.writes
    assert not a.root.reads
    assert a.root.origins == {"argument"}


def test_contradiction_is_mixed(graph):
    content = Content(graph)
    content.mark(Kind.FLOAT, DOUBLE)
    content.mark(Kind.FLOAT, DOUBLE)
    assert (content.kind, content.float_type) == (Kind.FLOAT, DOUBLE)
    content.mark(Kind.FLOAT, FLOAT)
    assert (content.kind, content.float_type) == (Kind.MIXED, None)
    content.mark(Kind.INTEGER)
    assert content.kind is Kind.MIXED


def test_unified_contents_share_facts(graph):
    a, b, c = Content(graph), Content(graph), Content(graph)
    a.unify(b)
    b.unify(c)
    c.mark(Kind.POINTER)
    assert a.kind is b.kind is Kind.POINTER


def test_unifying_pointers_unifies_what_they_point_to(graph):
    a, b = Content(graph), Content(graph)
    first, second = Region(graph), Region(graph)
    a.point_to(Place(first, 0, 0))
    b.point_to(Place(second, 0, 0))
    a.unify(b)
    assert first.root is second.root
    assert a.target == b.target


def test_linked_list_is_one_region(graph):
    """A region that points to itself: unification ends."""
    node, next_ = Region(graph), Region(graph)
    node.content(8, 0).point_to(Place(next_, 0, 0))
    next_.content(8, 0).point_to(Place(node, 0, 0))
    Place(node, 0, 0).join(Place(next_, 0, 0))
    root = node.root
    assert [place.region for place in root.targets()] == [root]


def test_pointers_that_may_be_the_same_bytes_point_to_the_same(graph):
    table, a, b, c = (Region(graph) for _ in range(4))
    table.content(0, 16).point_to(Place(a, 0, 0))
    table.content(32, 0).point_to(Place(b, 0, 0))
    table.content(8, 0).point_to(Place(c, 0, 0))
    unify_overlapping_pointers(table)
    assert a.root is b.root
    assert a.root is not c.root


def test_every_new_fact_is_counted(graph):
    content = Content(graph)
    before = graph.changes
    content.mark(Kind.INTEGER)
    assert graph.changes > before
    before = graph.changes
    content.mark(Kind.INTEGER)
    content.unify(content)
    assert graph.changes == before


@pytest.mark.parametrize(
    ("field", "element", "same"),
    [("p2 node", "p1 node", False), ("p1 node", "p1 node", True), ("", "p1 node", True), (None, "p1 node", True)],
)
def test_an_array_of_other_pointers_is_not_the_field_that_it_may_overlap(graph, field, element, same):
    region, nodes, buckets = Region(graph), Region(graph), Region(graph)
    for content, name, target in (
        (region.content(16, 0), field, buckets),
        (region.content(0, 8), element, nodes),
    ):
        content.point_to(Place(target, 0, 0))
        if name is not None:
            content.access_as(name)
    unify_overlapping_pointers(region)
    assert (nodes.root is buckets.root) is same


def test_elements_of_a_member_stay_in_it(graph):
    pool = Place(Region(graph), 8, 0).moved(0, 24).within(Span(8, 392))
    assert pool.moved(16).span == pool.moved(-24).span == pool.moved(0, 8).span == Span(8, 392)
    assert pool.moved(-8).span is pool.moved(0, 1).span is ANYWHERE  # what the array lies in, and tagged addresses


def test_joined_elements_lie_in_both_members(graph):
    region = Region(graph)
    a, b = Place(region, 0, 8, Span(8, 32)), Place(region, 0, 8, Span(40, 64))
    assert a.join(b).span == Span(8, 64)
    assert a.join(Place(region, 16, 0)).span == Span(8, 32)
    assert a.join(Place(region, 40, 0)).span is ANYWHERE  # the first element of another array, perhaps
    assert Place(region, 8, 0).join(Place(region, 16, 0)).span is ANYWHERE


def test_spans_are_counted_from_the_region_that_stays(graph):
    a, b = Region(graph), Region(graph)
    b.content(0, 8, Span(0, 24)).mark(Kind.FLOAT, DOUBLE)
    element = Place(b, 0, 8, Span(0, 24))
    Place(a, 16, 0).join(Place(b, 0, 0))
    root = a.root
    at = element.resolved()
    start = Place(b, 0, 0).resolved().offset
    assert at.span == root.span(at.offset, 8) == Span(start, start + 24)


def test_what_is_asked_at_several_spans_lies_in_all(graph):
    region = Region(graph)
    region.content(0, 8, Span(8, 24))
    region.content(0, 8, Span(32, 40))
    assert region.span(0, 8) == Span(8, 40)
    region.content(0, 8)
    region.content(0, 8, Span(8, 24))
    assert region.span(0, 8) is ANYWHERE


def test_pointers_beside_a_member_are_other_pointers(graph):
    region, text, nodes = Region(graph), Region(graph), Region(graph)
    region.content(0, 0).point_to(Place(text, 0, 0))
    links = region.content(0, 24, Span(8, 392))
    links.point_to(Place(nodes, 0, 0))
    unify_overlapping_pointers(region)
    assert text.root is not nodes.root
    region.content(0, 24)
    unify_overlapping_pointers(region)
    assert text.root is nodes.root
