"""Operations on the sign bit of a number become the floating-point operations that they are.

LLVM writes most masks as `fabs`, `copysign` and `fneg` itself, but not where the bits come straight out of memory or
stay in an integer. With the sign bit s, in the model that the pass reads:

    v & ~s             |v|                v ^ s              -v
    v | s              -|v|               v ^ (w & s)        v · copysign(1, w), also of a computed s
    (v & ~s) | (w & s) copysign(v, w)     v & (c ? ~0 : 0)   c ? v : 0
    v | (c << s)       c ? -|v| : v       v | (c ? ~0 : 0)   c ? NaN : v
    v ^ (s, 0, …)      v · (-1, 1, …)     v & (~0, 0, …)     lanes of v and of zero
    v + 1              nextafter(v, ±∞)   v - 1              nextafter(v, 0)
    (v & ~e) | c       v · 2ⁿ, with the exponent of c in place of its own, e (frexp): n counts as constant
    v + (n << f)       v · 2ⁿ (ldexp), and whatever else leaves the last f bits of a word, its fraction, as they are
    v & ~l             v - d, with the last bits l of its fraction cleared: d counts as constant, as in roundings
    (v & ~l) | n       the same with others in their place

A word counts as the bits of a number where it is cast from one, or the result to one; once memory is known, also where
it is read from numbers or written over them. Sums do only where their result becomes a number again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from enzyme_build.analysis.bits import FRACTION_BITS, exponent_of, known_zero, zero_in_lanes
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.parts import shuffle_mask
from enzyme_build.ir.types import BFLOAT, DOUBLE, FLOAT, HALF, I1, IntType, Type, VectorType, function_type, int_type
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantInt,
    ConstantSplat,
    Value,
    const_float,
    const_int,
    zero,
)

from .runtime_constants import constant_function

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_SMALLEST = {64: 2.0**-1022, 32: 2.0**-126}
"""Numbers that are not subnormal, by their bits."""
_LEAST_LEADING = 8
"""Bits of a fraction without which a number is another one, and not a rounded one."""
_FORMATS = (DOUBLE, FLOAT, HALF, BFLOAT)
_TAG = 16
"""Bits of an address that programs keep something else in, at most."""
_SUMS = ("add", "sub")
_IDIOMS = ("and", "or", "xor", *_SUMS)
_STEPS = 8
"""Operations on the exponent of a number one after the other."""


def signs_as_numbers(module: Module, function: Function, memory: Memory | None = None) -> bool:
    """Rewrite the sign idioms of the function's model; were there any?"""
    operations = [i for i in function.instructions() if isinstance(i, ir.Binary) and i.op in _IDIOMS]
    if not operations:
        return False
    casts: dict[Value, Type] = {}
    for i in function.instructions():
        if isinstance(i, ir.Cast) and i.op == "bitcast" and _is_number(i.type):
            casts.setdefault(i.operands[0], i.type)
    return _Signs(module, function, casts, memory).run(operations)


