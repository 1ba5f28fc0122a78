"""Scalar evolution: how integers and pointers change from iteration to iteration, and how often a loop repeats.

A value is *affine* in a loop if in iteration k = 0, 1, … it is start + k · step, modulo 2^bits, with start and step
invariant in the loop. It is *exact* in the signed (unsigned) sense if that also holds for the integers read as signed
(unsigned) numbers and a signed step, because LLVM's flags make every overflow poison. Where poison then decides a
branch the program has undefined behaviour, so a count may rely on the exactness of a value that the exit test reads.

The *backedge count* is how often the loop goes round: the first k for which the exit test leaves. It is given only
where it is right for every defined execution that leaves by that test; executions that end otherwise (`exit`, an
exception, a block that never returns) run at most that many iterations. A count too small is memory corruption; None
merely costs time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_build.ir.instructions import Binary, Cast, GetElementPtr, Instruction, Phi
from enzyme_build.ir.types import I64, ArrayType, IntType, NamedStructType, StructType, VectorType
from enzyme_build.ir.values import ConstantInt, Undef, const_int

from . import counts
from .counts import Affine, Const, Count, Leaf, Operation, add, const, extend, leaf, leaves, mul, signed, sub, truncate
from .exits import Exits, ExitTest
from .progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .dominators import DominatorTree
    from .loops import Loop, LoopForest

# How far chains of integer arithmetic are followed: to a recurrence, and through invariants (a tree, so not far).
_DEPTH = 24
_OPEN_DEPTH = 6


class Evolution:
    """Answers for one function; results are remembered.

    `progress` knows more of what the program promises than the instructions say. `live` are the blocks from which a
    return is reached: edges to others are not exits of a loop, since whoever takes them never comes back. `steady` are
    values of a loop that are taken to be the same in every iteration, each with one of those that are equal to it: the
    caller has to see to that.
    """

    def __init__(  # noqa: PLR0913
        self,
        domtree: DominatorTree,
        forest: LoopForest,
        layout: DataLayout,
        progress: Progress | None = None,
        *,
        live: Container[Block] | None = None,
        steady: Mapping[Value, Value] | None = None,
    ) -> None:
        self._forest = forest
        self._steady = steady or {}
        self._layout = layout
        self._affine: dict[tuple[Value, Loop], Affine | None] = {}
        self._exits = Exits(domtree, forest, self._test, progress or Progress(), live)

    def affine(self, value: Value, loop: Loop) -> Affine | None:
        """How `value`, computed inside `loop`, changes with its iterations; an invariant has step 0."""
        return self._find(value, loop, _DEPTH)

    def backedge_count(self, loop: Loop) -> Count | None:
        """How often `loop` goes round once it is entered, in 64 bits, from values available before the loop.

        Where the loop is not entered, the expression can still be computed, but its value means nothing.
        """
        return self._exits.backedge_count(loop)

    def entered_count(self, loop: Loop) -> Count | None:
        """`backedge_count` in a form that is simpler and means something only where the loop is entered."""
        return self._exits.entered_count(loop)

    def backedge_bound(self, loop: Loop) -> Count | None:
        """A number that `backedge_count` never exceeds, also for loops with several exits."""
        return self._exits.backedge_bound(loop)

    def invariant(self, value: Value, loop: Loop) -> Count | None:
        """`value` from values available before `loop`; None if it may change there or needs memory."""
        return self._invariant(value, loop, _OPEN_DEPTH)

    def hoisted(self, count: Count, outer: Loop) -> Count | None:
        """The same number from values available before `outer`; None where that cannot be told."""
        if all(self._is_outside(value, outer) for value in leaves(count)):
            return count
        return _substituted(count, lambda value: self._invariant(value, outer, _OPEN_DEPTH))

    # Affine values ------------------------------------------------------------------------------------------------

    def _find(self, value: Value, loop: Loop, depth: int) -> Affine | None:
        key = (value, loop)
        if key in self._affine:
            return self._affine[key]
        # What depends on itself other than by a recurrence finds this.
        self._affine[key] = None
        fixed = self._invariant(value, loop, _OPEN_DEPTH)
        if fixed is not None:
            found: Affine | None = Affine(fixed, const(0, fixed.bits), exact_signed=True, exact_unsigned=True)
        else:
            found = self._compute(value, loop, depth - 1) if depth else None
        if found is not None:
            found = self._affine[key] = _sharpened(found)
        return found

    def _compute(self, value: Value, loop: Loop, depth: int) -> Affine | None:
        match value:
            case Phi() if value.block is loop.header:
                return self._recurrence(value, loop, depth)
            case Phi():
                # What joins the same value computed on several ways.
                found = [self._find(operand, loop, depth) for operand in dict.fromkeys(value.operands)]
                first = found[0]
                if first is None or any(o is None or (o.start, o.step) != (first.start, first.step) for o in found):
                    return None
                return Affine(
                    first.start,
                    first.step,
                    all(o.exact_signed for o in found if o is not None),
                    all(o.exact_unsigned for o in found if o is not None),
                )
            case Binary():
                return self._binary(value, loop, depth)
            case Cast():
                inner = self._find(value.operands[0], loop, depth)
                return _cast(value, inner) if inner is not None else None
            case GetElementPtr():
                return self._address(value, loop, depth)
        return None

    def _recurrence(self, phi: Phi, loop: Loop, depth: int) -> Affine | None:
        """A header phi whose value from the latch is itself plus an invariant."""
        pairs = list(zip(phi.operands, phi.blocks, strict=True))
        starts = {value for value, block in pairs if block not in loop.blocks}
        updates = {value for value, block in pairs if block in loop.blocks}
        if len(starts) != 1 or len(updates) != 1:
            return None
        start = self._invariant(starts.pop(), loop, _OPEN_DEPTH)
        if start is None:
            return None
        bits = start.bits
        # The sum of the increments between the phi and itself, as numbers where all are constant.
        step: Count = const(0, bits)
        total: int | None = 0
        exact_signed = exact_unsigned = True
        current = updates.pop()
        for _ in range(_DEPTH):
            if current is phi:
                fits = total is not None and -(1 << bits - 1) <= total < 1 << bits - 1
                return Affine(start, step, exact_signed and fits, exact_unsigned and fits)
            if isinstance(current, Phi) and current.block is loop.header:
                return self._delayed(start, current, step, loop, depth)
            increment = self._increment(current, loop, depth)
            if increment is None:
                return None
            current, change = increment
            step = add(step, change.step)
            number = change.step_int
            total = None if total is None or number is None else total + number
            exact_signed &= change.exact_signed
            exact_unsigned &= change.exact_unsigned
        return None

    def _delayed(self, start: Count, other: Phi, more: Count, loop: Loop, depth: int) -> Affine | None:
        """A header phi that is what another one, and `more`, was in the iteration before: the same from the beginning,
        if it starts a step before that."""
        affine = self._find(other, loop, depth - 1) if depth > 0 else None
        if affine is None or sub(add(affine.start, more), affine.step) != start:
            return None
        return Affine(start, affine.step)

    def _increment(self, value: Value, loop: Loop, depth: int) -> tuple[Value, Affine] | None:
        """`value` as another value plus an invariant, given as the step of an Affine that says what is exact."""
        if isinstance(value, Phi):
            return self._joined_increment(value, loop, depth)
        if isinstance(value, GetElementPtr):
            offset = self._offset(value, loop, depth)
            if offset is None or offset.step != const(0, offset.bits):
                return None
            exact = stays_in_address_space(value) and isinstance(offset.start, Const)
            return value.operands[0], Affine(offset.start, offset.start, exact_unsigned=exact)
        if not isinstance(value, Binary) or value.op not in ("add", "sub"):
            return None
        a, b = value.operands
        amount = self._invariant(b, loop, _OPEN_DEPTH)
        if amount is None and value.op == "add":
            a, b = b, a
            amount = self._invariant(b, loop, _OPEN_DEPTH)
        if amount is None:
            return None
        flags = value.flags.split()
        number = signed(amount.value, amount.bits) if isinstance(amount, Const) else None
        # -(-2^(bits-1)) is no number of the type.
        exact_signed = "nsw" in flags and number is not None and number != -(1 << amount.bits - 1)
        exact_unsigned = "nuw" in flags and number is not None and number >= 0
        step = amount if value.op == "add" else mul(amount, const(-1, amount.bits))
        return a, Affine(step, step, exact_signed, exact_unsigned)

    def _joined_increment(self, phi: Phi, loop: Loop, depth: int) -> tuple[Value, Affine] | None:
        """The same increment made on several ways; or, of a phi that merely renames, none."""
        if len(phi.operands) == 1:
            return phi.operands[0], Affine(_zero(phi), _zero(phi), exact_signed=True, exact_unsigned=True)
        if not depth or phi.block is loop.header:
            return None
        found = [self._increment(operand, loop, depth - 1) for operand in dict.fromkeys(phi.operands)]
        first = found[0]
        if first is None or any(o is None or o[0] is not first[0] or o[1].step != first[1].step for o in found):
            return None
        return first[0], replace(
            first[1],
            exact_signed=all(o[1].exact_signed for o in found if o is not None),
            exact_unsigned=all(o[1].exact_unsigned for o in found if o is not None),
        )

    def _binary(self, value: Binary, loop: Loop, depth: int) -> Affine | None:
        if value.op == "xor" and value.operands[1] == const_int(value.type, -1):
            turned = self._find(value.operands[0], loop, depth)  # ~i is -1 - i, as in n + ~i of a loop that goes down
            return _combined("sub", ["nsw"], _fixed(-1, turned.bits), turned) if turned is not None else None
        if value.op not in ("add", "sub", "mul", "shl", "or"):
            return None
        a = self._find(value.operands[0], loop, depth)
        b = self._find(value.operands[1], loop, depth) if a is not None else None
        return _combined(value.op, value.flags.split(), a, b) if a is not None and b is not None else None

    def _address(self, value: GetElementPtr, loop: Loop, depth: int) -> Affine | None:
        if value.type.text != "ptr":
            return None
        base = self._find(value.operands[0], loop, depth)
        offset = self._offset(value, loop, depth)
        if base is None or offset is None:
            return None
        result = _combined("add", [], base, offset)
        exact = base.exact_unsigned and offset.exact_signed and stays_in_address_space(value)
        return replace(result, exact_unsigned=exact and result.step_int is not None) if result else None

    def _offset(self, value: GetElementPtr, loop: Loop, depth: int) -> Affine | None:
        """The bytes that a getelementptr adds; exact (signed) as far as its indices are."""
        total = Affine(const(0, counts.POINTER_BITS), const(0, counts.POINTER_BITS), exact_signed=True)
        for index, scale in indices(value, self._layout):
            found = self._find(index, loop, depth)
            if found is None or found.bits > counts.POINTER_BITS:
                return None
            if found.bits < counts.POINTER_BITS:
                if not found.exact_signed:
                    return None
                found = _extended(found, counts.POINTER_BITS, is_signed=True)
            # A getelementptr that stays in the address space has no overflow in these products and sums; the flags are
            # asked for where the offset's exactness is used.
            scaled = _combined("mul", ["nsw"], found, _fixed(scale))
            summed = _combined("add", ["nsw"], total, scaled) if scaled else None
            if summed is None:
                return None
            total = summed
        return total

    # Invariants ---------------------------------------------------------------------------------------------------

    def _invariant(self, value: Value, loop: Loop | None, depth: int) -> Count | None:
        """With `loop` None: `value` opened as far as `depth` goes, whatever it depends on."""
        if isinstance(value, Undef):
            return None
        value = self._steady.get(value, value)
        is_leaf = loop is not None and self._is_outside(value, loop)
        if isinstance(value, Cast) and value.op == "zext" and "nneg" in value.flags:
            # The same number as by sext; unlike zext's, that is small where a count is computed but never used.
            inner = self._invariant(value.operands[0], loop, depth - 1) if depth else None
            if inner is not None and isinstance(value.type, IntType):
                return extend(inner, value.type.bits, is_signed=True)
        if is_leaf:
            return leaf(value)
        opened = self._opened(value, loop, depth - 1) if depth else None
        return leaf(value) if opened is None and loop is None else opened

    def _opened(self, value: Value, loop: Loop | None, depth: int) -> Count | None:
        """`value` as an operation on its opened operands."""
        if isinstance(value, Cast) and value.op in ("sext", "zext", "trunc") and isinstance(value.type, IntType):
            inner = self._invariant(value.operands[0], loop, depth)
            if inner is None:
                return None
            bits = value.type.bits
            return truncate(inner, bits) if value.op == "trunc" else extend(inner, bits, is_signed=value.op == "sext")
        if isinstance(value, Binary) and value.op in ("add", "sub", "mul", "shl"):
            a = self._invariant(value.operands[0], loop, depth)
            b = self._invariant(value.operands[1], loop, depth) if a is not None else None
            return _operation(value.op, a, b) if a is not None and b is not None else None
        if isinstance(value, GetElementPtr) and value.type.text == "ptr":
            total = self._invariant(value.operands[0], loop, depth)
            for index, scale in indices(value, self._layout):
                found = self._invariant(index, loop, depth)
                if total is None or found is None or found.bits > counts.POINTER_BITS:
                    return None
                wide = extend(found, counts.POINTER_BITS, is_signed=True)
                total = add(total, mul(wide, const(scale, counts.POINTER_BITS)))
            return total
        return None

    def _is_outside(self, value: Value, loop: Loop) -> bool:
        return not isinstance(value, Instruction) or value.block not in loop.blocks or value in self._steady

    def _test(self, value: Value, loop: Loop) -> ExitTest | None:
        """What `exits` needs to know of a compared value."""
        found = self.affine(value, loop)
        if found is None:
            return None
        opened = _substituted(found.start, lambda v: self._invariant(v, None, 4))
        return ExitTest(found, opened if opened is not None else found.start)


def _zero(value: Value) -> Count:
    node = leaf(value)
    return const(0, node.bits if node is not None else counts.POINTER_BITS)


def _fixed(number: int, bits: int = counts.POINTER_BITS) -> Affine:
    return Affine(const(number, bits), const(0, bits), exact_signed=True, exact_unsigned=number >= 0)


def indices(value: GetElementPtr, layout: DataLayout) -> Iterator[tuple[Value, int]]:
    """Each index with the bytes it counts in; members of structs as a number of bytes."""
    current: Type = value.source_type
    for number, index in enumerate(value.operands[1:]):
        if number == 0:
            yield index, layout.alloc_size(current)
        elif isinstance(current, StructType | NamedStructType) and isinstance(index, ConstantInt):
            yield const_int(I64, layout.field_offset(current, index.value)), 1
            current = (current.fields or ())[index.value]
        elif isinstance(current, VectorType):
            current = current.element
            yield index, layout.store_size(current)
        elif isinstance(current, ArrayType):
            current = current.element
            yield index, layout.alloc_size(current)


def stays_in_address_space(value: GetElementPtr) -> bool:
    """Is leaving [0, 2^64) by this pointer arithmetic poison?"""
    flags = value.flags.split()
    nowhere = all(isinstance(index, ConstantInt) and not index.value for index in value.operands[1:])
    return nowhere or "inbounds" in flags or "nusw" in flags


def _extended(affine: Affine, bits: int, *, is_signed: bool) -> Affine:
    # The step of an unsigned exact value is a signed constant.
    step = extend(affine.step, bits, is_signed=True)
    start = extend(affine.start, bits, is_signed=is_signed)
    if is_signed:
        return Affine(start, step, exact_signed=True, exact_unsigned=affine.exact_unsigned)
    return Affine(start, step, exact_signed=True, exact_unsigned=True)


def _cast(value: Cast, inner: Affine) -> Affine | None:
    if value.op == "ptrtoint" and isinstance(value.type, IntType) and value.type.bits == inner.bits:
        return inner
    if not isinstance(value.type, IntType) or not isinstance(value.operands[0].type, IntType):
        return None
    bits = value.type.bits
    match value.op:
        case "trunc":
            return Affine(truncate(inner.start, bits), truncate(inner.step, bits))
        case "sext" if inner.exact_signed:
            return _extended(inner, bits, is_signed=True)
        case "zext" if inner.exact_signed and "nneg" in value.flags:
            return replace(_extended(inner, bits, is_signed=True), exact_unsigned=True)
        case "zext" if inner.exact_unsigned and inner.step_int is not None:
            return _extended(inner, bits, is_signed=False)
    return None


def _combined(op: str, flags: list[str], a: Affine, b: Affine) -> Affine | None:
    """The affine value a `op` b."""
    bits = a.bits
    if op == "or":
        if "disjoint" not in flags:
            return None
        op, flags = "add", ["nsw", "nuw"]
    if op == "shl":
        if not isinstance(b.start, Const) or b.step_int != 0 or b.start.value >= bits:
            return None
        if b.start.value == bits - 1:
            # As a signed number the factor would be negative, which is not what nsw of a shift means.
            flags = []
        op, b = "mul", Affine(const(1 << b.start.value, bits), const(0, bits))
    if op == "mul":
        if b.step_int != 0 or (a.step_int == 0 and isinstance(a.start, Const)):
            a, b = b, a
        if b.step_int != 0:
            return None
        start, step = mul(a.start, b.start), mul(a.step, b.start)
        factor = signed(b.start.value, bits) if isinstance(b.start, Const) else None
        number = a.step_int * factor if a.step_int is not None and factor is not None else None
        kept = factor is not None and factor >= 0
    else:
        sign = 1 if op == "add" else -1
        start = add(a.start, b.start) if sign > 0 else sub(a.start, b.start)
        step = add(a.step, b.step) if sign > 0 else sub(a.step, b.step)
        number = a.step_int + sign * b.step_int if a.step_int is not None and b.step_int is not None else None
        kept = b.exact_unsigned
    fits = number is not None and -(1 << bits - 1) <= number < 1 << bits - 1
    signed_factor = op != "mul" or factor is not None
    return Affine(
        start,
        step,
        exact_signed=fits and signed_factor and a.exact_signed and (op == "mul" or b.exact_signed) and "nsw" in flags,
        exact_unsigned=fits and kept and a.exact_unsigned and "nuw" in flags,
    )


def _sharpened(affine: Affine) -> Affine:
    """A signed exact value that only grows from a start that is not negative is unsigned exact too."""
    step = affine.step_int
    if affine.exact_signed and not affine.exact_unsigned and isinstance(affine.start, Const) and step is not None:
        not_negative = signed(affine.start.value, affine.bits) >= 0 and step >= 0
        return replace(affine, exact_unsigned=not_negative)
    return affine


def _operation(op: str, a: Count, b: Count) -> Count | None:
    match op:
        case "add":
            return add(a, b)
        case "sub":
            return sub(a, b)
        case "mul":
            return mul(a, b)
        case "shl" if isinstance(b, Const) and b.value < a.bits:
            return mul(a, const(1 << b.value, a.bits))
    return None


def _substituted(count: Count, of: Callable[[Value], Count | None]) -> Count | None:
    """The expression with each leaf replaced; None if one cannot be."""
    match count:
        case Const():
            return count
        case Leaf(value):
            return of(value)
        case counts.Extend(a, bits, is_signed):
            inner = _substituted(a, of)
            return extend(inner, bits, is_signed=is_signed) if inner is not None else None
        case counts.Truncate(a, bits):
            inner = _substituted(a, of)
            return truncate(inner, bits) if inner is not None else None
        case Operation(operator, a, b):
            first, second = _substituted(a, of), _substituted(b, of)
            return counts.operation(operator, first, second) if first is not None and second is not None else None
