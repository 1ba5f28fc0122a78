"""What callers know of the memory they hand to their callees.

A helper that only moves bytes does not show what they are; its callers do. After every component of the call graph
has been analysed by itself, callers first: contents without a kind take the one that all callers agree on. What then
is still unknown and no outsider can see is nothing but integers, since nobody uses it as anything else. What callers
say of bytes whose kind is known is kept as well: they may hand over objects of several classes, and a copy of bytes
must be right for all of them.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import Argument

from .accessed import accessed_content
from .fields import declared_kind
from .kinds import Claim, Kind, Trust, claims_of
from .regions import Place, Region
from .spans import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type

    from .bytetypes import Component
    from .contents import Content
    from .memory import Memory

_HALF = 4


class Vote(NamedTuple):
    """What a caller says of a field."""

    kind: Kind
    number: Type | None
    claims: frozenset[Claim]
    trust: Trust = Trust.TYPED
    """What the type of the number is worth."""
    carries: bool = False
    """May the bytes be carrying a number here?"""
    alike: bool = False
    """Or in an object that looks alike?"""
    disputed: bool = False
    """Do callers of the caller dispute it?"""
    addresses: bool = False
    """Are integers there addresses?"""
    span: Span | None = None
    """Where the caller's own accesses to such a field lie, in the callee's region; None where it has none."""


class _Said:
    """What callers say of a field: one thing mostly, which many say."""

    __slots__ = ("_last", "sites", "votes")

    def __init__(self) -> None:
        self.votes: list[Vote] = []
        self.sites = 0
        """How many calls say something."""
        self._last = 0

    def add(self, vote: Vote, site: int) -> None:
        if self._last != site:
            self._last = site
            self.sites += 1
        if vote not in self.votes:
            self.votes.append(vote)


def tell_callees(layout: DataLayout, components: Sequence[Component], roots: Collection[Function] = ()) -> None:
    """Complete the contents of all components, which are given callees first; `roots` have unknown callers, too."""
    told: dict[Region, dict[tuple[int, int], _Said]] = {}
    sites: dict[Region, int] = {}
    hidden: dict[Region, bool] = {}
    for component in reversed(components):
        called = not any(function in roots for function in component.models)
        for region in component.all_regions():
            if region in told:
                _adopt(region, told[region], sites[region])
        if called:
            _hide(component.all_regions(), hidden)
        component.close()
        settle_hidden(component)
        voter = _Voter(layout)
        for source, copy in component.handed_over():
            root = source.root
            kept = _is_from_callers(root) and not copy.root.is_visible
            hidden[root] = kept and hidden.get(root, True)
            site = sites[root] = sites.get(root, 0) + 1
            said = told.setdefault(root, {})
            for key, vote in _votes(layout, root, copy, voter):
                if key not in said:
                    said[key] = _Said()
                said[key].add(vote, site)
        for source in component.called_back():
            hidden[source.root] = False


def _hide(regions: Sequence[Region], hidden: Mapping[Region, bool]) -> None:
    """Mark what no caller shows to code that is not seen, and nothing that is shown leads to."""
    shown = [region for region in regions if region.external and not hidden.get(region, False)]
    reached = set(shown)
    while shown:
        targets = {target.region for target in shown.pop().targets()} - reached
        reached |= targets
        shown += targets
    for region in regions:
        region.hidden = region.external and region not in reached


def has_several_callers(memory: Memory) -> bool:
    """Is this function called in several places, or one that calls it? Calls of its own are not counted."""
    if memory.several_callers is None:
        models = {model.function: model for model in (memory, *memory.others.values())}
        sites: dict[str, list[Function]] = {}
        for function in models:
            for i in function.instructions():
                if isinstance(i, ir.CallBase) and isinstance(i.callee, Function):
                    sites.setdefault(i.callee.name, []).append(function)
        for function, model in models.items():
            model.several_callers = _several(function, sites)
    return bool(memory.several_callers)


def _several(function: Function, sites: Mapping[str, list[Function]]) -> bool:
    seen = {function}
    pending = [function]
    while pending:
        callers = [caller for caller in sites.get(pending.pop().name, ()) if caller not in seen]
        if len(callers) > 1:
            return True
        seen.update(callers)
        pending += callers
    return False


def _is_from_callers(region: Region) -> bool:
    """Is this memory that its function was given, or made itself?"""
    given = (origin in region.allocations or isinstance(origin, Argument | ir.Load) for origin in region.origins)
    return not region.globals and all(given)


def _adopt(region: Region, told: Mapping[tuple[int, int], _Said], sites: int) -> None:
    """Let contents be what callers say, which is disputed where not all of so many say something."""
    for (offset, stride), said in told.items():
        votes = said.votes
        spans = [vote.span for vote in votes if vote.span is not None] if stride else []
        content = region.content(offset, stride, reduce(Span.around, spans) if spans else region.span(offset, stride))
        if content.kind is Kind.UNKNOWN:
            if said.sites < sites or any(vote.disputed for vote in votes):
                content.dispute()
            first = votes[0]
            if all(vote.kind is first.kind and vote.number is first.number for vote in votes):
                content.mark(first.kind, first.number, max(vote.trust for vote in votes))
            else:
                content.mark(Kind.MIXED)
        for vote in votes:
            content.tell(vote.claims)
            if vote.carries:
                content.set_carried()
            if vote.alike:
                content.suspect()
            if vote.addresses:
                content.keep_addresses()


def _votes(layout: DataLayout, source: Region, copy: Region, voter: _Voter) -> Iterator[tuple[tuple[int, int], Vote]]:
    """What the caller says about fields of a callee's region: those it knows, and those the callee asks about."""
    root, shift = copy.find()
    places = dict.fromkeys((offset, 0) for offset in root.fields)
    places |= dict.fromkeys(root.strided)
    places |= dict.fromkeys((offset + shift, 0) for offset in source.fields)
    places |= dict.fromkeys((offset + shift, stride) for offset, stride in source.strided)
    bare = len(source.fields) + len(source.strided) == 1  # one word, no object with members that may look alike
    for offset, stride in places:
        span = root.span(offset, stride).moved(-shift) if (offset, stride) in root.strided else None
        vote = voter.vote(root, offset, stride, 0, bare=bare)
        if vote.kind is not Kind.UNKNOWN:
            yield (offset - shift, stride), vote._replace(span=span)
            # One access may move a small struct: tell of the other half, too, where one of them is a number.
            if offset % (2 * _HALF):
                continue
            half = voter.vote(root, offset, stride, _HALF, bare=bare)
            if half.kind is not Kind.UNKNOWN and any(_is_small(layout, told) for told in (vote, half)):
                yield (offset + _HALF - shift, stride), half._replace(span=span)