class _Signs:
    def __init__(self, module: Module, function: Function, casts: Mapping[Value, Type], memory: Memory | None) -> None:
        self.module = module
        self.memory = memory
        self.function = function
        self.casts = casts
        self.replaced: dict[Value, Value] = {}
        self.told: list[Value] = []
        """What uses the bits themselves, for their value."""
        self.b: Builder

    def run(self, operations: list[ir.Binary]) -> bool:
        for i in operations:
            type_ = self._format(i)
            mixed = self._among_integers(i) if type_ is None else None
            if (type_ is None and mixed is None) or i.block is None:
                continue
            self.b = Builder(i.block, debug_attachment(i))
            self.b.position = i.block.instructions.index(i) + 1
            number = self._number(i, type_) if type_ is not None else None
            if number is None and type_ is not None and self.casts.get(i) is type_:
                number = self._with_other_exponent(i, type_)
            if number is None:
                number = self._with_other_end(i, type_ or mixed)
            if number is not None:
                self.replaced[i] = self.b.cast("bitcast", number, i.type)
        if self.replaced:
            made = {*self.replaced.values(), *self.told}
            replaced = self.replaced | {i: number for i in self.function.instructions() if (number := self._cast(i))}
            for instruction in self.function.instructions():
                if instruction not in made:
                    instruction.operands[:] = [replaced.get(o, o) for o in instruction.operands]
        return bool(self.replaced)

    def _cast(self, i: ir.Instruction) -> Value | None:
        """The number that a cast makes of its bits."""
        if not isinstance(i, ir.Cast) or i.op != "bitcast" or i in self.told:
            return None
        word = self.replaced.get(i.operands[0])
        assert word is None or isinstance(word, ir.Cast)
        return word.operands[0] if word is not None and word.operands[0].type is i.type else None

    def _format(self, i: ir.Binary) -> Type | None:
        """The numbers whose bits these are."""
        found = self.casts.get(i) or self._held(i)
        if i.op in _SUMS:
            found = self.casts.get(i)
            return found if found is not None and found.scalar in (DOUBLE, FLOAT) and _fits(i, found) else None
        found = found or next((t for o in i.operands if (t := self._source(o)) is not None), None)
        return found if found is not None and _fits(i, found) else None

    def _source(self, word: Value) -> Type | None:
        """The type of the numbers that a word is cast from, through sign idioms."""
        for _ in range(4):
            if isinstance(word, ir.Cast) and word.op == "bitcast" and _is_number(word.operands[0].type):
                return word.operands[0].type
            if not isinstance(word, ir.Binary) or word.op not in ("and", "or", "xor"):
                return self._held(word)
            word = word.operands[0]
        return None

    def _held(self, word: Value) -> Type | None:
        """The numbers in the memory that a word is read from or written to."""
        kind, type_ = self.memory.integer_kind(word) if self.memory is not None else (Kind.UNKNOWN, None)
        return type_ if kind is Kind.FLOAT and type_ is not None and _is_number(type_) else None

    def _number(self, i: ir.Binary, type_: Type) -> Value | None:
        a, b = i.operands
        if isinstance(a, Constant):
            a, b = b, a
        bits = _width(type_)
        sign = 1 << (bits - 1)
        mask = _mask(b, bits)
        match i.op:
            case "and":
                if mask == sign - 1:
                    return self._call("fabs", type_, self._as(a, type_))
                if (kept := _lane_choice(b, bits, (1 << bits) - 1)) is not None:
                    return self.b.shuffle_vector(self._as(a, type_), zero(type_), _kept(kept))
                for word, chosen in ((a, b), (b, a)):
                    condition = _condition(chosen)
                    if condition is not None and _lanes(chosen.type) == _lanes(type_):
                        return self.b.select(condition, self._as(word, type_), zero(type_))
            case "xor":
                if mask == sign:
                    return self.b.fneg(self._as(a, type_))
                if (flipped := _lane_choice(b, bits, sign)) is not None:
                    return self.b.fmul(self._as(a, type_), _signs(type_, flipped))
                for word, flip in ((a, b), (b, a)):
                    from_ = _masked(flip, bits, sign)
                    if from_ is not None:
                        one = const_float(type_, 1.0)
                        factor = self._call("copysign", type_, one, self._as(from_, type_))
                        return self.b.fmul(self._as(word, type_), factor)
            case "or":
                if mask == sign:
                    return self.b.fneg(self._call("fabs", type_, self._as(a, type_)))
                for word, chosen in ((a, b), (b, a)):
                    condition = _condition(chosen)
                    if condition is not None and _lanes(chosen.type) == _lanes(type_):
                        not_a_number = self.b.cast("bitcast", chosen, type_)
                        return self.b.select(condition, not_a_number, self._as(word, type_))
                for word, exponent in ((a, b), (b, a)):
                    whole = _fraction(word, _mask(exponent, bits), type_)
                    if whole is not None:
                        return self._scaled(self._as(whole, type_), i, type_)
                for magnitude, other in ((a, b), (b, a)):
                    of, from_ = _masked(magnitude, bits, sign - 1), _masked(other, bits, sign)
                    if of is not None and from_ is not None:
                        return self._call("copysign", type_, self._as(of, type_), self._as(from_, type_))
                for word, set_ in ((a, b), (b, a)):
                    if _is_sign(set_, bits):
                        number, none = self._as(word, type_), zero(set_.type)
                        negative = self.b.fneg(self._call("fabs", type_, number))
                        return self.b.select(self.b.icmp("ne", set_, none), negative, number)
            case "add" if type_.scalar is type_:
                word, step = (a, b) if self._source(a) is type_ else (b, a)
                return self._neighbour(word, step, type_) if self._source(word) is type_ else None
            case _:
                pass
        return None

    def _among_integers(self, i: ir.Binary) -> Type | None:
        """The numbers that a word is at times, and an integer or pointer at others."""
        if self.memory is None or i.op in _SUMS or any(map(_is_address, i.operands)):
            return None
        content = self.memory.contents.get((i, ()))
        types = [*content.float_types] if content is not None and content.kind is Kind.MIXED else []
        return types[0] if len(types) == 1 and types[0] in _FORMATS and _lanes(types[0]) == _lanes(i.type) else None

    def _with_other_exponent(self, i: ir.Binary, type_: Type) -> Value | None:
        """A number whose fraction is that of another."""
        fraction = (1 << FRACTION_BITS.get(type_.scalar, 0)) - 1
        if not fraction or _lanes(i.type) != _lanes(type_):
            return None
        field = exponent_of(type_.scalar)
        if i.op == "or" and any((_mask(o, _width(type_)) or 0) & field == field for o in i.operands):
            return None  # words of no number, with an address or an integer in place of a fraction
        word, added = self._same_fraction(i, fraction, type_)
        if word is None or added & fraction:
            return None
        return self._scaled(self._as(word, type_), i, type_, far=True)

    def _same_fraction(self, i: Value, fraction: int, type_: Type) -> tuple[Value | None, int]:
        """The word, known for the bits of a number, whose last bits are those of `i` but for a sum with a constant."""
        added = 0
        for _ in range(_STEPS):
            if self._is_bits(i, type_):
                return i, added
            if not isinstance(i, ir.Binary) or i.op not in _IDIOMS:
                break
            first, second = i.operands
            ways = [(first, second)] if i.op == "sub" else [(first, second), (second, first)]
            for word, other in ways:
                constant = _mask(other, _width(type_)) if isinstance(other, Constant) else None
                if i.op in _SUMS and constant is not None:
                    added += -constant if i.op == "sub" else constant
                elif i.op == "and":
                    if constant is None or constant & fraction != fraction:
                        continue
                elif zero_in_lanes(other) & fraction != fraction:
                    continue
                i = word
                break
            else:
                break
        return None, 0

    def _is_bits(self, word: Value, type_: Type) -> bool:
        """Is a word cast from a number, or read from memory? (Where no number is there, it has no derivative.)"""
        if isinstance(word, ir.Cast) and word.op == "bitcast":
            return word.operands[0].type is type_
        return isinstance(word, ir.Load)

    def _with_other_end(self, i: ir.Binary, type_: Type | None) -> Value | None:
        """A number whose last bits are cleared, or others."""
        if type_ is None:
            return None
        for word, rest in (i.operands, reversed(i.operands)):
            if i.op == "and" and (kept := _leading(rest, type_)) and not self._is_tagged(i, kept):
                return self._moved(word, kept, None, type_)
            if i.op == "or" and isinstance(word, ir.Binary) and word.op == "and":
                for inner, mask in (word.operands, reversed(word.operands)):
                    kept = _leading(mask, type_)
                    # LLVM finds words without common bits where one has none of the number's leading bits.
                    alone = kept and ("disjoint" in i.flags.split() or known_zero(rest) & kept == kept)
                    if alone and not self._is_tagged(i, kept):
                        return self._moved(inner, kept, rest, type_)
        return None

    def _is_tagged(self, word: Value, kept: int) -> bool:
        """May this be an address whose last bits are a tag? Its shadow has to get the same. (With more bits replaced it
        leads nowhere: a count beside what was in the rest of its word.)"""
        content = self.memory.contents.get((word, ())) if self.memory is not None else None
        return content is not None and Kind.POINTER in content.claims and kept & -kept <= 1 << _TAG

    def _moved(self, word: Value, kept: int, end: Value | None, type_: Type) -> Value:
        """What has the leading bits of a word, and this end: these bits, with the slope of the number that the word
        is. Where either is none, as a pointer or a counter, there is no slope."""
        b, constant = self.b, constant_function(self.module, type_)
        word = b.freeze(word)  # what is read twice is the same
        bits = b.binary("and", word, const_int(word.type, kept))
        if end is not None:
            bits = b.binary("or", bits, end)
        number = b.cast("bitcast", word, type_)
        self.told.append(b.cast("bitcast", bits, type_))
        result, told = b.call(constant, self.told[-1:]), b.call(constant, [number])
        infinity = const_float(type_, math.inf)
        first, second = (b.fcmp("olt", self._call("fabs", type_, x), infinity) for x in (told, result))
        return b.select(b.binary("and", first, second), b.fsub(result, b.fsub(told, number)), result)

    def _neighbour(self, word: Value, step: Value, type_: Type) -> Value | None:
        """The next number away from zero for a step of 1, towards zero for one of -1."""
        condition: Value | None = None
        match step:
            case ConstantInt(value=1 | -1 as by):
                pass
            case ir.Select(operands=[condition, ConstantInt(value=1 | -1 as by), ConstantInt(value=other)]) if (
                other == -by
            ):
                pass
            case _:
                return None
        number = self._as(word, type_)
        first: Value = zero(type_)
        second: Value = self._call("copysign", type_, const_float(type_, math.inf), number)
        if by == 1:
            first, second = second, first
        direction = first if condition is None else self.b.select(condition, first, second)
        name = "nextafter" if type_ is DOUBLE else "nextafterf"
        function = self.module.declare(name, function_type(type_, (type_, type_)))
        return self.b.call(function, [number, direction])

    def _scaled(self, number: Value, bits: Value, type_: Type, *, far: bool = False) -> Value:
        """What has these bits: the number times a power of two, where it is no zero, infinite or subnormal. Be it also
        a power that is no number itself (`far`)."""
        b, constant = self.b, constant_function(self.module, type_)
        self.told.append(b.cast("bitcast", bits, type_))
        result = b.call(constant, self.told[-1:])
        told = b.call(constant, [number])
        size = self._call("fabs", type_, told)
        smallest, infinity = (const_float(type_, limit) for limit in (_SMALLEST[_width(type_)], math.inf))

        def is_normal(size: Value) -> Value:
            return b.binary("and", b.fcmp("oge", size, smallest), b.fcmp("olt", size, infinity))

        normal = is_normal(size)
        if far:
            normal = b.binary("and", normal, is_normal(self._call("fabs", type_, result)))
            one, most = const_float(type_, 1.0), const_float(type_, 1 / _SMALLEST[_width(type_)])
            ratio = self._call("fabs", type_, b.fdiv(result, told))
            least = b.select(b.fcmp("olt", ratio, smallest), smallest, one)
            part = b.select(b.fcmp("oge", ratio, infinity), most, least)
            number, scale = b.fmul(number, b.select(normal, part, one)), b.fdiv(b.fdiv(result, part), told)
        else:
            scale = b.fdiv(result, told)
        return b.select(normal, b.fmul(number, b.select(normal, scale, zero(type_))), result)

    def _as(self, word: Value, type_: Type) -> Value:
        """The number of which a word is the bits."""
        word = self.replaced.get(word, word)
        if isinstance(word, ir.Cast) and word.op == "bitcast" and word.operands[0].type is type_:
            return word.operands[0]
        return self.b.cast("bitcast", word, type_)

    def _call(self, name: str, type_: Type, *operands: Value) -> Value:
        return self.b.call(intrinsic(self.module, name, type_), list(operands))


