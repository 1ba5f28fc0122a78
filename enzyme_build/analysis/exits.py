"""Loop counts from exit tests: see `evolution` for what is promised.

An exit test continues while `v PREDICATE bound`, with v = start + k · step in iteration k, step a constant, and the
bound invariant. Sequences are compared as mathematical integers only where they are exact or cannot reach the end of
their type before the test leaves; sequences that may wrap are solved modulo 2^bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from enzyme_build.ir.instructions import Branch, CallBase, Compare
from enzyme_build.ir.values import GlobalValue
from enzyme_build.rules.memory import Allocation, memory_function
from enzyme_build.rules.names import canonical

from .counts import Affine, Const, Count, Operation, add, const, extend, extreme, mul, operation, signed, sub, udiv

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .dominators import DominatorTree
    from .loops import Loop, LoopForest

_BITS: Final = 64
_SWAPPED: Final = {"slt": "sgt", "sle": "sge", "ult": "ugt", "ule": "uge", "eq": "eq", "ne": "ne"}
_SWAPPED.update({after: before for before, after in list(_SWAPPED.items())})
_INVERTED: Final = {"slt": "sge", "sle": "sgt", "ult": "uge", "ule": "ugt", "eq": "ne"}
_INVERTED.update({after: before for before, after in list(_INVERTED.items())})


@dataclass(frozen=True, slots=True)
class ExitTest:
    """A compared value: its evolution, and its start with the arithmetic before the loop spelled out."""

    affine: Affine
    opened: Count


class Exits:
    """Counts of loops, remembered."""

    def __init__(
        self,
        domtree: DominatorTree,
        forest: LoopForest,
        test: Callable[[Value, Loop], ExitTest | None],
        returns: Callable[[CallBase], bool] | None,
    ) -> None:
        self._domtree = domtree
        self._forest = forest
        self._test = test
        self._returns = returns or _is_known_to_return
        self._counts: dict[Loop, Count | None] = {}
        self._ways: dict[Block, bool] = {}

    def backedge_count(self, loop: Loop) -> Count | None:
        if loop not in self._counts:
            self._counts[loop] = None
            if len(loop.exit_edges) == 1:
                self._counts[loop] = self._count_of_exit(loop, *loop.exit_edges[0])
        return self._counts[loop]

    def backedge_bound(self, loop: Loop) -> Count | None:
        exact = self.backedge_count(loop)
        if exact is not None:
            return exact
        bound: Count | None = None
        for exiting, exit_ in loop.exit_edges:
            found = self._count_of_exit(loop, exiting, exit_)
            if found is not None:
                bound = found if bound is None else extreme("umin", bound, found)
        return bound

    def _count_of_exit(self, loop: Loop, exiting: Block, exit_: Block) -> Count | None:
        """The first iteration in which the test at the end of `exiting` leaves to `exit_`."""
        branch = exiting.terminator
        once_each = self._forest.loop_of(exiting) is loop and all(
            self._domtree.dominates(exiting, latch) for latch in loop.latches
        )
        if not once_each or not isinstance(branch, Branch) or branch.then is branch.otherwise:
            return None
        compare = branch.operands[0]
        if not isinstance(compare, Compare) or compare.op != "icmp":
            return None
        left, right = (self._test(operand, loop) for operand in compare.operands)
        if left is None or right is None:
            return None
        predicate = _INVERTED[compare.predicate] if branch.then is exit_ else compare.predicate
        if left.affine.step_int == 0:
            left, right, predicate = right, left, _SWAPPED[predicate]
        step = left.affine.step_int
        if not step or right.affine.step_int != 0 or left.affine.bits > _BITS:
            return None
        bound = right.affine.start
        if predicate == "ne":
            only_way_out = len(loop.exit_edges) == 1 and self._has_no_other_way_out(loop)
            return _until_equal(left, right, step, only_way_out=only_way_out)
        if predicate == "eq":
            return None
        count = _until_past(left.affine, bound, step, predicate)
        if count is None and "samesign" in compare.flags:
            # Both readings agree, or the result is poison.
            count = _until_past(left.affine, bound, step, ("s" if predicate[0] == "u" else "u") + predicate[1:])
        return count

    def _has_no_other_way_out(self, loop: Loop) -> bool:
        """Does every iteration that begins end, at the test or at the latch, in any defined execution?"""
        exits = set(loop.exits)
        return all(
            all(target in loop.blocks or target in exits for target in block.successors) and self._passes(block)
            for block in loop.blocks
        )

    def _passes(self, block: Block) -> bool:
        found = self._ways.get(block)
        if found is None:
            found = self._ways[block] = all(
                self._returns(instruction) for instruction in block.instructions if isinstance(instruction, CallBase)
            )
        return found


def _is_known_to_return(call: CallBase) -> bool:
    callee = call.callee
    if "willreturn" in call.function_attributes:
        return "nounwind" in call.function_attributes
    if not isinstance(callee, GlobalValue):
        return False
    if not getattr(callee, "is_declaration", False):
        return False
    memory = memory_function(callee.name)
    if isinstance(memory, Allocation):
        # operator new throws.
        return memory.may_be_null
    return memory is not None or callee.name.startswith("llvm.") or canonical(callee.name) is not None


def _until_equal(test: ExitTest, bound: ExitTest, step: int, *, only_way_out: bool) -> Count | None:
    """While v != bound."""
    affine, end = test.affine, bound.affine.start
    if only_way_out and (affine.exact_signed or affine.exact_unsigned):
        # The sequence must meet the bound: it cannot go on forever without leaving its type. So the distance is a
        # multiple of the step, and is not negative; the maximum is for loops that are not entered.
        is_signed = affine.exact_signed
        start, end = (extend(node, _BITS, is_signed=is_signed) for node in (affine.start, end))
        signed_compare = is_signed or affine.bits < _BITS
        return udiv(_distance(start, end, up=step > 0, is_signed=signed_compare), abs(step))
    # Modulo 2^bits: step · k = difference has a solution if the power of two in the step divides the difference.
    bits = affine.bits
    difference = sub(bound.opened, test.opened) if step > 0 else sub(test.opened, bound.opened)
    step = abs(step)
    shift = (step & -step).bit_length() - 1
    if _power_of_two_in(difference) < shift:
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


def _until_past(affine: Affine, bound: Count, step: int, predicate: str) -> Count | None:
    """While v < bound with a positive step, or v > bound with a negative one; `le`, `ge` alike."""
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
    if not exact and not _leaves_in_time(number, abs(step), strict=strict, room=(least, most), up=up):
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
