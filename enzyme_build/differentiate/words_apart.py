"""Integers that hold numbers beside other integers are computed piece by piece.

A struct `{ double; int; float }` that is passed by value has its last two members in one `i64`. Where the function
changes the integer, optimised code adds to all 64 bits and masks, chooses between such words in loops, and reads and
writes them as one: the number's bits go through arithmetic that is none of its own. In the model that the pass reads
such words are made of pieces as wide as the number, each of which is computed, read and written by itself.

Casts tell which pieces hold numbers; what depends on such words is taken apart as far as somebody uses its pieces. An
operation that cannot be taken apart (a comparison, a call) is given the word put together again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeVar

from enzyme_build.analysis.bits import bits_of
from enzyme_build.analysis.cfg import control_flow
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, replace_values
from enzyme_build.ir.types import FloatType
from enzyme_build.ir.values import ConstantInt, Undef, Value, const_int, is_zero, poison, undef, zero

from .declared_pieces import mark_integers, mark_of_rest
from .odd_words import odd_words
from .pieces_passed import words_of
from .word_pieces import Words, is_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

    from .word_pieces import Piece

    _Use = tuple[Value, int | None, int]
    """A piece of a word, or all of it, and which bits of the piece are used."""

_I = TypeVar("_I", bound=ir.Instruction)
_WIDTHS: Final = (64, 32, 16)


def words_apart(module: Module, functions: Sequence[Function]) -> None:
    """Take the words of the functions' models apart in which numbers lie beside what is computed."""
    for function in functions:
        odd_words(function)
        _plain_shifts(function)
        mark_integers(module, function)
    found = [words_of(module, functions, width) for width in _WIDTHS]
    for function in functions:
        its = [words[function] for words in found if function in words]
        for words in its:
            others = [other for other in its if other is not words]
            if words.are_worth_it() and all(words.taken.keys().isdisjoint(other.taken) for other in others):
                _Rewriting(module, function, words).run()


def _plain_shifts(function: Function) -> None:
    """Two words that are shifted into one, as members that change places are, as shifts of each."""
    calls = {i: up for i in function.instructions() if isinstance(i, ir.Call) and (up := _amount_of(i))}
    replaced: dict[Value, Value] = {}
    for call, up in calls.items():
        high, low = call.arguments[:2]
        builder = in_front_of(call)
        one = builder.binary("shl", high, const_int(call.type, up))
        other = builder.binary("lshr", low, const_int(call.type, bits_of(call) - up))
        replaced[call] = builder.binary("or", one, other, "disjoint")
    replace_values(function, replaced)
    remove_instructions(function, replaced.keys())


def _amount_of(call: ir.Call) -> int:
    """By how much a funnel shift moves a word up that may have numbers in it; 0 of other calls. (Words that are rotated
    by other than whole numbers are hashes.)"""
    name, bits = getattr(call.callee, "name", None) or "", bits_of(call)
    if not name.startswith(("llvm.fshl.i", "llvm.fshr.i")) or bits <= min(_WIDTHS):
        return 0
    amount = call.arguments[2]
    if not isinstance(amount, ConstantInt):
        return 0
    by = amount.value % bits
    if by % min(_WIDTHS) and call.arguments[0] is call.arguments[1]:
        return 0
    return by if name.startswith("llvm.fshl") else (bits - by) % bits