def _is_number(type_: Type) -> bool:
    return type_.scalar in _FORMATS


def _fits(i: ir.Binary, number: Type) -> bool:
    """Are the lanes of an operation those of the numbers, or is it one with a constant, whose lanes may be others?"""
    if _lanes(i.type) == _lanes(number):
        return True
    as_long = _count(i.type) * _width(i.type) == _count(number) * _width(number)
    return as_long and isinstance(number, VectorType) and any(isinstance(o, Constant) for o in i.operands)


def _is_address(word: Value) -> bool:
    """Are these the bits of a pointer for sure, be some of them masked?"""
    while isinstance(word, ir.Freeze) or (isinstance(word, ir.Binary) and word.op == "and"):
        word = word.operands[0]
    return isinstance(word, ir.Cast) and word.op == "ptrtoint"


def _lanes(type_: Type) -> tuple[int, int]:
    """Number and width of the lanes."""
    return (_count(type_), _width(type_))


def _count(type_: Type) -> int:
    return type_.count if isinstance(type_, VectorType) else 0


def _width(type_: Type) -> int:
    scalar = type_.scalar
    return scalar.bits if isinstance(scalar, IntType) or _is_number(scalar) else 0  # type: ignore[attr-defined]


def _masks(word: Value, width: int) -> list[int]:
    """The bits of a constant in lanes of a width, without sign; empty for what is none."""
    if isinstance(word, ConstantSplat) and isinstance(word.type, VectorType):
        lanes = _masks(word.operands[0], _width(word.type)) * word.type.count
    elif isinstance(word, ConstantAggregate):
        lanes = [mask for operand in word.operands for mask in _masks(operand, _width(word.type))]
    else:
        return [word.value % (1 << _width(word.type))] if isinstance(word, ConstantInt) else []
    own = _width(word.type)
    if not isinstance(word.type, VectorType) or len(lanes) < word.type.count:
        return []
    bits = sum(lane << at * own for at, lane in enumerate(lanes))
    return [bits >> start & (1 << width) - 1 for start in range(0, len(lanes) * own, width)]


