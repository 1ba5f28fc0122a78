"""Integers that are one of a few numbers, whatever the program computes: remainders, counters of short loops, indices
that were compared with the length of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import Argument, ConstantInt
from enzyme_build.regex import regex

from .bits import counter

if TYPE_CHECKING:
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .readings import Readings

_MOST: Final = 64
_DEPTH: Final = 8
_STEPS: Final = 400
_TRIES: Final = 3
_RANGE: Final = regex(r"\brange\(i\d+ (-?\d+), (-?\d+)\)")
_NARROW: Final = 6
"""Bits of an integer that is one of a few numbers in any case."""

Bounds = tuple[int, int]
"""The least and the largest value of a signed integer."""


def few_values(memory: Memory, value: Value, user: ir.Instruction | None) -> range | None:
    """The values that an integer may have where an instruction uses it, if they are few; without one, those that it may
    have anywhere."""
    if not isinstance(value.type, IntType):
        return None
    block = user.block if user is not None else None
    key = (value, block)
    if key not in memory.code.few_values:
        found = _Bounds(memory, block).of(value)
        if (found is None or found[1] - found[0] >= _MOST) and block is not None:
            found = _told(memory, value, block)
        memory.code.few_values[key] = found
    bounds = memory.code.few_values[key]
    if bounds is None or not 0 <= bounds[1] - bounds[0] < _MOST:
        return None
    return range(bounds[0], bounds[1] + 1)


class _Bounds:
    """Bounds by what integers are made of."""

    def __init__(self, memory: Memory, block: Block | None) -> None:
        self._memory = memory
        self._block = block
        self._assumed: dict[Value, Bounds | None] = {}
        """What is tried for phis; None while nothing is."""
        self._steps = _STEPS

    def of(self, value: Value, depth: int = _DEPTH) -> Bounds | None:
        if isinstance(value, ConstantInt):
            return value.value, value.value
        self._steps -= 1
        if value in self._assumed:
            return self._assumed[value]
        if not depth or self._steps < 0 or not isinstance(value.type, IntType):
            return None
        found = self._opened(value, depth - 1)
        return found if found is not None and _fits(found, value.type.bits) else None

    def _opened(self, value: Value, depth: int) -> Bounds | None:
        match value:
            case Argument():
                return _declared(value.attributes)
            case ir.Cast():
                return _cast(value, self.of(value.operands[0], depth))
            case ir.Binary():
                found = _binary(value, self.of(value.operands[0], depth), self.of(value.operands[1], depth))
                if found is not None and found[0] < 0 and value.op == "srem" and self._is_positive(value.operands[0]):
                    return 0, found[1]
                return found
            case ir.Select():
                return self._select(value, depth)
            case ir.Freeze():
                return self.of(value.operands[0], depth)
            case ir.Phi():
                return _counted(value) or self._phi(value, depth)
            case _:
                return None

    def _is_positive(self, value: Value) -> bool:
        """Is it never negative where it is used?"""
        readings = _readings(self._memory, self._block)
        return readings is not None and self._block is not None and readings.is_at_least(value, 0, self._block)

    def _select(self, i: ir.Select, depth: int) -> Bounds | None:
        """One of two, of which one may not be what it is compared with: a counter that begins again at its end."""
        test, then, otherwise = i.operands
        chosen = [self.of(then, depth), self.of(otherwise, depth)]
        if isinstance(test, ir.Compare) and test.predicate in {"eq", "ne"}:
            at = int(test.predicate == "eq")
            bounds, other = chosen[at], test.operands[1]
            if bounds is not None and isinstance(other, ConstantInt) and i.operands[1 + at] is test.operands[0]:
                low, high = bounds
                chosen[at] = (low + (low == other.value), high - (high == other.value))
        return _union(chosen)

    def _phi(self, phi: ir.Phi, depth: int) -> Bounds | None:
        """What comes in, if it stays within that around the loop. What came in was computed before: what branches say
        now was not said of it."""
        block, self._block = self._block, None
        self._assumed[phi] = None
        tried = _union([bounds for o in phi.operands if (bounds := self.of(o, depth)) is not None])
        for _ in range(_TRIES):
            if tried is None:
                break
            self._assumed[phi] = tried
            found = _union([self.of(operand, depth) for operand in phi.operands])
            if found is None or (tried[0] <= found[0] and found[1] <= tried[1]):
                tried = found
                break
            tried = _union([tried, found])
        else:
            tried = None
        del self._assumed[phi]
        self._block = block
        return tried


def _fits(bounds: Bounds, bits: int) -> bool:
    """Does nothing of it wrap?"""
    return -(1 << bits - 1) <= bounds[0] <= bounds[1] < 1 << bits - 1


def _declared(attributes: str) -> Bounds | None:
    """What the optimiser found out of all callers."""
    told = _RANGE.search(attributes)
    return (int(told[1]), int(told[2]) - 1) if told is not None and int(told[1]) < int(told[2]) else None


def _union(all_: list[Bounds | None]) -> Bounds | None:
    known = [bounds for bounds in all_ if bounds is not None]
    if not known or len(known) < len(all_):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _cast(i: ir.Cast, inner: Bounds | None) -> Bounds | None:
    source = i.operands[0].type
    if not isinstance(source, IntType):
        return None
    match i.op:
        case "sext" | "trunc":
            return inner
        case "zext" if inner is not None and (inner[0] >= 0 or "nneg" in i.flags.split()):
            return max(inner[0], 0), inner[1]
        case "zext" if source.bits <= _NARROW:
            return 0, (1 << source.bits) - 1
        case _:
            return None


def _binary(i: ir.Binary, a: Bounds | None, b: Bounds | None) -> Bounds | None:
    by = i.operands[1].value if isinstance(i.operands[1], ConstantInt) else None
    match i.op:
        case "urem" if by is not None and by > 0:
            return (0, by - 1) if a is None or a[0] < 0 else (0, min(by - 1, a[1]))
        case "srem" if by is not None and by > 0:
            return (0 if a is not None and a[0] >= 0 else 1 - by), by - 1
        case "and" if by is not None and by >= 0:
            return 0, by
        case "add" if a is not None and b is not None:
            return a[0] + b[0], a[1] + b[1]
        case "or" if a is not None and b is not None and "disjoint" in i.flags.split():
            return a[0] + b[0], a[1] + b[1]
        case "sub" if a is not None and b is not None:
            return a[0] - b[1], a[1] - b[0]
        case "mul" if a is not None and by is not None:
            return min(a[0] * by, a[1] * by), max(a[0] * by, a[1] * by)
        case "shl" if a is not None and by is not None and 0 <= by < _MOST:
            return a[0] << by, a[1] << by
        case _:
            return None


def _counted(phi: ir.Phi) -> Bounds | None:
    """A counter that goes by steps from one constant to another, which ends its loop."""
    counted = counter(phi)
    return (counted[0], counted[1] - counted[2]) if counted is not None else None


def _told(memory: Memory, value: Value, block: Block) -> Bounds | None:
    """What the branches say that lead to a block, and how often loops go round."""
    readings = _readings(memory, block)
    if readings is None:
        return None
    high = readings.least_bound(value, _MOST - 1, block, "unsigned")
    if high is None and readings.is_at_least(value, 0, block):
        high = readings.least_bound(value, _MOST - 1, block)
    return None if high is None else (0, high)


def _readings(memory: Memory, block: Block | None) -> Readings | None:
    """Those of the function, for blocks from which it returns."""
    flow = memory.code.flow
    return flow.readings if block in flow.returning.index else None
