"""Words that are numbers on some ways and counts on others go through memory.

A value of an interpreter (`struct { tag t; union { double d; int64_t i; } u; }`) that is passed by value is a tag and
a word in registers, and where ways meet the word is a phi of the bits of a number and of what was computed with
integers. In the model that the pass reads such a word lies in a room in memory: what is read there as a number has an
adjoint, what is read as an integer is watched while the derivative runs (see `copied_words`, `moved_parts`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.number_places import EITHER
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import users
from enzyme_build.ir.types import I64

from .copied_words import copy_to_rooms
from .stored_numbers import is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

COUNTING: Final = frozenset(("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "ashr"))
"""What is done with integers, and not with the bits of numbers (signs, exponents, parts)."""
_CONVERSIONS: Final = ("sitofp", "uitofp", "sext", "zext")


def mixed_merges(module: Module, function: Function) -> None:
    """Have such words of the function's model lie in memory."""
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
    words = [word for web in _webs(merges, read) if _is_mixed(module, web, read) for word in web] + passed
    copy_to_rooms(module, function, words, f"{EITHER} !{{}}")


def _webs(merges: Sequence[ir.Instruction], read: Mapping[Value, Sequence[ir.Instruction]]) -> Iterator[list[Value]]:
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


def _is_mixed(module: Module, web: Sequence[Value], read: Mapping[Value, Sequence[ir.Instruction]]) -> bool:
    """Are there numbers among what these are, and do integers come in or go out?"""
    leaves = [operand for merge in web for operand in ir.merged(merge)]
    uses = [user for merge in web for user in read.get(merge, ())]
    return any(_is_number(module, leaf) for leaf in leaves) and any(map(_counts, (*leaves, *uses)))


def _is_passed(i: Value) -> bool:
    """Is this read from the room of a word that is passed or returned, and may be either?"""
    return isinstance(i, ir.Load) and i.type is I64 and EITHER in i.metadata


def _is_number(module: Module, value: Value) -> bool:
    return _is_passed(value) or is_number(module, value)


def _counts(value: Value) -> bool:
    """Is this a step of integer arithmetic?"""
    match value:
        case ir.Binary():
            return value.op in COUNTING
        case ir.Cast():
            return value.op in _CONVERSIONS
        case _:
            return False
