"""Slots: known places of memory, among what all functions do with it.

What is stored at one place of an object is read at places that overlap it, and nowhere else: a counter beside a number
is none of its bits. That is known of places at one offset each (no elements of arrays), where all functions that hand
each other the memory count from places at one distance. What is copied, or stored at a place that is not known, may
be read anywhere in the object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .regions import Graph, Region

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value

    from .regions import Place


class Slots:
    """The same memory in several functions (told first), and what is stored where."""

    def __init__(self) -> None:
        self._same: dict[Region, tuple[Region, int]] = {}
        """What a region is a part of, and where its byte 0 is in it."""
        self._blurred: set[Region] = set()
        """Memory of which functions have different places for the same byte."""
        self._stored: dict[Region, list[tuple[int, int, Value]]] = {}
        self._slots: dict[tuple[Region, int, int], Region] = {}
        self._places: dict[Region, tuple[Region, int, int]] = {}

    def find(self, region: Region) -> tuple[Region, int]:
        """The memory that a region is, and where its byte 0 is in it."""
        region, shift = region.find()
        while (found := self._same.get(region)) is not None:
            region, shift = found[0], shift + found[1]
        return region, shift

    def unite(self, a: Region, b: Region, *, known: bool = True) -> None:
        """Byte 0 of both is the same (or is not `known` to be)."""
        (a, at), (b, other) = self.find(a), self.find(b)
        if a is b:
            if at != other or not known:
                self._blurred.add(a)
            return
        self._same[b] = a, at - other
        if not known or b in self._blurred:
            self._blurred.add(a)

    def store(self, place: Place, size: int, value: Value) -> bool:
        """Note what is stored at a place; is that known?"""
        memory, shift = self.find(place.region)
        if place.stride or memory in self._blurred:
            return False
        self._stored.setdefault(memory, []).append((place.offset + shift, size, value))
        return True

    def at(self, place: Place, size: int) -> Region:
        """What stands for so many bytes at a place: the whole memory where that is not known."""
        memory, shift = self.find(place.region)
        if place.stride or memory in self._blurred:
            return memory
        key = memory, place.offset + shift, size
        if key not in self._slots:
            slot = self._slots[key] = Region(Graph())
            self._places[slot] = key
        return self._slots[key]

    def memory(self, node: Region) -> Region:
        """The whole memory of a slot."""
        return self._places[node][0] if node in self._places else node

    def stored_in(self, node: Region) -> list[Value]:
        """What is stored at known places there."""
        memory, begin, size = self._places.get(node, (node, 0, 0))
        whole = memory is node
        return [
            value
            for at, width, value in self._stored.get(memory, ())
            if whole or (at < begin + size and begin < at + width)
        ]
