"""Words that the optimiser took apart into halves are whole again.

An enum has a pointer or a `double` in one variant where another has two integers of four bytes. Where LLVM keeps such
objects in registers it cuts the word in two: both halves are read, merged around loops and written each by itself, and
put together where the pointer or number is used. No half has a shadow. In the model that the pass reads the word is
read, merged and written as one, and a half is a part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.types import DOUBLE, I32, I64
from enzyme_build.ir.values import Constant, ConstantInt, Value, const_int

from .by_value import may_write

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.layout import DataLayout

_HALF: Final = 4
"""Bytes."""
_BITS: Final = 32
_Pair = tuple[Value, Value]
"""The lower and the upper half of a word."""


def join_halves(layout: DataLayout, function: Function) -> None:
    """Join what is put together of two halves and becomes a pointer or a number, as far as memory holds it as one."""
    joined = {i: pair for i in function.instructions() if (pair := _put_together(i)) is not None}
    if not joined:
        return
    read = users(function)
    pairs: dict[_Pair, None] = {}
    for word, pair in joined.items():
        if _is_used_whole(word, read):
            found = _merged_from(pair)
            if any(_first_of_loads(layout, one) or _taken_apart(one) for one in found):
                pairs.update(dict.fromkeys(found))
    if pairs:
        _Joining(layout, function, pairs).run({word: pair for word, pair in joined.items() if pair in pairs})


def _put_together(i: ir.Instruction) -> _Pair | None:
    """The halves of `zext(low) | zext(high) << 32`."""
    if not isinstance(i, ir.Binary) or i.op not in {"or", "add"} or i.type is not I64:
        return None
    for low, high in (i.operands, reversed(i.operands)):
        shifted = isinstance(high, ir.Binary) and high.op == "shl" and _is_constant(high.operands[1], _BITS)
        if shifted and _is_half(low) and _is_half(high.operands[0]):  # type: ignore[attr-defined]
            return low.operands[0], high.operands[0].operands[0]  # type: ignore[attr-defined]
    return None


def _is_half(value: Value) -> bool:
    return isinstance(value, ir.Cast) and value.op == "zext" and value.operands[0].type is I32


def _is_constant(value: Value, expected: int) -> bool:
    return isinstance(value, ConstantInt) and value.value == expected


def _is_used_whole(word: Value, read: Mapping[Value, list[ir.Instruction]]) -> bool:
    """Does a word become a pointer or a number, be it where it is merged with others?"""
    pending, seen = [word], {word}
    while pending:
        for user in read.get(pending.pop(), ()):
            if isinstance(user, ir.Cast) and (user.op == "inttoptr" or (user.op == "bitcast" and user.type is DOUBLE)):
                return True
            if isinstance(user, ir.MERGES) and user not in seen:
                seen.add(user)
                pending.append(user)
    return False


def _merged_from(pair: _Pair) -> list[_Pair]:
    """A pair, and all that it is merged from."""
    pending, found = [pair], {pair: None}
    while pending:
        for _, one in _operands(pending.pop()):
            if one not in found and not (isinstance(one[0], Constant) and isinstance(one[1], Constant)):
                found[one] = None
                pending.append(one)
    return [*found]


def _operands(pair: _Pair) -> Iterator[tuple[Block | None, _Pair]]:
    """What both halves are merged from in the same way, and from which block it comes to a phi."""
    low, high = pair
    if isinstance(low, ir.Phi) and isinstance(high, ir.Phi) and low.block is high.block:
        for block, value in zip(low.blocks, low.operands, strict=True):
            yield block, (value, high.incoming(block))
    elif _are_chosen_alike(low, high):
        assert isinstance(low, ir.Select)
        assert isinstance(high, ir.Select)
        yield from ((None, each) for each in zip(low.operands[1:], high.operands[1:], strict=True))


def _are_chosen_alike(low: Value, high: Value) -> bool:
    both = isinstance(low, ir.Select) and isinstance(high, ir.Select) and low.block is high.block
    return both and low.operands[0] is high.operands[0]  # type: ignore[attr-defined]


def _taken_apart(pair: _Pair) -> Value | None:
    """The word of which both halves are parts."""
    low, high = pair
    if not isinstance(low, ir.Cast) or not isinstance(high, ir.Cast) or low.op != "trunc" or high.op != "trunc":
        return None
    upper = high.operands[0]
    shifted = isinstance(upper, ir.Binary) and upper.op == "lshr" and _is_constant(upper.operands[1], _BITS)
    word = low.operands[0]
    return word if shifted and upper.operands[0] is word and word.type is I64 else None  # type: ignore[attr-defined]


def _first_of_loads(layout: DataLayout, pair: _Pair) -> ir.Load | None:
    """That of two loads which comes first, where both read a word between which and the other nothing is written."""
    low, high = pair
    if not isinstance(low, ir.Load) or not isinstance(high, ir.Load) or low.block is not high.block:
        return None
    if any(load.volatile or load.ordering for load in (low, high)) or not _are_neighbours(layout, low, high):
        return None
    assert low.block is not None
    instructions = low.block.instructions
    first, last = sorted((instructions.index(low), instructions.index(high)))
    between = instructions[first:last]
    return None if any(may_write(i) for i in between) else between[0]  # type: ignore[return-value]


def _are_neighbours(layout: DataLayout, low: ir.Load | ir.Store, high: ir.Load | ir.Store) -> bool:
    (base, at), (other, behind) = (fixed_base(layout, i.pointer) for i in (low, high))
    return base is other and behind == at + _HALF


class _Joining:
    def __init__(self, layout: DataLayout, function: Function, pairs: Collection[_Pair]) -> None:
        self.layout = layout
        self.function = function
        self.pairs = pairs
        self.whole: dict[_Pair, Value] = {}

    def run(self, joined: Mapping[ir.Instruction, _Pair]) -> None:
        halves: dict[Value, Value] = {}
        for pair in self.pairs:
            if (word := _taken_apart(pair)) is not None:
                self.whole[pair] = word
            else:
                self._join_loads(pair, halves)
        merged = [pair for pair in self.pairs if pair not in self.whole and any(True for _ in _operands(pair))]
        for pair in merged:
            self._announce(pair)
        for pair in merged:
            self._merge(pair)
        self._join_stores()
        for pair in merged:
            if isinstance(pair[0], ir.Phi):  # halves that are chosen stay where they are
                self._halves_of(pair, _behind_phis(pair[0]), halves)
        replaced: dict[Value, Value] = {word: self.whole[pair] for word, pair in joined.items() if pair in self.whole}
        replace_values(self.function, {**halves, **replaced})
        remove_instructions(self.function, {*halves, *replaced})

    def _join_loads(self, pair: _Pair, halves: dict[Value, Value]) -> None:
        first = _first_of_loads(self.layout, pair)
        if first is None:
            return
        builder = in_front_of(first)
        low = pair[0]
        assert isinstance(low, ir.Load)
        pointer = low.pointer if first is low else builder.ptradd(first.pointer, -_HALF)
        self.whole[pair] = builder.load(I64, pointer, low.align)
        self._halves_of(pair, builder, halves)

    def _halves_of(self, pair: _Pair, builder: Builder, halves: dict[Value, Value]) -> None:
        """Both halves are parts of the word from here on."""
        low, high = pair
        if low not in halves:
            halves[low] = builder.cast("trunc", self.whole[pair], I32)
        if high not in halves:
            upper = builder.binary("lshr", self.whole[pair], const_int(I64, _BITS))
            halves[high] = builder.cast("trunc", upper, I32)

    def _announce(self, pair: _Pair) -> None:
        """Words that are merged around loops are made of each other."""
        low, high = pair
        assert isinstance(low, ir.Instruction)
        assert isinstance(high, ir.Instruction)
        assert low.block is not None
        if isinstance(low, ir.Phi):
            self.whole[pair] = Builder(low.block, debug_attachment(low)).phi(I64)
            return
        _, later = sorted((low, high), key=low.block.instructions.index)
        zero = const_int(I64, 0)
        self.whole[pair] = in_front_of(later).select(low.operands[0], zero, zero)

    def _merge(self, pair: _Pair) -> None:
        whole = self.whole[pair]
        for at, (block, operand) in enumerate(_operands(pair)):
            if isinstance(whole, ir.Phi):
                assert block is not None
                Builder.add_incoming(whole, self._word(operand, block.instructions[-1]), block)
            else:
                assert isinstance(whole, ir.Select)
                whole.operands[at + 1] = self._word(operand, whole)

    def _word(self, pair: _Pair, user: ir.Instruction) -> Value:
        """The word of two halves, put together in front of an instruction where nobody has it whole."""
        if pair in self.whole:
            return self.whole[pair]
        low, high = pair
        if isinstance(low, ConstantInt) and isinstance(high, ConstantInt):
            mask = (1 << _BITS) - 1
            return const_int(I64, (low.value & mask) | (high.value & mask) << _BITS)
        builder = in_front_of(user)
        upper = builder.binary("shl", builder.cast("zext", high, I64), const_int(I64, _BITS))
        return builder.binary("or", upper, builder.cast("zext", low, I64), "disjoint")

    def _join_stores(self) -> None:
        """Both halves are written at once, where nothing is read or written in between."""
        for block in self.function.blocks:
            for low in [i for i in block.instructions if isinstance(i, ir.Store) and i.value.type is I32]:
                high = self._other_half(block, low) if low in block.instructions else None
                if high is None:
                    continue
                builder = in_front_of(max(low, high, key=block.instructions.index))
                builder.store(self.whole[low.value, high.value], low.pointer, low.align)
                remove_instructions(self.function, {low, high})

    def _other_half(self, block: Block, low: ir.Store) -> ir.Store | None:
        at = block.instructions.index(low)
        for step in (1, -1):
            near = block.instructions[at + 1 :] if step > 0 else reversed(block.instructions[:at])
            for i in near:
                if isinstance(i, ir.Store) and self._is_upper(low, i):
                    return i
                if may_write(i) or isinstance(i, ir.Load):
                    break
        return None

    def _is_upper(self, low: ir.Store, high: ir.Store) -> bool:
        plain = not any(store.volatile or store.ordering for store in (low, high))
        return plain and (low.value, high.value) in self.whole and _are_neighbours(self.layout, low, high)


def _behind_phis(phi: ir.Phi) -> Builder:
    assert phi.block is not None
    builder = Builder(phi.block, debug_attachment(phi))
    builder.position = sum(1 for _ in phi.block.phis)
    return builder
