"""Dependence of a read on later writes: does a loop ever come back to the bytes that it has read?

The distance of the two addresses is a polynomial over the counters of the loops around both accesses. For each loop
that they share, the write may happen in a later iteration of it, the loops outside at the same iteration; or in the
same iteration of all of them, where control can come from one to the other. If the distance cannot be small in any of
these cases, no later write touches what was read. Rows and columns of arrays whose size the program computes come
apart as in Maslov, "Delinearization: an efficient way to break multiloop dependence equations" (1992): n·p + q with
|q| < n is zero only where p and q are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .cfg import reached_from
from .inequalities import Polynomial, constant, content, contradictory, plus, symbol
from .scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .cfg import ControlFlow
    from .inequalities import Monomial
    from .loops import Loop, LoopForest
    from .readings import Readings

Bytes = tuple["Value", "Block", int]
"""An access: its pointer, block and number of bytes."""

_SHORT: Final = 62
_MOST_TERMS: Final = 12
_MOST_PROOFS: Final = 1500
"""Per function: each costs about a millisecond."""


class Dependence:
    """Answers for one function; results are remembered."""

    def __init__(self, module: Module, readings: Readings, forest: LoopForest, cfg: ControlFlow) -> None:
        self._forest = forest
        self._cfg = cfg
        self._readings = readings
        self.scopes = Scopes(module, cfg, forest)
        self._reached: dict[tuple[Block, Block | None], frozenset[Block]] = {}
        self._left = _MOST_PROOFS

    def never_overwritten(self, read: Bytes, write: Bytes, *, below: bool) -> bool:
        """Does no execution of `write` after one of `read` touch its bytes?

        `below` says that they are in one block, the write behind the read.
        """
        found = self._addresses(read, write)
        if found is None:
            return False
        level, start, end, exact = found
        shared = self._shared(read[1], write[1])
        for case in range(len(shared) + 1):
            if case == len(shared) and not below and not self._reaches(read[1], write[1], shared):
                continue
            if level > case or not self._apart(case, shared, (start, *read[1:]), (end, *write[1:]), exact=exact):
                return False
        return True

    def apart_between_iterations(self, a: Bytes, b: Bytes, loop: Loop) -> bool:
        """Do two accesses of an innermost loop touch different bytes in different iterations, if those of the loops
        outside are the same?"""
        found = self._addresses(a, b)
        shared = self._forest.nest_of(loop.header)
        case = len(shared) - 1
        if found is None or shared[-1] is not loop or found[0] > case:
            return False
        _, start, end, exact = found
        first, second = (start, *a[1:]), (end, *b[1:])
        return self._apart(case, shared, first, second, exact=exact) and self._apart(
            case, shared, second, first, exact=exact
        )

    def apart_in_each_iteration(self, a: Bytes, b: Bytes, loop: Loop) -> bool:
        """Do two accesses of an innermost loop touch different bytes in the same iteration?"""
        found = self._addresses(a, b)
        shared = self._forest.nest_of(loop.header)
        if found is None or shared[-1] is not loop:
            return False
        level, start, end, exact = found
        return level <= len(shared) and self._apart(len(shared), shared, (start, *a[1:]), (end, *b[1:]), exact=exact)

    def _addresses(self, a: Bytes, b: Bytes) -> tuple[int, Polynomial, Polynomial, bool] | None:
        """In how many loops their common base changes, the distances from it, and whether these are exact or modulo
        2^64; None if no proof is tried."""
        if self._forest.irreducible or self._left <= 0:
            return None
        base, start, exact = self._readings.modular_address(a[0], a[1])
        other, end, also = self._readings.modular_address(b[0], b[1])
        if base != other or len(start) + len(end) > _MOST_TERMS:
            return None
        self._left -= 1
        return self._readings.symbols[base].level, start, end, exact and also

    def _shared(self, a: Block, b: Block) -> Sequence[Loop]:
        return [
            one for one, other in zip(self._forest.nest_of(a), self._forest.nest_of(b), strict=False) if one is other
        ]

    def _reaches(self, a: Block, b: Block, shared: Sequence[Loop]) -> bool:
        """Does control come from the end of `a` to `b` within one iteration of the shared loops?"""
        without = shared[-1].header if shared else None
        if (a, without) not in self._reached:
            self._reached[a, without] = reached_from(self._cfg, a, without)
        return b in self._reached[a, without]

    def _apart(
        self,
        case: int,
        shared: Sequence[Loop],
        read: tuple[Polynomial, Block, int],
        write: tuple[Polynomial, Block, int],
        *,
        exact: bool,
    ) -> bool:
        """In the case that the first `case` loops are at the same iteration, and the next one later at the write."""
        distance = plus(self._side(write[0], case, 2), self._side(read[0], case, 1), -1)
        if not exact and not self._is_short(distance):
            return False
        facts: list[Polynomial] = []
        for side, (polynomial, block, _) in ((1, read), (2, write)):
            used = {s for monomial in polynomial for s in monomial}
            facts += [self._side(fact, case, side) for fact in self._readings.facts(block, used)]
        if case < len(shared):
            counter = self._readings.counter(shared[case])
            later = plus(self._side(counter, case, 2), self._side(counter, case, 1), -1)
            facts.append(plus(later, constant(1), -1))
        unit = content(distance)
        sizes = write[2], read[2]
        if not unit or not all(sizes):
            return False
        if unit >= max(sizes):
            return _is_nonzero({m: c // unit for m, c in distance.items()}, facts)
        # Apart are also bytes at one distance of several units: members of structs.
        return _is_positive(plus(distance, constant(sizes[1] - 1), -1), facts) or _is_positive(
            plus(constant(1 - sizes[0]), distance, -1), facts
        )

    def _is_short(self, distance: Polynomial) -> bool:
        """Is this a number of so few bits that it is zero wherever it is so modulo 2^64, or nearly?"""
        bits = [
            coefficient.bit_length() + sum(self._readings.bits(number // 3) for number in monomial)
            for monomial, coefficient in distance.items()
        ]
        return max(bits, default=0) + len(bits) <= _SHORT

    def _side(self, polynomial: Polynomial, case: int, side: int) -> Polynomial:
        """Symbols that differ between the two executions get names of their own."""
        return {tuple(sorted(self._name(s, case, side) for s in m)): c for m, c in polynomial.items()}

    def _name(self, number: int, case: int, side: int) -> int:
        return number * 3 + (side if self._readings.symbols[number].level > case else 0)


def _is_positive(polynomial: Polynomial, facts: Sequence[Polynomial]) -> bool:
    return contradictory([*facts, plus({}, polynomial, -1)])


def _is_nonzero(polynomial: Polynomial, facts: Sequence[Polynomial]) -> bool:
    if not polynomial:
        return False
    negative = plus({}, polynomial, -1)
    if all(len(monomial) <= 1 for monomial in polynomial) and (
        _is_positive(polynomial, facts) or _is_positive(negative, facts)
    ):
        return True
    return any(_is_split_nonzero(*parts, facts) for parts in _splits(polynomial))


def _splits(polynomial: Polynomial) -> list[tuple[Polynomial, Polynomial, Polynomial]]:
    """Ways to write it as n · p + q: (n, p, q) with n a symbol or a number."""
    found: list[tuple[Polynomial, Polynomial, Polynomial]] = []
    for number in sorted({s for monomial in polynomial if len(monomial) > 1 for s in monomial}):
        quotient = {_without(m, number): c for m, c in polynomial.items() if number in m}
        found.append((symbol(number), quotient, {m: c for m, c in polynomial.items() if number not in m}))
    for number in sorted({abs(c) for m, c in polynomial.items() if m and abs(c) > 1}):
        divided: dict[Monomial, int] = {m: c // number for m, c in polynomial.items() if c % number == 0}
        if divided:
            found.append((constant(number), divided, {m: c for m, c in polynomial.items() if c % number}))
    return found


def _without(monomial: Monomial, number: int) -> Monomial:
    at = monomial.index(number)
    return monomial[:at] + monomial[at + 1 :]


def _is_split_nonzero(n: Polynomial, p: Polynomial, q: Polynomial, facts: Sequence[Polynomial]) -> bool:
    """Is n · p + q not zero?"""
    over, under = plus(n, q, -1), plus(n, q)
    # 0 < q < n: no multiple of n.
    if q and (
        (_is_positive(q, facts) and _is_positive(over, facts))
        or (_is_positive(plus({}, q, -1), facts) and _is_positive(under, facts))
    ):
        return True
    # |q| < n, and p not zero: |n · p| is at least n.
    return bool(p) and _is_positive(over, facts) and _is_positive(under, facts) and _is_nonzero(p, facts)
