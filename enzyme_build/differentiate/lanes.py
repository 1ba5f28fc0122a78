"""Lanes of vector mode: several tangents, or several adjoints, beside one primal.

The primal is emitted once; what belongs to shadows is emitted once per lane. Which lane that is, is state shared by
the two sweeps of a derivative, so that whatever asks for a shadow gets that of the lane being emitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .signature import Part


class Lanes:
    """`current` is the lane being emitted; 0 outside of `each` and `of`."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.current = 0

    def each(self) -> Iterator[int]:
        """All lanes in order, each made the current one."""
        try:
            for lane in range(self.width):
                self.current = lane
                yield lane
        finally:
            self.current = 0

    def of(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Parameters or results in order, the lane of each made the current one."""
        try:
            for part in parts:
                self.current = part.lane
                yield part
        finally:
            self.current = 0
