"""Words that hold numbers beside other integers, and what their pieces are made of.

A word has as many pieces as numbers of one width find room in it, counted from the lowest bits; an integer of that
width is a word of one piece. Casts tell which pieces are numbers, and moves carry it on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.bits import bits_of, known_zero, never_negative
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import users
from enzyme_build.ir.types import FloatType, Type, int_type
from enzyme_build.ir.values import Argument, ConstantInt, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from enzyme_build.ir.function import Function

    Piece = tuple[Value, int]
    """A word, and which of its pieces."""

_MOST: Final = 5000
"""Words of one function that are looked at."""
_GIVEN: Final = (Argument, ir.Call, ir.ExtractValue)
"""What is made elsewhere, as a whole."""
_SUMS: Final = ("add", "sub", "mul")
_OPERATIONS: Final = ("or", "and", "xor", *_SUMS)


def is_bits(value: Value) -> bool:
    """Is this the bits of one number?"""
    return isinstance(value, ir.Cast) and value.op == "bitcast" and isinstance(value.operands[0].type, FloatType)


def is_number(i: Value) -> bool:
    """Is this the number that an integer is the bits of?"""
    return isinstance(i, ir.Cast) and i.op == "bitcast" and isinstance(i.type, FloatType) and bits_of(i.operands[0]) > 0


class Words:
    """The words with numbers of one width in a function, and what is computed from them."""

    def __init__(self, function: Function, width: int, told: Mapping[Piece, AbstractSet[Type]]) -> None:
        """`told` is what calls tell of what is passed and returned."""
        self.width = width
        self.type = int_type(width)
        self.everything = (1 << width) - 1
        self.used: Mapping[Value, Sequence[ir.Instruction]] = users(function)
        self._open: dict[Piece, bool] = {}
        self.numbers = self._numbers(function, told)
        """The pieces that are moved from or to numbers; their type where they can be such themselves."""
        self.tainted = self._tainted()
        """Wide words that hold numbers, and those that depend on them."""
        self.taken = self._taken()
        """What is looked at piece by piece."""

    def count(self, value: Value) -> int:
        """How many pieces a word has; 0 for what is none."""
        bits = bits_of(value)
        return bits // self.width if bits % self.width == 0 else 0

    def type_of(self, word: Value, at: int) -> Type:
        """A number where the piece certainly is one, else an integer."""
        return self.numbers.get((word, at)) or self.type

    def are_worth_it(self) -> bool:
        """Is anything done to these words but to be put together and taken apart in registers?"""
        return 0 < len(self.taken) <= _MOST and any(self._is_more(word) for word in self.tainted)

    def _is_more(self, word: Value) -> bool:
        match word:
            case ir.Phi() | ir.Select():
                return True
            case ir.Load():  # what is only passed on may stay a word, where it begins with the number
                is_passed = all(isinstance(user, ir.Return | ir.CallBase) for user in self.used.get(word, ()))
                return not is_passed or self.type_of(word, 0) is self.type
            case ir.Binary():
                moved = range(self.count(word))
                if any(isinstance(user, ir.Store) for user in self.used.get(word, ())):
                    return True
                return not all(self.is_zero(word, at) or any(True for _ in self.sources(word, at)) for at in moved)
            case _:
                return any(isinstance(user, ir.Store) for user in self.used.get(word, ()))

    # Which pieces are numbers -------------------------------------------------------------------------------------

    def _numbers(self, function: Function, told: Mapping[Piece, AbstractSet[Type]]) -> dict[Piece, Type | None]:
        """What casts and calls tell, and wherever such pieces are moved from and to."""
        seeds: list[tuple[Piece, Type]] = [(piece, type_) for piece, types in told.items() for type_ in types]
        for i in function.instructions():
            if is_bits(i) and bits_of(i) == self.width:
                seeds.append(((i, 0), i.operands[0].type))
            elif is_number(i) and bits_of(i.operands[0]) == self.width:
                seeds.append(((i.operands[0], 0), i.type))
        seen: set[Piece] = set()
        found: dict[Piece, Type | None] = {}
        types: dict[Piece, set[Type]] = {}
        for piece, type_ in seeds:
            types.setdefault(piece, set()).add(type_)
        for piece, _ in seeds:
            if piece in seen or len(seen) > _MOST:
                continue
            group = self._moved_together(piece)
            seen.update(group)
            if any(self.count(word) > 1 for word, _ in group):
                known = set().union(*(types.get(member, ()) for member in group))
                certain = len(known) == 1 and all(self._may_be_number(*member) for member in group)
                found |= dict.fromkeys(group, next(iter(known)) if certain else None)
        return found

    def _moved_together(self, piece: Piece) -> dict[Piece, None]:
        found: dict[Piece, None] = {}
        pending = [piece]
        while pending and len(found) <= _MOST:
            word, at = piece = pending.pop()
            if piece in found or not isinstance(word, ir.Instruction | Argument) or not self.count(word):
                continue
            found[piece] = None
            if isinstance(word, ir.Instruction):
                pending += self.sources(word, at)
            for user in self.used.get(word, ()):
                moved = (other for other in range(self.count(user)) if piece in self.sources(user, other))
                pending += ((user, other) for other in moved)
        return found

    def _may_be_number(self, word: Value, at: int) -> bool:
        """Is this piece read, given, moved or the bits of a number, rather than computed from integers?"""
        match word:
            case ir.Load() | ir.CallBase() | ir.ExtractValue() | ir.Phi() | ir.Select() | ir.Freeze() | Argument():
                return True
            case ir.Cast() if word.op == "bitcast":
                return is_bits(word)
            case ir.Instruction():
                return any(True for _ in self.sources(word, at)) or self.is_zero(word, at)
            case _:
                return False

    def sources(self, i: ir.Instruction, at: int) -> Iterator[Piece]:
        """The pieces of words that this piece of a result is, unchanged."""
        if at >= self.count(i):
            return
        match i:
            case ir.Phi() | ir.Select() | ir.Freeze():
                yield from ((word, place) for word, place, _ in self.needed(i, at, self.everything))
            case ir.Cast(op="zext" | "sext" | "trunc") if at < self.count(i.operands[0]):
                yield i.operands[0], at
            case ir.Binary() if self.count(i) == 1:
                pass
            case ir.Binary(op="or" | "add" | "xor"):
                for operand, other in (i.operands, reversed(i.operands)):
                    below = range(at) if i.op == "add" else ()
                    carries = any(not self.is_zero(other, k, i) and not self.is_zero(operand, k) for k in below)
                    if not carries and self.is_zero(other, at, i):
                        yield operand, at
            case ir.Binary(op="sub") if all(self.is_zero(i.operands[1], k) for k in range(at + 1)):
                yield i.operands[0], at
            case ir.Binary(op="and") if isinstance(i.operands[1], ConstantInt):
                if self.part(i.operands[1], at) == self.everything:
                    yield i.operands[0], at
            case ir.Binary(op="shl" | "lshr" | "ashr") if isinstance(i.operands[1], ConstantInt):
                yield from ((i.operands[0], place) for place, by in self.shifted(i, at) if not by)
            case _:
                pass

    def part(self, value: ConstantInt, at: int) -> int:
        return value.value >> at * self.width & self.everything

    def is_zero(self, value: Value, at: int, user: ir.Instruction | None = None) -> bool:
        """Is this piece of a word certainly zero? Where a user says that its operands have no bits in common, and the
        other one has a number there, of which LLVM knows no more than the sign, all other bits of this one are zero."""
        if known_zero(value) >> at * self.width & self.everything == self.everything:
            return True
        if not isinstance(user, ir.Binary) or "disjoint" not in user.flags.split() or at + 1 != self.count(value):
            return False
        other = user.operands[1] if user.operands[0] is value else user.operands[0]
        return self._is_number(other, at) and never_negative(value)

    def _is_number(self, word: Value, at: int) -> bool:
        """Is this piece the bits of a number, by how the word is put together?"""
        while isinstance(word, ir.Cast | ir.Binary) and not is_bits(word):
            match word:
                case ir.Cast(op="zext") if at < self.count(word.operands[0]):
                    word = word.operands[0]
                case ir.Binary(op="shl") if isinstance(amount := word.operands[1], ConstantInt):
                    whole, bits = divmod(amount.value, self.width)
                    if bits or at < whole:
                        return False
                    word, at = word.operands[0], at - whole
                case _:
                    return False
        return is_bits(word) and at == 0 and bits_of(word) == self.width

    # What is taken apart ------------------------------------------------------------------------------------------

    def _tainted(self) -> dict[Value, None]:
        found: dict[Value, None] = {}
        pending = [word for word, _ in self.numbers]
        while pending:
            word = pending.pop()
            if word not in found and self.count(word) > 1 and self._can_be_taken(word):
                found[word] = None
                pending += self.used.get(word, ())
        return found

    def _taken(self) -> dict[Value, None]:
        """These, what integers beside the numbers are computed from in registers, and numbers that are moved as
        integers of their own width."""
        found = dict(self.tainted)
        made = (word for word in found if isinstance(word, ir.Instruction) and not isinstance(word, _GIVEN))
        pending = [operand for word in made for operand in word.operands]
        while pending:
            word = pending.pop()
            if not isinstance(word, ir.Cast | ir.Binary | ir.Select) or word in found:
                continue
            if self.count(word) > 1 and self._can_be_taken(word):
                found[word] = None
                pending += word.operands
        narrow = (word for (word, _), type_ in self.numbers.items() if type_ is not None and self.count(word) == 1)
        return found | {word: None for word in narrow if self._is_moved_number(word)}

    def _is_moved_number(self, word: Value) -> bool:
        match word:
            case ir.Load():
                return not word.ordering and not word.volatile
            case ir.Cast():
                return word.op == "trunc"
            case _:
                return isinstance(word, ir.Phi | ir.Select | ir.Freeze)

    def _can_be_taken(self, word: Value) -> bool:
        match word:
            case ir.Load():
                return not word.ordering and not word.volatile
            case ir.Phi() | ir.Select() | ir.Freeze() | ir.Call() | ir.ExtractValue() | Argument():
                return True
            case ir.Cast(op="zext" | "sext" | "trunc"):
                source = bits_of(word.operands[0])
                return 0 < source <= self.width or source % self.width == 0
            case ir.Binary(op="shl" | "lshr" | "ashr"):
                return isinstance(word.operands[1], ConstantInt) and word.operands[1].value < bits_of(word)
            case ir.Binary():
                return word.op in _OPERATIONS
            case _:
                return False

    def is_open(self, word: Value, at: int) -> bool:
        """Can this piece of a word be computed from pieces of others?"""
        if (word, at) not in self._open:
            self._open[word, at] = self._is_open(word, at)
        return self._open[word, at]

    def _is_open(self, word: Value, at: int) -> bool:
        if word not in self.taken or isinstance(word, _GIVEN):
            return False
        if isinstance(word, ir.Binary) and word.op in _SUMS and at:
            # Is there nothing to carry?
            if word.op == "add":
                return all(any(self.is_zero(operand, k) for operand in word.operands) for k in range(at))
            return word.op == "sub" and all(self.is_zero(word.operands[1], k) for k in range(at))
        return True

    def needed(self, word: Value, at: int, bits: int) -> Iterable[tuple[Value, int, int]]:
        """The pieces of words of which these bits of a piece are computed, and which of their bits."""
        match word:
            case ir.Phi() | ir.Freeze():
                return [(operand, at, bits) for operand in word.operands]
            case ir.Select():
                return [(operand, at, bits) for operand in word.operands[1:]]
            case ir.Cast():
                source = word.operands[0]
                if at < self.count(source):
                    return [(source, at, bits)]
                sign = 1 << self.width - 1
                return [(source, self.count(source) - 1, sign)] if word.op == "sext" and self.count(source) else []
            case ir.Binary(op="shl" | "lshr" | "ashr"):
                places = [(place, some) for place, _, some in self.shifted_bits(word, at, bits)]
                if word.op == "ashr" and not self.shifted(word, at):
                    places = [(self.count(word) - 1, 1 << self.width - 1)]
                return [(word.operands[0], place, some) for place, some in places]
            case ir.Binary():
                asked = ((operand, self.asked_of(word, operand, at, bits)) for operand in word.operands)
                return [(operand, at, some) for operand, some in asked if some and not self.is_zero(operand, at, word)]
            case _:
                return []

    def asked_of(self, i: ir.Binary, operand: Value, at: int, bits: int) -> int:
        """Which bits of a piece of an operand these bits of the result depend on."""
        other = i.operands[1] if operand is i.operands[0] else i.operands[0]
        constant = self.part(other, at) if isinstance(other, ConstantInt) else None
        match i.op:
            case "and":
                return bits & constant if constant is not None else bits
            case "or":
                return bits & ~constant if constant is not None else bits
            case "add" | "sub" | "mul":  # carries go up
                below = (1 << bits.bit_length()) - 1
                scaled = i.op == "mul" and constant
                return below >> (constant & -constant).bit_length() - 1 if scaled and constant else below
            case _:
                return bits

    def shifted_bits(self, shift: ir.Binary, at: int, bits: int) -> list[tuple[int, int, int]]:
        """The pieces of which these bits of a piece of a shifted word are made, by how much each is shifted, and which
        bits of it they are."""
        found: list[tuple[int, int, int]] = []
        for place, by in self.shifted(shift, at):
            some = bits >> by if by > 0 else bits << -by & self.everything
            if shift.op == "ashr" and place == self.count(shift) - 1 and by <= 0 and bits << -by > self.everything:
                some |= 1 << self.width - 1
            if some:
                found.append((place, by, some))
        return found

    def shifted(self, shift: ir.Binary, at: int) -> list[tuple[int, int]]:
        """Of which pieces a piece of a shifted word is made, and by how much each is shifted (up, where positive)."""
        amount, count = shift.operands[1], self.count(shift)
        assert isinstance(amount, ConstantInt)
        whole, bits = divmod(amount.value, self.width)
        up = shift.op == "shl"
        here = at - whole if up else at + whole
        places = [(here, bits if up else -bits)]
        if bits:
            places.append((here - 1, bits - self.width) if up else (here + 1, self.width - bits))
        return [(place, by) for place, by in places if 0 <= place < count]
