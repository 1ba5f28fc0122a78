"""Sums that leave a word as it is at times are ways around the addition.

`if (v.tag == INTEGER) v.word += k;` becomes `v.word + (v.tag == INTEGER ? k : 0)`, or both are computed and one of them
is chosen: where the word may be a number or a pointer, its bits seem to be changed. In the model that the pass reads,
the sum is computed where something is added, and elsewhere the word is the word: it is copied then, as other words of
which only the run knows what they are (see `copied_words`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Block, replace_values
from enzyme_build.ir.types import I1, I64
from enzyme_build.ir.values import Value, const_int, is_zero

from .copied_words import is_place
from .edges import split_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function

_SUMS: Final = ("add", "sub", "or", "xor")


class _Sum(NamedTuple):
    """At an instruction, a word as it is where the condition is not `when`; elsewhere a sum of it."""

    at: ir.Instruction
    word: Value
    condition: Value
    when: bool
    op: str
    operands: tuple[Value, Value]


def unfold_sums(function: Function, memory: Memory) -> bool:
    """Replace such sums that are stored where a number or a pointer may be; was there any?"""
    found: dict[ir.Instruction, _Sum] = {}
    for i in function.instructions():
        if isinstance(i, ir.Store) and i.value.type is I64 and is_place(memory, i.pointer, i.value):
            sums = filter(None, (_sum(part) or _chosen(part) for part in _parts(i.value)))
            found |= {one.at: one for one in sums}
    for one in found.values():
        _unfold(function, one)
    return bool(found)


def _parts(value: Value) -> Iterator[Value]:
    """What a stored word may be, and the choices between."""
    seen, pending = {value}, [value]
    while pending:
        at = pending.pop()
        yield at
        if isinstance(at, ir.MERGES):
            more = [way for way in ir.merged(at) if way not in seen]
            seen.update(more)
            pending += more


def _sum(value: Value) -> _Sum | None:
    """`word + (condition ? k : 0)`."""
    if not isinstance(value, ir.Binary) or value.op not in _SUMS:
        return None
    for at in (1,) if value.op == "sub" else (0, 1):
        word, addend = value.operands[1 - at], value.operands[at]
        if not isinstance(word, (ir.Load, *ir.MERGES)):
            continue
        if isinstance(addend, ir.Cast) and addend.op in ("zext", "sext") and addend.operands[0].type is I1:
            one = const_int(I64, 1 if addend.op == "zext" else -1)
            return _Sum(value, word, addend.operands[0], True, value.op, (word, one))
        if isinstance(addend, ir.Select) and addend.operands[0].type is I1:
            condition, chosen, otherwise = addend.operands
            if is_zero(otherwise):
                return _Sum(value, word, condition, True, value.op, (word, chosen))
            if is_zero(chosen):
                return _Sum(value, word, condition, False, value.op, (word, otherwise))
    return None


def _chosen(value: Value) -> _Sum | None:
    """`condition ? word + k : word`, where the sum is computed in any case."""
    if not isinstance(value, ir.Select) or value.operands[0].type is not I1:
        return None
    condition, *ways = value.operands
    for at, (sum_, word) in enumerate((ways, ways[::-1])):
        if isinstance(sum_, ir.Binary) and sum_.op in _SUMS and word in sum_.operands:
            first, second = sum_.operands
            return _Sum(value, word, condition, not at, sum_.op, (first, second))
    return None


def _unfold(function: Function, one: _Sum) -> None:
    before, where = one.at.block, debug_attachment(one.at)
    rest = split_at(function, one.at, "summed")
    adds = Block(f"{before.name or 'b'}.adds")
    adds.function = function
    function.blocks.insert(function.blocks.index(rest), adds)
    Builder(before, where).branch(one.condition, *((adds, rest) if one.when else (rest, adds)))
    b = Builder(adds, where)
    added = b.binary(one.op, *one.operands)
    b.jump(rest)
    merged = Builder(rest, where).phi(I64)
    Builder.add_incoming(merged, added, adds)
    Builder.add_incoming(merged, one.word, before)
    replace_values(function, {one.at: merged})