def _mask(word: Value, width: int) -> int | None:
    """The constant that a word, or each of its lanes, is."""
    masks = {*_masks(word, width)}
    return masks.pop() if len(masks) == 1 else None


def _lane_choice(word: Value, width: int, mask: int) -> list[bool] | None:
    """The lanes of a constant that are `mask`, if all others are zero."""
    masks = _masks(word, width) if isinstance(word.type, VectorType) else []
    return [lane == mask for lane in masks] if masks and set(masks) <= {mask, 0} else None


def _kept(lanes: Sequence[bool]) -> Constant:
    """A shuffle that takes some lanes of a vector, and those of a second one in the other places."""
    return shuffle_mask([at if kept else at + len(lanes) for at, kept in enumerate(lanes)])


def _signs(type_: Type, flipped: Sequence[bool]) -> Constant:
    """1, and -1 in the lanes that change their sign."""
    members = [const_float(type_.scalar, -1.0 if flip else 1.0) for flip in flipped]
    text = ", ".join(f"{member.type} {member.text}" for member in members)
    return ConstantAggregate(type_, f"<{text}>", members)


def _fraction(word: Value, exponent: int | None, type_: Type) -> Value | None:
    """`v` of a word `v & ~e` in which another exponent is put, that of a finite number."""
    bits, field = _width(type_), exponent_of(type_.scalar)
    if not exponent or exponent & ~field or exponent == field:
        return None
    rest = (1 << bits) - 1 & ~field
    return next((v for mask in (rest, rest & ~(1 << bits - 1)) if (v := _masked(word, bits, mask)) is not None), None)


