"""How much room the tape needs for a loop, and where that is known.

What a loop keeps lies in arrays of one element per iteration. How many iterations there will be in all is known in
front of some loop around it, at best the outermost one: then the arrays are taken once, of exactly that size. A loop
inside whose loops around do not tell it has to make room whenever it is entered, and one without a count as it goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.analysis.counts import Const

if TYPE_CHECKING:
    from enzyme_build.analysis.counts import Count
    from enzyme_build.analysis.loops import Loop

    from .context import FunctionFacts
    from .tape import Sources

_STACK_BYTES = 4096


class Unknown(Enum):
    """Why the number of iterations is not known further out."""

    COUNT = "the loop has no count"
    OUTER_COUNT = "the loop around it has no count"
    NOT_ALWAYS = "it is not entered in every iteration of the loop around it"
    CHANGES = "its count changes in the loop around it"


@dataclass(frozen=True, slots=True)
class Reservation:
    """The outermost loop in whose preheader all iterations of a loop are known, None where there is no such loop; the
    factors of their number (backedge counts); and why it is not known further out."""

    place: Loop | None
    factors: tuple[Count, ...] = ()
    stopped: Unknown | None = None

    @property
    def is_exact(self) -> bool:
        """Is the number in all known before any of the loops?"""
        return self.place is not None and self.place.parent is None

    @property
    def constant(self) -> int | None:
        """The number, where it is known at compile time."""
        total = 1
        for factor in self.factors:
            if not isinstance(factor, Const):
                return None
            total *= factor.value + 1
        return total if self.is_exact else None


def reservation(sources: Sources, facts: FunctionFacts, loop: Loop) -> Reservation:
    """Where the arrays of a loop can be taken."""
    count = sources.count(loop)
    if count is None or loop.preheader is None:
        return Reservation(None, stopped=Unknown.COUNT)
    place, factors = loop, [count]
    while place.parent is not None:
        outer = place.parent
        outer_count = sources.count(outer)
        hoisted = [found for factor in factors if (found := facts.evolution.hoisted(factor, outer)) is not None]
        # A count means something only where its loop is entered, so it must be in every iteration.
        ends = [*outer.latches, *outer.exiting]
        entered = place.preheader is not None and all(facts.dominators.dominates(place.preheader, end) for end in ends)
        if outer_count is None or outer.preheader is None:
            return Reservation(place, tuple(factors), Unknown.OUTER_COUNT)
        if not entered:
            return Reservation(place, tuple(factors), Unknown.NOT_ALWAYS)
        if len(hoisted) < len(factors):
            return Reservation(place, tuple(factors), Unknown.CHANGES)
        place, factors = outer, [*hoisted, outer_count]
    return Reservation(place, tuple(factors))


def fits_stack(iterations: int, bytes_each: int) -> bool:
    """Are the arrays of so many iterations put on the stack?"""
    return iterations * bytes_each <= _STACK_BYTES
