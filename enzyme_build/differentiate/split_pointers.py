"""Pointers that the optimiser keeps in two registers are whole again.

An enum has an integer of one to four bytes in one variant where another has a pointer. Where LLVM keeps such objects in
registers it cuts the word: `low` is the integer, or as many bytes of the pointer (also as what a mask leaves of the
word, which clears bits that are zero anyway), `high` the rest: of its own width, of a whole word's (`high << n`), or at
its place in one. Both are merged from all variants, here or there, and put together again, `low | zext(high) << n`,
when they are stored. Neither has a shadow. In the model that the pass reads the word is merged as a whole.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from enzyme_build.analysis.bits import bits_of, known_zero
from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, replace_values
from enzyme_build.ir.types import I64
from enzyme_build.ir.values import Argument, Constant, ConstantInt, Undef, Value, const_int
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.analysis.dominators import DominatorTree
    from enzyme_build.ir.function import Block, Function

_BITS: Final = 64
_ALL: Final = (1 << _BITS) - 1
_SHORT: Final = 32
NO_ADDRESS: Final = "!enzyme.no_address"
"""Marks a word that is put together of another variant's integer and what was left of a pointer behind it."""
_ALIGN: Final = regex(r"(?:^|\s)align (\d+)")


class _Split(NamedTuple):
    """A word as two values: its lower `bits`, as an integer of that many or more, and the rest, which is shifted up
    `by` so many bits."""

    low: Value
    high: Value
    bits: int
    by: int


def join_split_pointers(function: Function) -> None:
    """Merge such words as a whole."""
    splits = {i: split for i in function.instructions() if (split := _put_together(i)) is not None}
    whole = _Whole(function)
    found: dict[Value, Value] = {
        i: whole.of(split)
        for i, split in splits.items()
        if any(_pointer_of(one) is not None for one in whole.merged_from(split))
    }
    if found:
        replace_values(function, found)
        remove_instructions(function, {*found})


def joined_parts(word: Value) -> Iterator[tuple[Value, Value, Value]]:
    """What may be the lower and the upper part of a word, and by how many bits the upper one is shifted, in
    `low | zext(high) << n`, `low | high << n` and `zext(low) | high`."""
    if not isinstance(word, ir.Binary) or word.op not in {"or", "add"}:
        return
    for low, high in (word.operands, reversed(word.operands)):
        if isinstance(high, ir.Binary) and high.op == "shl":
            upper = high.operands[0]
            is_wide = isinstance(upper, ir.Cast) and upper.op == "zext"
            yield low, upper.operands[0] if is_wide else upper, high.operands[1]  # type: ignore[attr-defined]
        elif isinstance(high, ir.MERGES) and isinstance(low, ir.Cast) and low.op == "zext":
            yield low, high, const_int(I64, 0)


def _put_together(i: ir.Instruction) -> _Split | None:
    for low, high, by in joined_parts(i) if i.type is I64 else ():
        if not isinstance(by, ConstantInt):
            continue
        short = isinstance(low, ir.Cast) and low.op == "zext"
        bits = by.value or bits_of(low.operands[0])  # type: ignore[attr-defined]
        if bits_of(high) not in {_BITS, _BITS - bits}:
            continue
        if short and bits_of(low.operands[0]) == bits:  # type: ignore[attr-defined]
            return _Split(low.operands[0], high, bits, by.value)  # type: ignore[attr-defined]
        if by.value and known_zero(low) >> bits == (1 << _BITS - bits) - 1:
            return _Split(low, high, bits, by.value)
    return None


def _pointer_of(split: _Split) -> Value | None:
    """The pointer, as an integer, that was cut into these two."""
    upper = split.high
    if bits_of(upper) < _BITS:
        if not isinstance(upper, ir.Cast) or upper.op != "trunc":
            return None
        upper = upper.operands[0]
    if not isinstance(upper, ir.Binary) or not isinstance(by := upper.operands[1], ConstantInt):
        return None
    if split.by and (upper.op != "lshr" or by.value != split.bits):
        return None
    if not split.by and (upper.op != "and" or by.value & _ALL != _ALL >> split.bits << split.bits):
        return None
    word = upper.operands[0]
    if not isinstance(word, ir.Cast) or word.op != "ptrtoint":
        return None
    return word if _is_lower_part(split, word) else None


def _is_lower_part(split: _Split, word: ir.Cast) -> bool:
    low = split.low
    if isinstance(low, ir.Cast) and low.op == "trunc" and bits_of(low) == split.bits:
        return low.operands[0] is word
    if not isinstance(low, ir.Binary) or low.op != "and" or low.operands[0] is not word:
        return False
    mask = low.operands[1]
    lower = (1 << split.bits) - 1
    # Bits that are cleared, though the lower part has them, must be zero in such a pointer.
    return isinstance(mask, ConstantInt) and not mask.value & ~lower and ~mask.value & lower < _alignment(word)


