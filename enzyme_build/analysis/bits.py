"""Bits of integers: which are certainly zero, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import DOUBLE, FLOAT, FloatType, IntType, VectorType, fields_of, member_type
from enzyme_build.ir.values import ConstantAggregate, ConstantInt, ConstantSplat, Value, ZeroInitializer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.types import Type

FRACTION_BITS: Final[Mapping[Type, int]] = {DOUBLE: 52, FLOAT: 23}
"""How many bits of a number are those of its fraction; the exponent stands above them, the sign above that."""
_MERGED: Final = 4
"""Values that meet in a phi which is looked through."""
SMALLEST: Final = 16
DEPTH: Final = 6
_MOST_BLOCKS: Final = 2000
_NOT_ZERO: Final = frozenset((
    ("ne", 0, True), ("eq", 0, False), ("ugt", 0, True), ("sgt", 0, True), ("sle", 0, False),
    ("slt", 1, False), ("ult", 1, False), ("sge", 1, True), ("uge", 1, True),
))  # fmt: skip
"""Comparisons that say of their first operand that it is not zero: predicate, second operand, outcome."""
_SCALES: Final = ("mul", "udiv", "sdiv", "urem", "srem")


def known_zero(value: Value, depth: int = DEPTH) -> int:
    """The bits of an integer that are certainly zero, as a mask."""
    return zero_in_lanes(value, depth) if isinstance(value.type, IntType) else 0


def zero_in_lanes(value: Value, depth: int = DEPTH) -> int:
    """The same of an integer, or of each of a vector of them."""
    bits = width(value)
    everything = (1 << bits) - 1
    if isinstance(value, ConstantInt):
        return ~value.value & everything
    if isinstance(value, ZeroInitializer):
        return everything
    if isinstance(value, ConstantSplat | ConstantAggregate):
        zeros = everything
        for lane in value.operands:
            zeros &= zero_in_lanes(lane, depth)
        return zeros
    if not depth:
        return 0
    match value:
        case ir.Cast(op="zext"):
            inner = width(value.operands[0]) - ("nneg" in value.flags.split())
            return zero_in_lanes(value.operands[0], depth - 1) | everything & ~((1 << inner) - 1)
        case ir.Cast(op="trunc"):
            return zero_in_lanes(value.operands[0], depth - 1) & everything
        case ir.Binary(op="shl" | "lshr" | "ashr") if (by := constant_of(value.operands[1])) is not None:
            zeros = zero_in_lanes(value.operands[0], depth - 1)
            if value.op == "ashr" and not zeros >> (bits - 1):
                return zeros >> by
            if value.op == "shl":
                return (zeros << by | (1 << by) - 1) & everything
            return zeros >> by | everything & ~(everything >> by)
        case ir.Binary(op="add"):
            a, b = (zero_in_lanes(o, depth - 1) for o in value.operands)
            if not ~a & ~b & everything:
                return a & b
            below, top = ~(a & b) & everything, (~a & everything) + (~b & everything)
            low = (below & -below) - 1 if below else everything
            return low | everything & ~((1 << top.bit_length()) - 1)
        case ir.Binary(op="sub"):
            a, b = (zero_in_lanes(o, depth - 1) for o in value.operands)
            below = ~(a & b) & everything
            return (below & -below) - 1 if below else everything
        case ir.Phi():
            last = last_value(value)
            if last is None:
                last = _last_below(value, depth - 1)
            if last is not None:
                return everything & ~((1 << last.bit_length()) - 1)
            operands = {operand for operand in value.operands if operand is not value}
            zeros = everything if len(operands) <= _MERGED else 0
            for operand in operands:
                zeros &= zero_in_lanes(operand, max(depth - 3, 0)) if zeros else 0
            return zeros
        case ir.Binary(op="and"):
            return zero_in_lanes(value.operands[0], depth - 1) | zero_in_lanes(value.operands[1], depth - 1)
        case ir.Binary(op="or" | "xor"):
            return zero_in_lanes(value.operands[0], depth - 1) & zero_in_lanes(value.operands[1], depth - 1)
        case ir.Select():
            return zero_in_lanes(value.operands[1], depth - 1) & zero_in_lanes(value.operands[2], depth - 1)
        case ir.CallBase() if isinstance(value.type, IntType) and (most := _extreme(value, depth - 1)) is not None:
            return everything & ~((1 << most.bit_length()) - 1)
        case _:
            return 0


def width(value: Value) -> int:
    """How many bits an integer has, or each of a vector of them; 0 of others."""
    scalar = value.type.scalar
    return scalar.bits if isinstance(scalar, IntType) else 0


def constant_of(value: Value) -> int | None:
    """The integer that a constant is, or each of its lanes."""
    if isinstance(value, ConstantSplat):
        value = value.operands[0]
    return value.value if isinstance(value, ConstantInt) else None


def _extreme(call: ir.CallBase, depth: int) -> int | None:
    """The largest value of a maximum that is not negative, as of an integer and a count."""
    if not (getattr(call.callee, "name", None) or "").startswith("llvm.smax."):
        return None
    a, b = call.arguments
    top = bits_of(call) - 1
    if not any(known_zero(operand, depth) >> top for operand in (a, b)):
        return None
    return max(_largest(operand, depth) for operand in (a, b))


def _largest(value: Value, depth: int) -> int:
    """The largest value of a signed integer."""
    if isinstance(value, ir.Cast) and value.op == "sext":
        return (1 << bits_of(value.operands[0]) - 1) - 1
    return ~known_zero(value, depth) & ((1 << bits_of(value) - 1) - 1)


def never_negative(value: Value) -> bool:
    """Is the sign bit of an integer certainly zero, as of a counter that begins at zero and does not wrap?"""
    seen: set[Value] = set()  # around a loop: by what else comes in
    pending = [value]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        match value:
            case ir.Phi() | ir.Freeze() | ir.Binary(op="or"):
                pending += value.operands
            case ir.Select():
                pending += value.operands[1:]
            case ir.Binary(op="srem") | ir.Cast(op="sext"):
                pending.append(value.operands[0])
            case ir.Binary(op="add" | "mul") if "nsw" in value.flags.split():
                pending += value.operands
            case ir.Binary(op="shl") if "nsw" in value.flags.split():
                pending.append(value.operands[0])
            case _:
                if not known_zero(value) >> bits_of(value) - 1:
                    return False
    return True


def last_value(phi: ir.Phi) -> int | None:
    """The largest value of an integer that counts up from a constant to the constant that ends its loop, that included;
    none of what begins below zero."""
    counted = counter(phi)
    return counted[1] if counted is not None and counted[0] >= 0 else None


def counter(phi: ir.Phi) -> tuple[int, int, int] | None:
    """Of an integer that counts up from a constant to the constant that ends its loop: both, and the step."""
    if len(phi.operands) != 2 or phi.block is None:
        return None
    for start, next_, latch in ((*phi.operands, phi.blocks[1]), (*reversed(phi.operands), phi.blocks[0])):
        if not isinstance(start, ConstantInt):
            continue
        found = _steps(phi, next_, latch, phi.block)
        if len(found) == 1 and None not in found:
            ((until, step),) = found  # type: ignore[misc]
            whole = step > 0 and start.value < until and (until - start.value) % step == 0
            return (start.value, until, step) if whole else None
    return None


def _steps(phi: ir.Phi, next_: Value, latch: Value, target: Value, depth: int = DEPTH) -> set[tuple[int, int] | None]:
    """The ends and the steps of a counter by what it is next, where a test goes from `latch` to `target` as long as
    that is not the end; several where loops go on from several blocks, and None where there is no such test."""
    if isinstance(next_, ir.Phi) and next_ is not phi and next_.block is latch and depth:
        merged = zip(next_.operands, next_.blocks, strict=True)
        return set().union(*(_steps(phi, operand, block, latch, depth - 1) for operand, block in merged))
    if not isinstance(next_, ir.Binary) or next_.op != "add" or next_.operands[0] is not phi:
        return {None}
    step, end = next_.operands[1], latch.instructions[-1]  # type: ignore[attr-defined]
    test = end.operands[0] if isinstance(end, ir.Branch) else None
    if not isinstance(step, ConstantInt) or not isinstance(test, ir.Compare) or test.predicate != "eq":
        return {None}
    until, stays = test.operands[1], end.otherwise is target and end.then is not target
    if test.operands[0] is not next_ or not isinstance(until, ConstantInt) or not stays:
        return {None}
    return {(until.value, step.value)}


def _last_below(phi: ir.Phi, depth: int) -> int | None:
    """The largest value of an integer that counts up from a constant as long as the next is below the end of the loop,
    or is not the end: that of an `int`, where a counter became as wide as an address."""
    if len(phi.operands) != 2 or phi.block is None:
        return None
    (first, other), (entry, latch) = phi.operands, phi.blocks
    if not isinstance(first, ConstantInt):
        (first, other), (entry, latch) = (other, first), (latch, entry)
    end = latch.instructions[-1]
    if not isinstance(end, ir.Branch) or end.then is end.otherwise:
        return None
    test = end.operands[0]
    counts = isinstance(other, ir.Binary) and other.op == "add" and other.operands[0] is phi
    if not isinstance(first, ConstantInt) or not isinstance(test, ir.Compare) or not counts:
        return None
    start, step, top = first.value, other.operands[1], bits_of(phi) - 1  # type: ignore[attr-defined]
    if start < 0 or not isinstance(step, ConstantInt) or step.value < 0 or test.operands[0] is not other:
        return None
    flags, until = other.flags.split(), test.operands[1]  # type: ignore[attr-defined]
    goes_on = end.then is phi.block
    if test.predicate == "slt" and goes_on and "nsw" in flags:
        return max(start, _largest(until, depth))
    most = ~known_zero(until, depth) & ((1 << top + 1) - 1)
    if test.predicate == "ult" and goes_on and "nuw" in flags:
        return max(start, most)
    if test.predicate != "eq" or end.otherwise is not phi.block or (start, step.value) != (0, 1) or "nuw" not in flags:
        return None
    # One that is behind its end would count until it wraps, which it must not, or leaves the loop elsewhere.
    return most if _ends_at(until, phi.block, latch) or _is_positive(entry, until) else None


def _ends_at(until: Value, header: Block, latch: Block) -> bool:
    """Does a loop end nowhere but in its last block, and is what ends it always the same?"""
    blocks = header.function.blocks if header.function is not None else []
    loop, pending = {header, latch}, [latch] if header is not latch else []
    if pending and len(blocks) > _MOST_BLOCKS:
        return False
    before: dict[Block, list[Block]] = {}
    for block in blocks if pending else ():
        for successor in block.successors:
            before.setdefault(successor, []).append(block)
    while pending:
        new = [block for block in before.get(pending.pop(), ()) if block not in loop]
        loop.update(new)
        pending += new
    if isinstance(until, ir.Instruction) and until.block in loop:
        return False
    return all(block is latch or (block.successors and loop.issuperset(block.successors)) for block in loop)


def _is_positive(block: Block, value: Value) -> bool:
    """Does a branch lead to the block only where a value, that is not negative, is not zero?"""
    while isinstance(value, ir.Cast) and value.op in {"zext", "sext"}:
        value = value.operands[0]
    function = block.function
    if function is None or len(function.blocks) > _MOST_BLOCKS:
        return False
    for _ in range(DEPTH):
        before = [other for other in function.blocks if block in other.successors]
        if len(before) != 1:
            return False
        end = before[0].instructions[-1]
        if isinstance(end, ir.Branch) and end.then is not end.otherwise:
            test, is_then = end.operands[0], end.then is block
            by = test.operands[1] if isinstance(test, ir.Compare) and test.operands[0] is value else None
            if isinstance(by, ConstantInt) and (test.predicate, by.value, is_then) in _NOT_ZERO:  # type: ignore[attr-defined]
                return True
        block = before[0]
    return False


def exponent_of(number: Type) -> int:
    """The bits of a number's exponent as a mask; none of types whose bits nobody takes apart."""
    if not isinstance(number, FloatType) or number not in FRACTION_BITS:
        return 0
    return (1 << number.bits - 1) - (1 << FRACTION_BITS[number])


