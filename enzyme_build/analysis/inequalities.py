"""Integer polynomials over symbols, and linear inequalities between them.

A *polynomial* maps monomials (sorted tuples of symbols; the empty one is the constant) to integer coefficients. What
is proved is proved over the integers, without overflow: who makes a polynomial of a value of the program vouches for
that.

Inequalities are settled by Fourier–Motzkin elimination, each constraint tightened to integers as in Pugh, "The Omega
test" (1991). Products of symbols count as symbols of their own. The answer "contradictory" is a proof; anything else
only says that none was found.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Monomial = tuple[int, ...]
Polynomial = dict[Monomial, int]

_MOST_CONSTRAINTS: Final = 120
"""Elimination can square their number in each step; where it does, nothing is proved."""
_ANSWERS: Final = 4096
"""Answers that are remembered: several analyses ask the same of a loop, each for every pair of its accesses."""


def constant(number: int) -> Polynomial:
    return {(): number} if number else {}


def symbol(number: int) -> Polynomial:
    return {(number,): 1}


def plus(a: Mapping[Monomial, int], b: Mapping[Monomial, int], factor: int = 1) -> Polynomial:
    """a + factor · b."""
    total = dict(a)
    for monomial, coefficient in b.items():
        new = total.get(monomial, 0) + factor * coefficient
        if new:
            total[monomial] = new
        else:
            total.pop(monomial, None)
    return total


def times(a: Mapping[Monomial, int], b: Mapping[Monomial, int]) -> Polynomial:
    total: Polynomial = {}
    for one, u in a.items():
        for other, v in b.items():
            monomial = tuple(sorted(one + other))
            total[monomial] = total.get(monomial, 0) + u * v
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def content(a: Mapping[Monomial, int]) -> int:
    """The greatest common divisor of the coefficients; 0 for the zero polynomial."""
    return gcd(*a.values()) if a else 0


def contradictory(constraints: Iterable[Mapping[Monomial, int]]) -> bool:
    """Can these polynomials certainly not all be at least 0 for any integers?"""
    return _contradictory(frozenset(frozenset(constraint.items()) for constraint in constraints))


@lru_cache(_ANSWERS)
def _contradictory(constraints: frozenset[frozenset[tuple[Monomial, int]]]) -> bool:
    current: set[frozenset[tuple[Monomial, int]]] = set()
    for constraint in constraints:
        if not _keep(dict(constraint), current):
            return True
    while current:
        positive: dict[Monomial, int] = {}
        negative: dict[Monomial, int] = {}
        for terms in current:
            for monomial, coefficient in terms:
                counts = positive if coefficient > 0 else negative
                counts[monomial] = counts.get(monomial, 0) + 1
        # Constraints on what is bounded on one side only can always be met.
        free = (positive.keys() ^ negative.keys()) - {()}
        if free:
            current = {terms for terms in current if free.isdisjoint([monomial for monomial, _ in terms])}
            continue
        unknowns = (positive.keys() | negative.keys()) - {()}
        if not unknowns:
            return False
        eliminated = _without(min(unknowns, key=lambda m: (positive[m] * negative[m], m)), current)
        if eliminated is None:
            return True
        current = eliminated
        if len(current) > _MOST_CONSTRAINTS:
            return False
    return False


def _without(
    chosen: Monomial, constraints: Iterable[frozenset[tuple[Monomial, int]]]
) -> set[frozenset[tuple[Monomial, int]]] | None:
    """The constraints that hold for some value of the unknown; None if one of them is false."""
    lower: list[Polynomial] = []
    upper: list[Polynomial] = []
    rest: set[frozenset[tuple[Monomial, int]]] = set()
    for terms in constraints:
        found = dict(terms)
        coefficient = found.get(chosen, 0)
        if not coefficient:
            rest.add(terms)
        else:
            (lower if coefficient > 0 else upper).append(found)
    for low in lower:
        for high in upper:
            scaled = low if high[chosen] == -1 else {m: -high[chosen] * c for m, c in low.items()}
            if not _keep(plus(scaled, high, low[chosen]), rest):
                return None
    return rest


def _keep(constraint: Mapping[Monomial, int], kept: set[frozenset[tuple[Monomial, int]]]) -> bool:
    """Add the constraint, tightened; is it possible at all?"""
    number = constraint.get((), 0)
    terms = [(monomial, coefficient) for monomial, coefficient in constraint.items() if monomial]
    if not terms:
        return number >= 0
    divisor = gcd(*[coefficient for _, coefficient in terms])
    if divisor > 1:
        terms = [(monomial, coefficient // divisor) for monomial, coefficient in terms]
        number //= divisor
    if number:
        terms.append(((), number))
    kept.add(frozenset(terms))
    return True
