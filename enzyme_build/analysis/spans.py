"""Ranges of bytes in which the places of a region may lie (see `regions`)."""

from __future__ import annotations

from typing import Final

from enzyme_build.records import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes of an object from `low` to below `high`; None where no bound is known. `counted`: since an index is never
    negative, and not because of where an array begins: what is counted back from there may lie before."""

    low: int | None = None
    high: int | None = None
    counted: bool = False

    def moved(self, by: int) -> Span:
        """The same bytes, counted from `by` bytes before."""
        if self is ANYWHERE:
            return self
        low, high = (None if bound is None else bound + by for bound in (self.low, self.high))
        return Span(low, high, self.counted)

    def around(self, other: Span) -> Span:
        """The smallest span that has both."""
        if self is other:
            return self
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return ANYWHERE if low is None and high is None else Span(low, high, self.counted or other.counted)

    def meets(self, other: Span) -> bool:
        """May anything lie in both?"""
        below = self.high is not None and other.low is not None and self.high <= other.low
        above = self.low is not None and other.high is not None and other.high <= self.low
        return not (below or above)


ANYWHERE: Final = Span()