def ones(size: int) -> int:
    return (1 << 8 * size) - 1


def bits_of(value: Value, path: Sequence[int] = ()) -> int:
    """How many bits an integer has, or a member of a struct that is one; 0 of others."""
    type_ = value.type
    for index in path:
        type_ = member_type(type_, index)
    return type_.bits if isinstance(type_, IntType) else 0


def may_pack(type_: Type) -> bool:
    if isinstance(type_, IntType):
        return type_.bits >= SMALLEST and type_.bits % 8 == 0
    return not isinstance(type_, VectorType) and any(may_pack(field) for field in fields_of(type_))


def loses_bits(i: object) -> bool:
    """Does this multiply or divide by what is no power of two, as hashes do?"""
    if not isinstance(i, ir.Binary) or i.op not in _SCALES:
        return False
    by = i.operands[1]
    return isinstance(by, ConstantInt) and by.value & (by.value - 1) != 0


def words_of(cast: ir.Cast) -> list[ir.Load]:
    """What is read from memory as a pointer, and is this integer."""
    found: dict[Value, None] = {}
    pending = [*cast.operands]
    while pending:
        value = pending.pop()
        if value not in found and isinstance(value, ir.Load | ir.Phi | ir.Select | ir.Freeze):
            found[value] = None
            pending += value.operands if not isinstance(value, ir.Load) else []
    return [value for value in found if isinstance(value, ir.Load)]
