"""Slots: known places of memory, among what all functions do with it.

What is stored or copied to one place of an object is read at places that overlap it, and nowhere else: a counter beside
a number is none of its bits, nor is one in each element of an array. How far a place is uncertain is its stride, which
grows where functions hand each other memory and do not count from one place: the pointer to an element, whichever, is
the beginning of all memory that the callee knows.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from .claims import overlap
from .contents import Graph
from .regions import Region

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value

    from .regions import Place


class Span(NamedTuple):
    """`size` bytes of a memory at `offset`, give or take multiples of `stride`."""

    memory: Region
    offset: int
    stride: int
    size: int

    def overlaps(self, other: Span) -> bool:
        """May both have a byte in common?"""
        return overlap(other.offset - self.offset, gcd(self.stride, other.stride), self.size, other.size)


class Slots:
    """The same memory in several functions (told first), and what is stored where."""

    def __init__(self) -> None:
        self._same: dict[Region, tuple[Region, int, int]] = {}
        """What a region is a part of, where its byte 0 is in it, and give or take multiples of what."""
        self._steps: dict[Region, int] = {}
        """How far all places of a memory are uncertain, as functions have different ones for the same byte."""
        self._stored: dict[Region, dict[Span, list[Value]]] = {}
        self._copied: dict[Region, dict[Span, list[Span]]] = {}
        self._nodes: dict[Span, Region] = {}
        self._spans: dict[Region, Span] = {}

    def find(self, region: Region) -> tuple[Region, int, int]:
        """The memory that a region is, where its byte 0 is in it, and give or take multiples of what."""
        region, shift = region.find()
        step = 0
        while (found := self._same.get(region)) is not None:
            region, shift, step = found[0], shift + found[1], gcd(step, found[2])
        return region, shift, step

    def unite(self, a: Region, b: Region, step: int = 0) -> None:
        """Byte 0 of both is the same, give or take multiples of `step`."""
        (a, at, first), (b, other, second) = self.find(a), self.find(b)
        distance, step = at - other, gcd(first, step)
        if a is not b:
            self._same[b] = a, distance, gcd(step, second)
            self._widen(a, self._steps.get(b, 0))
        elif not _divides(second, distance) or not _divides(second, step):
            self._widen(a, gcd(distance, step, second))

    def _widen(self, memory: Region, step: int) -> None:
        self._steps[memory] = gcd(step, self._steps.get(memory, 0))

    def span(self, place: Place, size: int | None) -> Span:
        """So many bytes at a place; all that may follow where it is not known how many."""
        memory, shift, step = self.find(place.region)
        stride = gcd(place.stride, step, self._steps.get(memory, 0))
        if size is None or 0 < stride <= size:
            return Span(memory, 0, 1, 1)
        offset = place.offset + shift
        return Span(memory, offset % stride if stride else offset, stride, size)

    def store(self, place: Place, size: int, value: Value) -> None:
        """Note what is stored at a place."""
        span = self.span(place, size)
        self._stored.setdefault(span.memory, {}).setdefault(span, []).append(value)

    def copy(self, to: Place, from_: Place, size: int | None) -> None:
        """Note that so many bytes are copied."""
        target, source = self.span(to, size), self.span(from_, size)
        self._copied.setdefault(target.memory, {}).setdefault(target, []).append(source)

    def at(self, place: Place, size: int) -> Region:
        """What stands for so many bytes at a place."""
        return self._node(self.span(place, size))

    def _node(self, span: Span) -> Region:
        node = self._nodes.get(span)
        if node is None:
            node = self._nodes[span] = Region(Graph())
            self._spans[node] = span
        return node

    def memory(self, node: Region) -> Region:
        """The whole memory of a slot."""
        return self.span_of(node).memory

    def span_of(self, node: Region) -> Span:
        """Where a slot is; anywhere in a whole memory."""
        return self._spans.get(node) or Span(node, 0, 1, 1)

    def stored_in(self, node: Region) -> list[Value]:
        """What is stored there, or anywhere in a whole memory."""
        span = self.span_of(node)
        stored = self._stored.get(span.memory, {})
        return [value for other, values in stored.items() if span.overlaps(other) for value in values]

    def copied_to(self, node: Region) -> list[Region]:
        """What is copied there."""
        span = self.span_of(node)
        copied = self._copied.get(span.memory, {})
        found = (_part(span, to, one) for to, sources in copied.items() if span.overlaps(to) for one in sources)
        return [self._node(source) for source in dict.fromkeys(found)]


def _divides(a: int, b: int) -> bool:
    return b % a == 0 if a else b == 0


def _part(span: Span, to: Span, source: Span) -> Span:
    """What is copied from `source` to the part of `to` that `span` is; all of it where that is not known."""
    distance = span.offset - to.offset
    if span.stride:
        distance %= span.stride
    known = span.stride == to.stride and 1 not in (to.stride, source.stride)
    if not known or distance < 0 or distance + span.size > to.size:
        return source
    offset = source.offset + distance
    return Span(source.memory, offset % source.stride if source.stride else offset, source.stride, span.size)
