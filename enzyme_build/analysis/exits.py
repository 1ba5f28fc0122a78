"""Loop counts from exit tests: see `evolution` for what is promised.

An exit test continues while `v PREDICATE bound`, with v = start + k · step in iteration k, step a constant, and the
bound invariant. Sequences are compared as mathematical integers only where they are exact or cannot reach the end of
their type before the test leaves; sequences that may wrap are solved modulo 2^bits.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final, Literal

from enzyme_build.ir.instructions import Binary, Branch, Compare, Phi, Select
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantInt
from enzyme_build.records import dataclass

from .counts import (
    Affine,
    Const,
    Count,
    Operation,
    add,
    const,
    extend,
    extreme,
    leaf,
    mul,
    operation,
    signed,
    sub,
    udiv,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .dominators import DominatorTree
    from .loops import Loop, LoopForest
    from .progress import Progress

_BITS: Final = 64
_SWAPPED: Final = {"slt": "sgt", "sle": "sge", "ult": "ugt", "ule": "uge", "eq": "eq", "ne": "ne"}
_SWAPPED.update({after: before for before, after in list(_SWAPPED.items())})
INVERTED: Final = {"slt": "sge", "sle": "sgt", "ult": "uge", "ule": "ugt", "eq": "ne"}
"""What holds where a comparison does not."""
INVERTED.update({after: before for before, after in list(INVERTED.items())})


@dataclass(frozen=True, slots=True)
class ExitTest:
    """A compared value: its evolution, and its start with the arithmetic before the loop spelled out."""

    affine: Affine
    opened: Count


@dataclass(frozen=True, slots=True)
class _Ways:
    """Is the test the only way out of the loop, and is the count asked for where the loop is entered only?"""

    only_one: bool
    entered: bool


class Exits:
    """Counts of loops, remembered."""

    def __init__(
        self,
        domtree: DominatorTree,
        forest: LoopForest,
        test: Callable[[Value, Loop], ExitTest | None],
        progress: Progress,
        live: Container[Block] | None,
    ) -> None:
        self._domtree = domtree
        self._forest = forest
        self._test = test
        self._progress = progress
        self._live = live
        self._counts: dict[Loop, Count | None] = {}

    def backedge_count(self, loop: Loop) -> Count | None:
        if loop not in self._counts:
            self._counts[loop] = self._exact_count(loop, entered=False)
        return self._counts[loop]

    def backedge_bound(self, loop: Loop) -> Count | None:
        exact = self.backedge_count(loop)
        if exact is not None:
            return exact
        edges = self._exit_edges(loop)
        found = (self._count_of_exit(loop, exiting, exit_, edges) for exiting, exit_ in edges)
        return _least([count[0] for count in found if count is not None])

    def entered_count(self, loop: Loop) -> Count | None:
        """The same where the loop is entered; where it is not, this may be negative."""
        return self._exact_count(loop, entered=True)

    def _exact_count(self, loop: Loop, *, entered: bool) -> Count | None:
        edges = self._exit_edges(loop)
        found = self._count_of_exit(loop, *edges[0], edges, entered=entered) if len(edges) == 1 else None
        return found[0] if found is not None and found[1] else None

    def _exit_edges(self, loop: Loop) -> list[tuple[Block, Block]]:
        return [edge for edge in loop.exit_edges if self._live is None or edge[1] in self._live]

    def _count_of_exit(
        self, loop: Loop, exiting: Block, exit_: Block, edges: list[tuple[Block, Block]], *, entered: bool = False
    ) -> tuple[Count, bool] | None:
        """An iteration by which the test at the end of `exiting` leaves to `exit_`, and whether it is the first."""
        branch = exiting.terminator
        once_each = self._forest.loop_of(exiting) is loop and all(
            self._domtree.dominates(exiting, latch) for latch in loop.latches
        )
        if not once_each or not isinstance(branch, Branch) or branch.then is branch.otherwise:
            return None
        conditions = list(_conditions(branch.operands[0], stays=branch.otherwise is exit_))
        only_way_out = len(conditions) == 1 and len(edges) == 1 and self._has_no_other_way_out(loop)
        ways = _Ways(only_way_out, entered)
        found = [self._first_exit(condition, loop, stays, ways) for condition, stays in conditions]
        known = [count for count in found if count is not None]
        count = _least(known)
        return (count, len(known) == len(found)) if count is not None else None

    def _first_exit(self, condition: Value, loop: Loop, stays: bool, ways: _Ways) -> Count | None:  # noqa: FBT001
        """The first iteration in which `condition` is not `stays`."""
        if isinstance(condition, Phi):
            return _of_two_values(condition, loop, lambda value: bool(value) == stays)
        if not isinstance(condition, Compare) or condition.op != "icmp":
            return None
        predicate = condition.predicate if stays else INVERTED[condition.predicate]
        left, right = (self._test(operand, loop) for operand in condition.operands)
        if left is None or right is None:
            return _of_compared_values(condition, predicate, loop)
        if left.affine.step_int == 0:
            left, right, predicate = right, left, _SWAPPED[predicate]
        moving = right.affine.step_int != 0
        if moving:
            relative = _relative(left, right)
            if relative is None:
                return None
            left = relative
        step = left.affine.step_int
        if not step or left.affine.bits > _BITS:
            return None
        must_end = ways.only_one and self._progress.must_end(loop)
        if predicate == "ne":
            return _until_equal(left, right, step, ways, must_end=must_end)
        if predicate == "eq":
            return None
        readings = [predicate]
        if "samesign" in condition.flags:
            # Both readings agree, or the result is poison.
            readings.append(("s" if predicate[0] == "u" else "u") + predicate[1:])
        counts = (
            _until_past(left.affine, right.affine.start, step, reading, moving=moving, must_end=must_end)
            for reading in readings
        )
        return next((count for count in counts if count is not None), None)

    def _has_no_other_way_out(self, loop: Loop) -> bool:
        """Does every iteration that begins end, at the test or at the latch, in any defined execution?"""
        exits = {exit_ for _, exit_ in self._exit_edges(loop)}
        return all(
            all(target in loop.blocks or target in exits for target in block.successors)
            and self._progress.returns(block)
            for block in loop.blocks
        )


def _least(found: list[Count]) -> Count | None:
    return functools.reduce(lambda a, b: extreme("umin", a, b), found) if found else None


def _conditions(condition: Value, *, stays: bool) -> Iterator[tuple[Value, bool]]:
    """The conditions that each keep the loop running, with the value they must have for that."""
    match condition:
        case Binary(op="and" | "or"):
            # Staying needs both of `and`, leaving both of `or`.
            if (condition.op == "and") == stays:
                for operand in condition.operands:
                    yield from _conditions(operand, stays=stays)
                return
        case Select():
            first, then, otherwise = condition.operands
            # a && b is select a, b, false; a || b is select a, true, b.
            if stays and isinstance(otherwise, ConstantInt) and not otherwise.value:
                yield from _conditions(first, stays=True)
                yield from _conditions(then, stays=True)
                return
            if not stays and isinstance(then, ConstantInt) and then.value:
                yield from _conditions(first, stays=False)
                yield from _conditions(otherwise, stays=False)
                return
        case Binary(op="xor") if isinstance(condition.operands[1], ConstantInt) and condition.operands[1].value:
            yield from _conditions(condition.operands[0], stays=not stays)
            return
    yield condition, stays


def _first_and_other(phi: Value, loop: Loop) -> tuple[Value, int] | None:
    """What a header phi is in the first iteration, and the constant that it is in all others."""
    if not isinstance(phi, Phi) or phi.block is not loop.header:
        return None
    starts = {value for value, block in zip(phi.operands, phi.blocks, strict=True) if block not in loop.blocks}
    others = {value for value, block in zip(phi.operands, phi.blocks, strict=True) if block in loop.blocks}
    if len(starts) != 1 or len(others) != 1:
        return None
    other = others.pop()
    return (starts.pop(), other.value) if isinstance(other, ConstantInt) else None


def _of_two_values(phi: Value, loop: Loop, stays: Callable[[int], bool]) -> Count | None:
    """The count of a loop whose test reads a phi of two constants."""
    found = _first_and_other(phi, loop)
    if found is None or not isinstance(found[0], ConstantInt) or stays(found[1]):
        return None
    return const(1 if stays(found[0].value) else 0, _BITS)


def _of_compared_values(compare: Compare, predicate: str, loop: Loop) -> Count | None:
    """The same for a phi compared with a constant; its first value may be unknown if the test is for inequality."""
    phi, bound = compare.operands
    found = _first_and_other(phi, loop)
    if found is None or not isinstance(bound, ConstantInt):
        return None
    if predicate == "ne" and found[1] == bound.value:
        start, end = leaf(found[0]), leaf(bound)
        if start is None or end is None or start.bits > _BITS:
            return None
        return extend(extreme("umin", sub(start, end), const(1, start.bits)), _BITS, is_signed=False)
    return _of_two_values(phi, loop, lambda value: _holds(predicate, value, bound))


def _holds(predicate: str, value: int, bound: ConstantInt) -> bool:
    end = bound.value
    if predicate[0] == "u" and isinstance(bound.type, IntType):
        mask = (1 << bound.type.bits) - 1
        value, end = value & mask, end & mask
    kind = predicate.lstrip("su") if predicate not in ("eq", "ne") else predicate
    return {
        "eq": value == end,
        "ne": value != end,
        "lt": value < end,
        "le": value <= end,
        "gt": value > end,
        "ge": value >= end,
    }[kind]


def _relative(left: ExitTest, right: ExitTest) -> ExitTest | None:
    """`left` as it moves relative to `right`, to be compared with where `right` starts."""
    a, b = left.affine, right.affine
    if a.step_int is None or b.step_int is None:
        return None
    step = a.step_int - b.step_int
    fits = -(1 << a.bits - 1) < step < 1 << a.bits - 1
    affine = Affine(
        a.start,
        const(step, a.bits),
        exact_signed=a.exact_signed and b.exact_signed,
        exact_unsigned=a.exact_unsigned and b.exact_unsigned,
    )
    return ExitTest(affine, left.opened) if fits else None


def _until_equal(test: ExitTest, bound: ExitTest, step: int, ways: _Ways, *, must_end: bool) -> Count | None:
    """While v != bound."""
    affine, end = test.affine, bound.affine.start
    if ways.only_one and (affine.exact_signed or affine.exact_unsigned):
        # The sequence must meet the bound: it cannot go on forever without leaving its type. So the distance is a
        # multiple of the step, and is not negative; the maximum is for loops that are not entered.
        is_signed = affine.exact_signed
        start, end = (extend(node, _BITS, is_signed=is_signed) for node in (affine.start, end))
        if ways.entered:
            return udiv(sub(end, start) if step > 0 else sub(start, end), abs(step))
        signed_compare = is_signed or affine.bits < _BITS
        return udiv(_distance(start, end, up=step > 0, is_signed=signed_compare), abs(step))
    # Modulo 2^bits: step · k = difference has a solution if the power of two in the step divides the difference.
    bits = affine.bits
    difference = sub(bound.opened, test.opened) if step > 0 else sub(test.opened, bound.opened)
    step = abs(step)
    shift = (step & -step).bit_length() - 1
    if not must_end and _power_of_two_in(difference) < shift:
        return None
    count = udiv(difference, 1 << shift)
    if step >> shift != 1:
        # The solution counts modulo 2^(bits - shift): multiplying and dividing clears the bits above.
        count = mul(count, const(pow(step >> shift, -1, 1 << bits), bits))
        count = udiv(mul(count, const(1 << shift, bits)), 1 << shift)
    return extend(count, _BITS, is_signed=False)


def _power_of_two_in(count: Count) -> int:
    """A power of two that divides the value, by its form; for 0 the width."""
    match count:
        case Const(value, bits):
            return (value & -value).bit_length() - 1 if value else bits
        case Operation("mul", a, b):
            return min(count.bits, _power_of_two_in(a) + _power_of_two_in(b))
        case Operation("add" | "sub", a, b):
            return min(_power_of_two_in(a), _power_of_two_in(b))
    return 0


def _until_past(  # noqa: PLR0913
    affine: Affine, bound: Count, step: int, predicate: str, *, moving: bool, must_end: bool
) -> Count | None:
    """While v < bound with a positive step, or v > bound with a negative one; `le`, `ge` alike.

    `moving`: v and bound stand for two moving values, and only their difference is as said.
    """
    is_signed, kind = predicate[0] == "s", predicate[1:]
    up, strict = kind[0] == "l", kind[1] == "t"
    if (step > 0) != up:
        return None
    bits = affine.bits
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    exact = affine.exact_signed if is_signed else affine.exact_unsigned
    number = None
    if isinstance(bound, Const):
        number = signed(bound.value, bits) if is_signed else bound.value
        # The test holds for all values of the type.
        if not strict and number == (most if up else least):
            return None
    if not exact:
        # By ones the bound is passed unless it is the end of the type: then the loop is endless.
        passes = must_end and abs(step) == 1
        if moving or not (passes or _leaves_in_time(number, abs(step), strict=strict, room=(least, most), up=up)):
            return None
    wide_signed = is_signed or bits < _BITS
    start, end = (extend(node, _BITS, is_signed=is_signed) for node in (affine.start, bound))
    if not strict:
        end = _next(end, up=up, saturate=(least, most) if bits == _BITS else None)
    distance = _distance(start, end, up=up, is_signed=wide_signed)
    if abs(step) == 1:
        return distance
    # Rounded up without overflow: for d > 0 it is (d - 1) / step + 1.
    one = extreme("umin", distance, const(1, _BITS))
    return add(udiv(sub(distance, one), abs(step)), one)


def _leaves_in_time(number: int | None, size: int, *, strict: bool, room: tuple[int, int], up: bool) -> bool:
    """Is a value beyond the bound reached before the end of the type, whatever the start?"""
    if strict and size == 1:
        return True
    if number is None:
        return False
    reach = size - 1 if strict else size
    return number + reach <= room[1] if up else number - reach >= room[0]


def _next(end: Count, *, up: bool, saturate: tuple[int, int] | None) -> Count:
    """The bound of the strict test: end ± 1, but not beyond the end of the type."""
    if saturate is None or isinstance(end, Const):
        return add(end, const(1 if up else -1, _BITS))
    one = const(1, _BITS)
    least, most = (const(number, _BITS) for number in saturate)
    if up:
        return add(end, extreme("umin", sub(most, end), one))
    return operation("sub", end, extreme("umin", sub(end, least), one))


def _distance(start: Count, end: Count, *, up: bool, is_signed: bool) -> Count:
    """How far `end` lies ahead of `start`, 0 if it lies behind."""
    larger: Literal["smax", "umax"] = "smax" if is_signed else "umax"
    smaller: Literal["smin", "umin"] = "smin" if is_signed else "umin"
    return sub(extreme(larger, end, start), start) if up else sub(start, extreme(smaller, end, start))