def _leading(mask: Value, type_: Type) -> int:
    """The bits that a mask keeps, if these are all but the last of a number's fraction, else 0."""
    width, kept = _width(type_), _mask(mask, _width(type_))
    fraction = FRACTION_BITS.get(type_.scalar, 0)
    if not kept or isinstance(type_, VectorType):
        return 0
    cleared = (1 << width) - 1 & ~kept
    last = cleared and cleared & cleared + 1 == 0
    return kept if last and cleared.bit_length() <= fraction - _LEAST_LEADING else 0


def _masked(word: Value, width: int, mask: int) -> Value | None:
    """`v` of `v & mask`, or a word that has no other bits than the sign (`negative << 31`)."""
    if isinstance(word, ir.Binary) and word.op == "and":
        a, b = word.operands
        if _mask(b, width) == mask:
            return a
        if _mask(a, width) == mask:
            return b
    return word if mask == 1 << width - 1 and _is_sign(word, width) else None


def _is_sign(word: Value, width: int) -> bool:
    """Has it no other bits than that of the sign?"""
    return word.type.scalar is int_type(width) and zero_in_lanes(word) == (1 << width - 1) - 1


def _condition(word: Value) -> Value | None:
    """The truth value of which a word is all bits."""
    if isinstance(word, ir.Cast) and word.op == "sext" and word.operands[0].type.scalar is I1:
        return word.operands[0]
    if isinstance(word, ir.Select) and _mask(word.operands[2], _width(word.type)) == 0:
        width = _width(word.type)
        return word.operands[0] if _mask(word.operands[1], width) == (1 << width) - 1 else None
    return None
