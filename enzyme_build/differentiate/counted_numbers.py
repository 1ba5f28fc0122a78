"""Words that are counts at times, and that LLVM keeps as numbers.

Where a value of an interpreter (`struct { tag t; union { double d; int64_t i; } u; }`) lives in registers, LLVM makes
its word a phi of numbers, and casts the bits of counts to numbers and back. In the model that the pass reads such a
word is an integer, as it is in other programs (see `mixed_merges`).
"""

from __future__ import annotations

import struct
from itertools import repeat
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of, in_place_of
from enzyme_build.ir.function import Function, remove_instructions, replace_values, users
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import DOUBLE, I64
from enzyme_build.ir.values import Constant, ConstantFloat, ConstantInt, Undef, Value, const_int, poison

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_ARITHMETIC: Final = frozenset(("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "ashr"))
"""What is done with integers, and not with the bits of numbers (signs, exponents, parts)."""
BITWISE: Final = frozenset(("and", "or", "xor", "shl", "lshr"))
"""What is done with either: to the bits of numbers with constants for their sign and exponent."""
_CHOICES: Final = ("llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin.", "llvm.abs.", "llvm.ctpop.", "llvm.cttz.")
_CONVERSIONS: Final = ("sitofp", "uitofp", "sext", "zext", "fptosi", "fptoui")
_EXPONENT: Final = 1 << 52
"""What is added to the bits of a number to double it."""
_SMALL: Final = 1 << 32
"""What has no bit where a number has its sign and exponent."""
_SHORT: Final = 11
"""By fewer bits than the exponent of a number has nobody shifts it."""


def counts(value: Value) -> bool:
    """Is this a step of integer arithmetic, rather than one on the bits of a number?"""
    match value:
        case ir.Binary():
            constant = next((o.value for o in value.operands if isinstance(o, ConstantInt)), None)
            if value.op in BITWISE and constant is not None:
                is_shift = value.op in {"shl", "lshr"}
                return 0 <= constant < (_SHORT if is_shift else _SMALL) or (value.op == "xor" and constant == -1)
            return value.op in BITWISE or (value.op in _ARITHMETIC and (not constant or constant % _EXPONENT != 0))
        case ir.Cast():
            return value.op in _CONVERSIONS
        case ir.CallBase(callee=Function() as callee):
            return callee.name.startswith(_CHOICES)
        case _:
            return False


def only_counts(word: Value) -> bool:
    """Is nothing merged here but results of integer arithmetic, and constants? So is the counter of a loop, which
    stays one where it is now and then stored in place of a number."""
    if not isinstance(word, ir.MERGES):
        return False
    computed = [leaf for leaf in merged_from(word) if not isinstance(leaf, Constant)]
    return bool(computed) and all(map(counts, computed))


def words_for_numbers(function: Function) -> None:
    """Retype such merges of the function's model."""
    merges = [i for i in function.instructions() if i.type is DOUBLE and isinstance(i, ir.MERGES)]
    if not any(_is_count(operand) for merge in merges for operand in ir.merged(merge)):
        return
    read = users(function)
    found = [merge for web in webs(merges, read) if _are_counts(web, read) for merge in web]
    if found:
        _retype(function, found, read)


def webs(merges: Sequence[ir.Instruction], read: Mapping[Value, Sequence[ir.Instruction]]) -> Iterator[list[Value]]:
    """Merges that are values of each other, in the order of the function."""
    place: dict[Value, int] = {merge: number for number, merge in enumerate(merges)}
    left: set[Value] = set(merges)
    for first in merges:
        web: list[Value] = []
        pending: list[Value] = [first]
        while pending:
            at = pending.pop()
            if at in left:
                left.remove(at)
                web.append(at)
                pending += [*ir.merged(at), *read.get(at, ())]
        if web:
            yield sorted(web, key=place.__getitem__)


def _are_counts(web: Sequence[Value], read: Mapping[Value, Sequence[ir.Instruction]]) -> bool:
    """Do counts come in, and go out?"""
    bits = (user for merge in web for user in read.get(merge, ()) if _is_bits(user))
    used = any(_is_counted(user, read) for user in bits)
    return used and any(_is_count(leaf) for merge in web for leaf in ir.merged(merge))


def _is_bits(user: ir.Instruction) -> bool:
    return isinstance(user, ir.Cast) and user.op == "bitcast" and user.type is I64


def _is_counted(word: Value, read: Mapping[Value, Sequence[ir.Instruction]]) -> bool:
    """Is a word computed with as an integer, be it merged with others before?"""
    seen, pending = {word}, [word]
    while pending:
        for user in read.get(pending.pop(), ()):
            if counts(user):
                return True
            if isinstance(user, ir.MERGES) and user not in seen:
                seen.add(user)
                pending.append(user)
    return False


def _is_count(leaf: Value) -> bool:
    """Are these the bits of an integer that comes from elsewhere than a number's bits? A small constant is one where a
    number would be next to zero; the smallest number of all may be meant as such."""
    match leaf:
        case ConstantFloat():
            return leaf.value is not None and 1 < _bits_of(leaf.value) < _SMALL
        case ir.Cast(op="bitcast", operands=[word]):
            return word.type is I64 and counts(word) and _is_from_elsewhere(word)
        case _:
            return False


def _is_from_elsewhere(word: Value) -> bool:
    """Is there an integer in what is computed here that is no part of a number's bits, nor moved to its exponent?"""
    pending, seen = [word], {word}
    found = False
    while pending:
        at = pending.pop()
        if isinstance(at, ir.Cast) and at.op == "bitcast":
            continue
        if isinstance(at, ir.Binary) and at.op == "shl" and not counts(at):
            return False
        if isinstance(at, (ir.Binary, ir.Freeze)) or (isinstance(at, ir.Cast) and at.op in {"zext", "sext", "trunc"}):
            more = {o for o in at.operands if not isinstance(o, Constant)} - seen
            seen |= more
            pending += more
        elif isinstance(at, ir.CallBase) and counts(at):
            pending += [o for o in at.arguments if not isinstance(o, Constant) and o not in seen]
            seen.update(at.arguments)
        else:
            found = True
    return found


def _retype(function: Function, merges: Sequence[Value], read: Mapping[Value, Sequence[ir.Instruction]]) -> None:
    words: dict[Value, ir.Phi | ir.Select | ir.Freeze] = {}
    replaced: dict[Value, Value] = {}
    for i in merges:
        assert isinstance(i, ir.MERGES)
        words[i] = ir.merge_of_type(i, I64)
        replaced[i] = in_place_of(i, words[i]).cast("bitcast", words[i], DOUBLE)
    bits: set[Value] = set()
    for i, word in words.items():
        ends = [block.terminator for block in i.blocks] if isinstance(i, ir.Phi) else repeat(word)
        ir.set_merged(word, [_word(words, leaf, end) for leaf, end in zip(ir.merged(i), ends, strict=False)])
        own = [user for user in read.get(i, ()) if _is_bits(user)]
        replaced.update(dict.fromkeys(own, word))
        bits.update(own)
    replace_values(function, replaced)
    remove_instructions(function, bits)


def _word(words: Mapping[Value, Value], leaf: Value, behind: ir.Instruction) -> Value:
    """The bits of what is merged."""
    match leaf:
        case _ if leaf in words:
            return words[leaf]
        case ir.Cast(op="bitcast", operands=[word]) if word.type is I64:
            return word
        case ConstantFloat() if leaf.value is not None:
            return const_int(I64, _bits_of(leaf.value))
        case Undef():
            return poison(I64)
        case _:
            return in_front_of(behind).cast("bitcast", leaf, I64)


def _bits_of(number: float) -> int:
    return int.from_bytes(struct.pack(">d", number), "big")
