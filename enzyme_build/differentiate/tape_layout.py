"""How much room the tape needs for a loop, and where that is known.

What a loop keeps lies in arrays of one element per iteration. How many iterations there will be in all is known in
front of some loop around it, at best the outermost one: then the arrays are taken once, of exactly that size. (A loop
that is entered always or never, as `i < n` for an n that does not change, has no iterations in the second case.) A loop
inside whose loops around do not tell it has to make room whenever it is entered, and one without a count as it goes.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.analysis.counts import Const
from enzyme_build.ir.instructions import Branch, Instruction
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from typing import TypeAlias

    from enzyme_build.analysis.counts import Count
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .context import FunctionFacts
    from .tape import Sources

    Condition: TypeAlias = tuple[Value, bool]

_STACK_BYTES = 4096


class Unknown(Enum):
    """Why the number of iterations is not known further out."""

    COUNT = "the loop has no count"
    OUTER_COUNT = "the loop around it has no count"
    NOT_ALWAYS = "some iterations of the loop around it may not enter it"
    CHANGES = "its count changes in the loop around it"


@dataclass(frozen=True, slots=True)
class Reservation:
    """The outermost loop in whose preheader all iterations of a loop are known, None where there is no such loop; the
    factors of their number (backedge counts); the conditions (a value and what it has to be) without which there are no
    iterations at all; and why it is not known further out."""

    place: Loop | None
    factors: tuple[Count, ...] = ()
    conditions: tuple[Condition, ...] = ()
    stopped: Unknown | None = None

    @property
    def is_exact(self) -> bool:
        """Is the number in all known before any of the loops?"""
        return self.place is not None and self.place.parent is None

    @property
    def constant(self) -> int | None:
        """The number where there are any, if it is known at compile time."""
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
    found = Reservation(loop, (count,))
    while found.place is not None and found.place.parent is not None:
        further = _further_out(found, found.place.parent, sources, facts)
        if isinstance(further, Unknown):
            return replace(found, stopped=further)
        found = further
    return found


def _further_out(found: Reservation, outer: Loop, sources: Sources, facts: FunctionFacts) -> Reservation | Unknown:
    """The same in front of the loop around, or why not."""
    assert found.place is not None
    count = sources.count(outer)
    if count is None or outer.preheader is None:
        return Unknown.OUTER_COUNT
    # A count means something only where its loop is entered.
    entered = _entry_conditions(found.place, outer, facts)
    if entered is None or any(_changes_in(outer, condition) for condition, _ in found.conditions):
        return Unknown.NOT_ALWAYS
    hoisted = [outside for factor in found.factors if (outside := facts.evolution.hoisted(factor, outer)) is not None]
    if len(hoisted) < len(found.factors):
        return Unknown.CHANGES
    return Reservation(outer, (*hoisted, count), (*found.conditions, *entered))


def _entry_conditions(loop: Loop, outer: Loop, facts: FunctionFacts) -> tuple[Condition, ...] | None:
    """What decides whether a loop is entered in all iterations of the one around it or in none; None where some
    iterations may enter it and others not."""
    conditions: list[Condition] = []
    block = loop.preheader
    ends = [*outer.latches, *outer.exiting]
    while block is not None and not all(facts.dominators.dominates(block, end) for end in ends):
        before = _only_way_from(block, outer, facts)
        if before is not None:
            block = before.preheader
            continue
        above = facts.dominators.idom[block]
        branch = above.terminator if above is not None and above in outer.blocks else None
        if not isinstance(branch, Branch) or branch.then is branch.otherwise:
            return None
        if facts.cfg.predecessors[block] != (above,) or _changes_in(outer, branch.operands[0]):
            return None
        conditions.append((branch.operands[0], branch.then is block))
        block = above
    return None if block is None else tuple(conditions)


def _only_way_from(block: Block, outer: Loop, facts: FunctionFacts) -> Loop | None:
    """The loop inside `outer` that leads to the block and nowhere else, while nothing else does."""
    loop = facts.loops.loop_of(facts.cfg.predecessors[block][0])
    while loop is not None and loop.parent is not outer:
        loop = loop.parent
    if loop is None or block in loop.blocks or not all(p in loop.blocks for p in facts.cfg.predecessors[block]):
        return None
    exits = [exit_ for exit_ in loop.exits if exit_ in facts.returning.index]
    return loop if exits == [block] else None


def _changes_in(loop: Loop, v: Value) -> bool:
    return isinstance(v, Instruction) and v.block in loop.blocks


def fits_stack(iterations: int, bytes_each: int) -> bool:
    """Are the arrays of so many iterations put on the stack?"""
    return iterations * bytes_each <= _STACK_BYTES
