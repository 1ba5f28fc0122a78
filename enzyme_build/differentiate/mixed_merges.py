"""Words that are numbers on some ways and counts on others go through memory.

A value of an interpreter (`struct { tag t; union { double d; int64_t i; } u; }`) that is passed by value is a tag and
a word in registers, and where ways meet the word is a phi of the bits of a number and of what was computed with
integers. In the model that the pass reads such a word lies in a room in memory: what is read there as a number has an
adjoint, what is read as an integer is watched while the derivative runs (see `copied_words`, `moved_parts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import EITHER
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import Function, remove_instructions, replace_values, users
from enzyme_build.ir.types import I64

from .copied_words import copy_to_rooms
from .counted_numbers import BITWISE, counts, only_counts, webs, words_for_numbers
from .stored_numbers import is_number

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_MARK: Final = f"{EITHER} !{{}}"
_EXTREMES: Final = {
    f"llvm.{sign}{extreme}.i64": f"{sign}{order}" for sign in "su" for extreme, order in (("max", "gt"), ("min", "lt"))
}


def mixed_merges(module: Module, function: Function) -> None:
    """Have such words of the function's model lie in memory."""
    words_for_numbers(function)
    _extremes_as_choices(function)
    merges: list[ir.Instruction] = []
    passed: list[ir.Instruction] = []
    for i in function.instructions():
        if i.type is I64 and isinstance(i, ir.MERGES):
            merges.append(i)
        elif _is_passed(i):
            passed.append(i)
    if not passed and not any(_is_number(module, operand) for merge in merges for operand in ir.merged(merge)):
        return
    read = users(function)
    mixed = (web for web in webs(merges, read) if _is_mixed(module, web, read))
    words = [word for web in mixed for word in web if not only_counts(word)] + passed
    _mark_counts(words, read)
    copy_to_rooms(module, function, words, _MARK)


def _mark_counts(words: Collection[Value], read: Mapping[Value, Sequence[ir.Instruction]]) -> None:
    """Say of the operations on such words that elsewhere may be on the bits of numbers that here they are on counts."""
    for user in dict.fromkeys(user for word in words for user in read.get(word, ())):
        if isinstance(user, ir.Binary) and user.op in BITWISE and counts(user):
            user.metadata = ", ".join(filter(None, [user.metadata, _MARK]))


def _extremes_as_choices(function: Function) -> None:
    """The larger of two words is one of them, chosen by a comparison."""
    replaced: dict[Value, Value] = {}
    for i in list(function.instructions()):
        if isinstance(i, ir.Call) and isinstance(i.callee, Function) and i.type is I64:
            predicate = _EXTREMES.get(i.callee.name)
            if predicate is not None and any(_may_be_mixed(operand) for operand in i.arguments):
                b = in_front_of(i)
                first, second = i.arguments
                replaced[i] = b.select(b.icmp(predicate, first, second), first, second)
    replace_values(function, replaced)
    remove_instructions(function, replaced.keys())


def _may_be_mixed(word: Value) -> bool:
    return _is_passed(word) or isinstance(word, ir.MERGES)


def _is_mixed(module: Module, web: Sequence[Value], read: Mapping[Value, Sequence[ir.Instruction]]) -> bool:
    """Are there numbers among what these are, and do integers come in or go out?"""
    leaves = [operand for merge in web for operand in ir.merged(merge)]
    uses = [user for merge in web for user in read.get(merge, ())]
    return any(_is_number(module, leaf) for leaf in leaves) and any(map(counts, (*leaves, *uses)))


def _is_passed(i: Value) -> bool:
    """Is this read from the room of a word that is passed or returned, and may be either?"""
    return isinstance(i, ir.Load) and i.type is I64 and EITHER in i.metadata


def _is_number(module: Module, value: Value) -> bool:
    return _is_passed(value) or is_number(module, value)