class _Voter:
    """What one component says, to which nothing is added meanwhile: memory is handed to many callees."""

    def __init__(self, layout: DataLayout) -> None:
        self._layout = layout
        self._said: dict[tuple[Region, int, int, int, bool], Vote] = {}
        self._of_contents: dict[tuple[Content, Region | None], Vote] = {}

    def vote(self, region: Region, offset: int, stride: int, at: int, *, bare: bool) -> Vote:
        """On the byte `at` behind a place in a region, of which the callee sees just one word if `bare`."""
        key = (region, offset, stride, at, bare)
        found = self._said.get(key)
        if found is None:
            found = self._said[key] = self._vote(Place(region, offset, stride), at, bare=bare)
        return found

    def _vote(self, place: Place, at: int, *, bare: bool) -> Vote:
        moved = place.moved(at)
        content = accessed_content(moved.region, moved.offset, moved.stride)
        if content is None:
            kind, type_ = declared_kind(self._layout, [place], at, 0)
            return Vote(kind, type_, claims_of(kind, type_))
        key = (content.root, moved.region if bare else None)
        found = self._of_contents.get(key)
        if found is None:
            found = self._of_contents[key] = _of_content(content, moved.region if bare else None)
        return found


def _of_content(content: Content, region: Region | None) -> Vote:
    """What is said of the only word (`region`), or any other, in memory."""
    number = content.number
    return Vote(
        content.kind,
        number,
        content.claims,
        content.trust(number),
        carries=content.carries_in(region) if region is not None else content.carries_numbers,
        alike=content.may_carry_numbers,
        disputed=content.is_disputed,
        addresses=content.keeps_addresses,
    )


def _is_small(layout: DataLayout, vote: Vote) -> bool:
    return vote.number is not None and layout.store_size(vote.number) <= _HALF


def _unknown(component: Component) -> Iterator[tuple[Region, Content]]:
    for region in component.all_regions():
        for content in region.contents():
            if content.kind is Kind.UNKNOWN:
                yield region, content


def settle_hidden(component: Component) -> None:
    """Bytes that no outsider sees and nobody uses as a number or pointer are integers."""
    visible = {content.root for region, content in _unknown(component) if region.external}
    for region, content in list(_unknown(component)):
        if not region.external and content.root not in visible:
            content.mark(Kind.INTEGER)
