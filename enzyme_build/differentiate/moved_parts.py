"""Parts of numbers that integers move, watched while the derivative runs.

Where nothing tells whether bytes are those of a number or characters, tangents move along with them. Where such bytes
are changed, all bits of the tangent are set if there was any, and the program ends where they leave the registers. What
was multiplied may be a hash, which is kept like other integers: the set bits are its tangent, and the program ends
where it is stored as a part of a number for sure, or joins parts that were not multiplied. In reverse mode the adjoint
of a number that is put together of parts would have to be taken apart: it must be zero where parts are stored, as it is
for characters. A byte of an adjoint may be zero where the number is not: of memory with numbers the four aligned bytes
around it are looked at, which hold the exponent or are as good as nothing beside it. Of a whole word only exponents
are: shadows of counts and of pointers, which words of which nothing tells may be as well, have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.bits import exponent_of
from enzyme_build.analysis.claims import claims_at, touches_number
from enzyme_build.analysis.mixed_words import holds_words
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import DOUBLE, FLOAT, I8, I32, I64, IntType, Type, VectorType, int_type
from enzyme_build.ir.values import Argument, Constant, ConstantSplat, Value, const_int, zero

from .runtime import stop_if, typed_function

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from enzyme_build.ir.builder import Builder

    from .context import Context
    from .reverse import ReverseSweep

GRANULE: Final = 4
WORD: Final = 8
"""What is read at once, aligned, where parts of numbers are looked for."""
_EXPONENTS: Final[Mapping[Type, Mapping[Type, int]]] = {
    I32: {FLOAT: exponent_of(FLOAT), DOUBLE: exponent_of(DOUBLE) >> 32},
    I64: {DOUBLE: exponent_of(DOUBLE), FLOAT: exponent_of(FLOAT) << 32 | exponent_of(FLOAT)},
}
"""Bits that are set in every number that counts, by what a word may be. (Four bytes may be half a double: which?)"""
_MOVES = (ir.Cast, ir.Phi, ir.Select, ir.Freeze, ir.ExtractElement, ir.InsertElement, ir.ShuffleVector)


_PARTS: Final = (
    "a number was moved byte by byte, or its bits were changed; copy it as a number or by memcpy (or bytes of a shadow "
    "that are no numbers, as padding, are not zero: clear shadows with memset)"
)


def stop_at_parts(context: Context, b: Builder, i: ir.Instruction, bits: Value) -> None:
    """End the program if bits of a derivative at `i` are not zero."""
    type_ = bits.type
    if isinstance(type_, VectorType):
        bits = b.cast("bitcast", bits, int_type(context.layout.bit_size(type_)))
    for start in range(0, max(context.layout.bit_size(bits.type), 1), 64):
        part = b.binary("lshr", bits, const_int(bits.type, start)) if start else bits
        if part.type is not I64:
            part = b.cast("zext" if context.layout.bit_size(part.type) < 64 else "trunc", part, I64)
        where = context.location(i) or context.function.name
        stop_if(context.module, b, part, f"{where}: {_PARTS}")


def _any_part(context: Context, b: Builder, primal: Value, bits: Value) -> Value:
    """Is any bit set, of a whole word any of an exponent?"""
    if isinstance(bits.type, VectorType):
        bits = b.cast("bitcast", bits, int_type(context.layout.bit_size(bits.type)))
    bits = weighty(context, b, primal, bits)
    return b.icmp("ne", bits, zero(bits.type))


def weighty(context: Context, b: Builder, primal: Value, bits: Value) -> Value:
    """What counts of the tangent of an integer: of a whole word the exponents."""
    if not _is_whole(context, primal):
        return bits
    return exponents(context, b, bits, primal.pointer if isinstance(primal, ir.Load) else None)


def without_counts(context: Context, b: Builder, load: ir.Load, tangent: Value) -> Value:
    """The tangent of a whole word, or zero for a count, which the shadow of an object has, too."""
    some = b.icmp("ne", exponents(context, b, tangent, load.pointer), zero(tangent.type))
    return b.select(some, tangent, zero(tangent.type))


def without_short_counts(context: Context, b: Builder, load: ir.Load, shadow: Value, tangent: Value) -> Value:
    """The tangent of a part of a word, or zero where no number around it has an exponent: the shadow of an object has
    its counts and flags, too. Where doubles lie at multiples of their size, these bytes are in the same word."""
    place = context.memory.place(load.pointer)
    if place is None or not isinstance(load.type, IntType) or load.type.bits >= 8 * GRANULE:
        return tangent
    contents = place.resolved().region.root.contents()
    types = {type_ for content in contents for type_ in content.claimed_numbers}
    if DOUBLE not in types or not types <= {FLOAT, DOUBLE} or not all(content.is_aligned for content in contents):
        return tangent
    some = b.binary("and", b.load(I64, word_around(b, shadow), WORD), _mask(I64, ()))
    return b.select(b.icmp("ne", some, zero(I64)), tangent, zero(tangent.type))


def _is_whole(context: Context, value: Value) -> bool:
    """Is this a word as it was read or passed, on whatever way, or the mark of a changed one, which has all bits?"""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        if isinstance(at, ir.MERGES):
            pending += ir.merged(at)
        elif isinstance(at, ir.Binary) and at is not value:
            if at not in context.activity.watched:
                return False
        elif not isinstance(at, ir.Load | Argument | ir.CallBase | Constant):
            return False
    return True


def exponents(context: Context, b: Builder, word: Value, pointer: Value | None) -> Value:
    """The exponents of the numbers that a whole word may be; other integers as they are."""
    return b.binary("and", word, _mask(word.type, _told(context, word, pointer))) if word.type in _EXPONENTS else word


def _told(context: Context, word: Value, pointer: Value | None) -> set[Type]:
    """The types that numbers of a word may have there."""
    place = context.memory.place(pointer) if pointer is not None else None
    return claims_at(context.layout, place, context.layout.store_size(word.type)) if place is not None else set()


def _mask(word: Type, told: Collection[Type]) -> Value:
    """The bits of all exponents in a word; of what it cannot be as a whole, all bits."""
    masks = _EXPONENTS[word]
    mask = 0
    for type_ in told or masks:
        mask |= masks.get(type_, -1)
    return const_int(word, mask)


def is_word(value: Value) -> bool:
    """May this be a whole number?"""
    return value.type in _EXPONENTS


def small_copy(context: Context, b: Builder, word: Value, pointer: Value) -> Value:
    """The word itself, if it has no bits where a number has its exponent that is read there, or else zero."""
    numbers = {*_EXPONENTS[word.type], *_told(context, word, pointer)}
    small = b.icmp("eq", b.binary("and", word, _mask(word.type, numbers)), zero(word.type))
    return b.select(small, word, zero(word.type))


def marked(context: Context, b: Builder, parts: Sequence[tuple[Value, Value]], type_: Type) -> Value:
    """All bits set, if any of these values has a part of a tangent."""
    if not parts:
        return zero(type_)
    some = _any_part(context, b, *parts[0])
    for part in parts[1:]:
        some = b.binary("or", some, _any_part(context, b, *part))
    one = const_int(type_.scalar, -1)
    return b.select(some, ConstantSplat(type_, one) if isinstance(type_, VectorType) else one, zero(type_))


def is_changed(value: Value) -> bool:
    """Is this integer more than moved, since it was read, passed or returned?"""
    seen: set[Value] = set()
    pending = [value]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        if isinstance(at, ir.Binary) or (isinstance(at, ir.CallBase) and not _has_body(at)):
            return True
        if isinstance(at, _MOVES):
            pending += at.operands
    return False


def _has_body(call: ir.CallBase) -> bool:
    return isinstance(call.callee, Function) and not call.callee.is_declaration


def granule_of(b: Builder, address: Value) -> Value:
    """The aligned four bytes around an address."""
    return _around(b, address, GRANULE)


def word_around(b: Builder, address: Value) -> Value:
    """The aligned word around an address."""
    return _around(b, address, 2 * GRANULE)


def _around(b: Builder, address: Value, size: int) -> Value:
    low = b.binary("and", b.cast("ptrtoint", address, I64), const_int(I64, size - 1))
    return b.gep(I8, address, [b.binary("sub", const_int(I64, 0), low)])


def stop_at_adjoint(sweep: ReverseSweep, i: ir.Instruction, pointer: Value, type_: Type) -> None:
    """End the program if parts are stored over a number that has an adjoint."""
    layout, b = sweep.context.layout, sweep.b
    address = sweep.recall.shadow(pointer)
    place = sweep.context.memory.place(pointer)
    if place is not None and holds_words(place.region):
        bits: Value = b.call(typed_function(sweep.module, "word_part", I64, WORD), [address])
        if layout.store_size(type_) == WORD:
            upper = b.ptradd(address, GRANULE)
            bits = b.binary("or", bits, b.call(typed_function(sweep.module, "word_part", I64, WORD), [upper]))
    elif layout.store_size(type_) < GRANULE and place is not None and touches_number(layout, place, GRANULE):
        bits = b.load(I32, granule_of(b, address), GRANULE)
    else:
        bits = exponents(sweep.context, b, b.load(type_, address, 1), pointer)
    if sweep.activity.is_uncertain(pointer):
        constant = b.icmp("eq", address, sweep.recall.value(pointer))
        bits = b.select(constant, zero(bits.type), bits)
    stop_at_parts(sweep.context, b, i, bits)