class _Rewriting:
    def __init__(self, module: Module, function: Function, words: Words) -> None:
        self.module = module
        self.function = function
        self.words = words
        self.pieces: dict[Piece, int] = {}
        """What somebody uses, and which bits of it."""
        self.whole: set[Value] = set()
        """Words that somebody uses as a whole."""
        self.made: dict[Piece, Value] = {}
        """Pieces, of the types that `Words.type_of` gives."""
        self.recast: dict[tuple[Value, Type], Value] = {}
        self.joined: dict[Value, Value] = {}
        """Words put together again."""
        self.stores: list[ir.Store] = []
        self.ends: list[ir.Cast] = []
        """Where a piece, or less, leaves a word."""

    def run(self) -> None:
        self._find_uses()
        for block in self._order():
            for i in list(block.instructions):
                self._make(i)
        for word in self.words.taken:
            if isinstance(word, ir.Phi):
                self._fill(word)
        for store in self.stores:
            self._split(store)
        ended: dict[Value, Value] = {end: self._end(end) for end in self.ends}
        replace_values(self.function, ended | self.joined)
        self._remove({*ended, *self.stores})

    def _order(self) -> Iterator[Block]:
        """The blocks, each behind those whose values it uses; at last those that nothing reaches."""
        order = control_flow(self.function).order
        yield from order
        reached = set(order)
        yield from (block for block in self.function.blocks if block not in reached)

    # What is used -------------------------------------------------------------------------------------------------

    def _find_uses(self) -> None:
        taken = self.words.taken
        pending: list[_Use] = []
        for i in self.function.instructions():
            if i not in taken or _stays(i):
                pending += (use for operand in i.operands if operand in taken for use in self._uses(i, operand))
        while pending:
            word, at, bits = pending.pop()
            if word not in taken:
                continue
            if at is None:
                if word not in self.whole:
                    self.whole.add(word)
                    pending += self._parts_of(word)
            elif bits & ~self.pieces.get((word, at), 0) and not self.words.is_zero(word, at):
                self.pieces[word, at] = bits = bits | self.pieces.get((word, at), 0)
                is_open = self.words.is_open(word, at)
                pending += self.words.needed(word, at, bits) if is_open else [(word, None, 0)]

    def _uses(self, i: ir.Instruction, word: Value) -> Iterable[_Use]:
        """What an instruction that stays uses of a word."""
        count = self.words.count(word)
        if isinstance(i, ir.Cast) and i.op == "trunc" and bits_of(i) <= self.words.width:
            self.ends.append(i)
            return [(word, 0, (1 << bits_of(i)) - 1)]
        if is_number(i) and self.words.type_of(word, 0) is i.type:
            assert isinstance(i, ir.Cast)
            self.ends.append(i)
            return [(word, 0, self.words.everything)]
        if isinstance(i, ir.Store) and word is i.value and not i.ordering and not i.volatile:
            self.stores.append(i)
            return [(word, at, self.words.everything) for at in range(count)]
        return [(word, None, 0)]

    def _parts_of(self, word: Value) -> Iterable[_Use]:
        if self._is_joined(word):
            return [(word, at, self.words.everything) for at in range(self.words.count(word))]
        return [(operand, None, 0) for operand in word.operands] if isinstance(word, ir.Instruction) else []

    def _is_joined(self, word: Value) -> bool:
        """Is this put together of its pieces, instead of computed as a whole?"""
        if self.words.count(word) > 1 and word not in self.words.tainted:
            return False
        return all(self.words.is_open(word, at) for at in range(self.words.count(word)))

    # Pieces -------------------------------------------------------------------------------------------------------

    def _make(self, i: ir.Instruction) -> None:
        """The pieces of an instruction that are used, behind it, and the word made of them where it is used."""
        if i not in self.words.taken:
            return
        builder = _Behind(i)
        for at in range(self.words.count(i)):
            if (i, at) not in self.pieces:
                continue
            if isinstance(i, ir.Phi):
                self.made[i, at] = builder.phi(self.words.type_of(i, at))
            elif self.words.is_open(i, at):
                self.made[i, at] = self._computed(builder, i, at)
            else:
                self.made[i, at] = _as_type(builder, self._cut(builder, i, at), self.words.type_of(i, at))
        if i in self.whole and self._is_joined(i):
            self.joined[i] = self._put_together(builder, i)

    def _computed(self, builder: Builder, i: ir.Instruction, at: int) -> Value:
        type_ = self.words.type_of(i, at)
        match i:
            case ir.Load():
                step = at * self.words.width // 8
                address, align = builder.ptradd(i.pointer, step), _alignment(i.align, step)
                return builder.load(type_, address, align, metadata=self._mark(i, at, i.pointer))
            case ir.Select():
                a, b = (self._piece(operand, at, type_) for operand in i.operands[1:])
                return a if a is b else builder.select(i.operands[0], a, b)
            case ir.Freeze():
                return builder.freeze(self._piece(i.operands[0], at, type_))
            case _:
                pass
        moved = list(self.words.sources(i, at))
        if len(moved) == 1:
            return self._piece(*moved[0], type_)
        return _as_type(builder, self._operation(builder, i, at), type_)

    def _operation(self, builder: Builder, i: ir.Instruction, at: int) -> Value:
        match i:
            case ir.Cast():
                return self._cast(builder, i, at)
            case ir.Binary(op="shl" | "lshr" | "ashr"):
                return self._shift(builder, i, at)
            case _:
                assert isinstance(i, ir.Binary)
                bits = self.pieces[i, at]
                a, b = (
                    self._piece(operand, at, user=i)
                    if self.words.asked_of(i, operand, at, bits)
                    else zero(self.words.type)
                    for operand in i.operands
                )
                return self._binary(builder, i.op, a, b)

    def _binary(self, builder: Builder, op: str, a: Value, b: Value) -> Value:
        for one, other in ((a, b), (b, a)):
            if isinstance(other, ConstantInt):
                bits = other.value & self.words.everything
                if (bits == 0 and op in {"or", "xor", "add"}) or (bits == self.words.everything and op == "and"):
                    return one
                if bits == 0 and op in {"and", "mul"}:
                    return zero(self.words.type)
        if op == "sub" and is_zero(b):
            return a
        return builder.binary(op, a, b)

    def _cast(self, builder: Builder, cast: ir.Cast, at: int) -> Value:
        """A piece that is not one of what is cast: of less than a piece, or behind its last one."""
        source, count = cast.operands[0], self.words.count(cast.operands[0])
        if at == 0:
            return builder.cast(cast.op, source, self.words.type)
        if cast.op == "zext":
            return zero(self.words.type)
        last = self._piece(source, count - 1) if count else builder.cast("sext", source, self.words.type)
        return builder.binary("ashr", last, const_int(self.words.type, self.words.width - 1))

    def _shift(self, builder: Builder, shift: ir.Binary, at: int) -> Value:
        """A piece of a shifted word: what of one piece or of two neighbours is moved there."""
        result: Value | None = None
        source, last = shift.operands[0], self.words.count(shift) - 1
        for place, by, _ in self.words.shifted_bits(shift, at, self.pieces[shift, at]):
            piece = self._piece(source, place)
            if by and not is_zero(piece):
                op = "shl" if by > 0 else "ashr" if shift.op == "ashr" and place == last else "lshr"
                piece = builder.binary(op, piece, const_int(self.words.type, abs(by)))
            result = piece if result is None else self._binary(builder, "or", result, piece)
        if result is not None:
            return result
        if shift.op == "ashr" and not self.words.shifted(shift, at):
            sign = const_int(self.words.type, self.words.width - 1)
            return builder.binary("ashr", self._piece(source, last), sign)
        return zero(self.words.type)

    def _piece(self, word: Value, at: int, type_: Type | None = None, user: ir.Instruction | None = None) -> Value:
        """A piece of a word, which is made already, or is cut out of what is not taken apart."""
        type_ = type_ or self.words.type
        if (word, at) in self.made:
            return self._recast(self.made[word, at], type_)
        if isinstance(word, Undef):
            return poison(type_) if word.text == "poison" else undef(type_)
        if self.words.is_zero(word, at, user):
            return zero(type_)
        if isinstance(word, ConstantInt):
            return self._recast(const_int(self.words.type, self.words.part(word, at)), type_)
        if self.words.count(word) == 1:
            return self._recast(word, type_)
        if isinstance(word, ir.Cast) and word.op == "zext" and self.words.count(word.operands[0]) == 1:
            return self._recast(word.operands[0], type_)
        self.made[word, at] = piece = self._cut(self._place(word), word, at)
        return self._recast(piece, type_)

    def _recast(self, piece: Value, type_: Type) -> Value:
        """The bits as a number, or the other way."""
        if piece.type is type_:
            return piece
        if (piece, type_) not in self.recast:
            self.recast[piece, type_] = _as_type(self._place(piece), piece, type_)
        return self.recast[piece, type_]

    def _cut(self, builder: Builder, word: Value, at: int) -> Value:
        if at:
            word = builder.binary("lshr", word, const_int(word.type, at * self.words.width))
        return builder.cast("trunc", word, self.words.type)

    def _put_together(self, builder: Builder, word: Value) -> Value:
        if self.words.count(word) == 1:
            return self._piece(word, 0)
        result: Value | None = None
        for at in range(self.words.count(word)):
            piece = self._piece(word, at)
            if is_zero(piece):
                continue
            wide: Value = builder.cast("zext", piece, word.type)
            if at:
                wide = builder.binary("shl", wide, const_int(word.type, at * self.words.width))
            result = wide if result is None else builder.binary("or", result, wide, "disjoint")
        return zero(word.type) if result is None else result

    def _place(self, word: Value) -> Builder:
        """Where what is made of a value stands: behind it."""
        if isinstance(word, ir.Instruction):
            return _Behind(word)
        builder = Builder(self.function.entry)
        entry = self.function.entry.instructions
        builder.position = next(at for at, i in enumerate(entry) if not isinstance(i, ir.Alloca))
        return builder

    # Ends ---------------------------------------------------------------------------------------------------------

    def _fill(self, phi: ir.Phi) -> None:
        for at in range(self.words.count(phi)):
            made = self.made.get((phi, at))
            if isinstance(made, ir.Phi):
                made.operands[:] = [self._piece(operand, at, made.type) for operand in phi.operands]
                made.blocks[:] = phi.blocks

    def _split(self, store: ir.Store) -> None:
        for at in range(self.words.count(store.value)):
            step = at * self.words.width // 8
            piece = self._piece(store.value, at, self.words.type_of(store.value, at))
            builder = in_front_of(store)
            address, align = builder.ptradd(store.pointer, step), _alignment(store.align, step)
            builder.store(piece, address, align, metadata=self._mark(store.value, at, store.pointer))

    def _mark(self, word: Value, at: int, pointer: Value) -> str:
        """What is said of an access to a piece of a word in memory."""
        types = [self.words.type_of(word, other) for other in range(self.words.count(word))]
        is_rest = types[at] is self.words.type and any(type_ is not self.words.type for type_ in types)
        return mark_of_rest(self.module, pointer, at * self.words.width // 8, self.words.type) if is_rest else ""

    def _end(self, end: ir.Cast) -> Value:
        if isinstance(end.type, FloatType):
            return self._piece(end.operands[0], 0, end.type)
        piece = self._piece(end.operands[0], 0)
        return piece if piece.type is end.type else _Behind(end).cast("trunc", piece, end.type)

    def _remove(self, gone: set[Value]) -> None:
        """Take out what is replaced, and of the words what nobody uses any more."""
        remove_instructions(self.function, gone)
        words = {word for word in self.words.taken if isinstance(word, ir.Instruction) and not _stays(word)}
        kept: set[Value] = set()
        pending = [operand for i in self.function.instructions() if i not in words for operand in i.operands]
        while pending:
            operand = pending.pop()
            if operand in words and operand not in kept:
                kept.add(operand)
                pending += operand.operands
        remove_instructions(self.function, words - kept)


def _stays(i: ir.Instruction) -> bool:
    """Is this done whether anybody uses what it returns, or not?"""
    return isinstance(i, ir.CallBase) and not (getattr(i.callee, "name", None) or "").startswith("llvm.")


def _as_type(builder: Builder, piece: Value, type_: Type) -> Value:
    if piece.type is type_:
        return piece
    if isinstance(piece, ir.Cast) and piece.op == "bitcast" and piece.operands[0].type is type_:
        return piece.operands[0]
    return zero(type_) if is_zero(piece) else builder.cast("bitcast", piece, type_)


class _Behind(Builder):
    """Inserts behind an instruction and what is used, each behind the one before, wherever those are by then."""

    def __init__(self, anchor: ir.Instruction) -> None:
        assert anchor.block is not None
        super().__init__(anchor.block, debug_attachment(anchor))
        self.anchor = anchor

    def insert(self, instruction: _I, name: str | None = None) -> _I:
        instructions = self.block.instructions
        place = instructions.index(self.anchor) + 1
        if isinstance(self.anchor, ir.Phi):
            place = max(place, sum(1 for _ in self.block.phis))
        own = [o for o in instruction.operands if isinstance(o, ir.Instruction) and o.block is self.block]
        self.position = max(place, *(instructions.index(o) + 1 for o in own)) if own else place
        self.anchor = super().insert(instruction, name)
        return instruction


def _alignment(align: int, step: int) -> int:
    """What is known of an address so many bytes behind an aligned one."""
    return math.gcd(align, step) if step else align