def _alignment(word: ir.Cast) -> int:
    """What the addresses are multiples of, as LLVM says."""
    match word.operands[0]:
        case ir.CallBase() as call:
            told = _ALIGN.search(call.result_attributes)
        case Argument() as argument:
            told = _ALIGN.search(argument.attributes)
        case _:
            told = None
    return int(told[1]) if told else 1


class _Whole:
    """Words of a function that were cut in two, as one value each."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._known: dict[_Split, Value] = {}

    @cached_property
    def _dominators(self) -> DominatorTree:
        return dominators(control_flow(self._function))

    def merged_from(self, split: _Split) -> list[_Split]:
        """A word, and all that it is merged from."""
        found, pending = {split: None}, [split]
        while pending:
            split = pending.pop()
            for _, one in _incoming(split, self._last(split)):
                if one not in found:
                    found[one] = None
                    pending.append(one)
        return [*found]

    def _last(self, split: _Split) -> ir.Phi | None:
        """Where the two came together at last, if the other one was there before, or is merged there, too."""
        low, high = split.low, split.high
        if isinstance(low, Constant):  # of another variant
            return None
        for one, other in ((low, high), (high, low)):
            if isinstance(one, ir.Phi) and (_is_merged(other, one) or self._is_before(other, one)):
                return one
        return None

    def _is_before(self, value: Value, phi: ir.Phi) -> bool:
        """Is it there at the end of every block before the phi's?"""
        if not isinstance(value, ir.Instruction):
            return True
        tree = self._dominators
        if value.block is None or phi.block is None or not {value.block, phi.block} <= tree.depth.keys():
            return False
        return tree.strictly_dominates(value.block, phi.block)

    def of(self, split: _Split, user: ir.Instruction | None = None) -> Value:
        """The word; what was not merged is put together in front of its user."""
        if split in self._known:
            return self._known[split]
        word = _pointer_of(split)
        if word is not None:
            return word
        phi = self._last(split)
        if phi is not None:
            assert phi.block is not None
            whole = self._known[split] = Builder(phi.block, debug_attachment(phi)).phi(I64)
            for block, one in _incoming(split, phi):
                Builder.add_incoming(whole, self.of(one, block.instructions[-1]), block)
            return whole
        assert user is not None
        return _composed(split, user)


def _incoming(split: _Split, phi: ir.Phi | None) -> Iterator[tuple[Block, _Split]]:
    """What a word is on each way to where it is merged."""
    for block in phi.blocks if phi is not None else ():
        yield block, split._replace(low=_from(split.low, phi, block), high=_from(split.high, phi, block))


def _is_merged(value: Value, phi: ir.Phi | None) -> bool:
    return isinstance(value, ir.Phi) and phi is not None and value.block is phi.block


def _from(value: Value, phi: ir.Phi | None, block: Block) -> Value:
    """The value on the way from this block to the phi's."""
    return value.incoming(block) if isinstance(value, ir.Phi) and _is_merged(value, phi) else value


def _composed(split: _Split, user: ir.Instruction) -> Value:
    low, high, bits, by = split
    if isinstance(low, Undef) and isinstance(high, Undef):
        return Undef(I64, "undef")
    if isinstance(low, Constant) and isinstance(high, Constant):
        below, above = (one.value if isinstance(one, ConstantInt) else 0 for one in (low, high))
        return const_int(I64, (below & (1 << bits) - 1) | (above << by & _ALL))
    builder = in_front_of(user)
    wide = [builder.wide(one) for one in (low, high)]
    upper = builder.binary("shl", wide[1], const_int(I64, by)) if by else wide[1]
    word = builder.binary("or", wide[0], upper, "disjoint")
    if not _is_of_address(low):
        word.metadata = f"{NO_ADDRESS} !{{}}"
    return word


def _is_of_address(low: Value) -> bool:
    """May these be the lower bits of an address? What is computed of integers that are too short for one is none."""
    seen = {low}
    pending = [low]
    while pending:
        at = pending.pop()
        if isinstance(at, Constant) or (isinstance(at, ir.Load) and bits_of(at) <= _SHORT):
            continue
        if not isinstance(at, (ir.Binary, ir.Cast, *ir.MERGES)) or (isinstance(at, ir.Cast) and at.op == "ptrtoint"):
            return True
        inner = ir.merged(at) if isinstance(at, ir.MERGES) else at.operands
        pending += [one for one in inner if one not in seen]
        seen.update(inner)
    return False
