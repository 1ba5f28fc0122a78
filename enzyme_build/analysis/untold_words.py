"""Words of which nothing tells what they hold: they are read from memory and written to memory.

Optimisers copy small structs and parts of them so. As far as these are declared as bytes, or may be members of unions,
the run shows what they hold (see `differentiate.foreign_bytes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import Constant

from .declared_bytes import declared_bytes
from .kinds import Kind
from .targets import reads_table
from .unions import has_unions, may_be_shared

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from enzyme_build.ir.values import Value

    from .memory import Memory

_SHORTEST: Final = 32
"""Bits of an integer that may be a number, but for small numbers."""
_BITS: Final = (32, 64)
"""Of words of which adjoints are moved whatever they are."""


def moved_bytes(
    memory: Memory, values: Collection[Value], watched: Collection[Value], *, moves: bool
) -> frozenset[Value]:
    """Of the integers that may be bits of numbers: those that are read from declared bytes, of which nothing else tells
    what they hold, and that go nowhere but to memory; of those that are only watched, what is nothing but such bytes,
    also where other members of the object are integers. Where adjoints of any type are moved (`moves`), the bytes may
    also be those of a union that is not seen here."""
    words = [v for v in (*values, *watched) if isinstance(v.type, IntType)]
    words = [v for v in words if v in watched or memory.integer_kind(v)[0] is Kind.UNKNOWN]
    found: set[Value] = {v for v in words if isinstance(v, (ir.Load, *ir.MERGES))}
    if not any(isinstance(v, ir.Load) for v in found):
        return frozenset()
    size_of, declared = memory.layout.store_size, declared_bytes(memory)
    stored: dict[Value, list[ir.Store]] = {}
    for i in memory.function.instructions():
        if isinstance(i, ir.Store) and i.value in found:
            stored.setdefault(i.value, []).append(i)
        elif isinstance(i, (ir.Compare, *ir.MERGES)):
            pass
        else:
            found.difference_update(i.operands)
    for word in [v for v in found if isinstance(v, ir.Load)]:
        pointers = [word.pointer, *(i.pointer for i in stored.get(word, ()))]
        told = [declared.ranges(pointer, size_of(word.type)) for pointer in pointers]
        is_whole = all(ranges == [(0, size_of(word.type))] for ranges in told)
        can_move = moves and word not in watched and 8 * size_of(word.type) in _BITS
        unseen = can_move and not any(map(declared.are_told, pointers))
        if (word in watched and not is_whole) or (all(ranges is None for ranges in told) and not unseen):
            found.discard(word)
    while True:
        wrong: set[Value] = {
            v for v in found if isinstance(v, ir.MERGES) and not all(_fits(o, found) for o in ir.merged(v))
        }
        wrong |= {
            operand
            for i in memory.function.instructions()
            if isinstance(i, ir.MERGES) and i not in found
            for operand in ir.merged(i)
            if operand in found
        }
        if not wrong:
            return frozenset(found)
        found -= wrong


def _fits(value: Value, found: Collection[Value]) -> bool:
    return isinstance(value, Constant) or value in found


def moved_integers(memory: Memory) -> frozenset[Value]:
    """Integers that are read from memory where they may be something else, and choices of them."""
    if not has_unions(memory.module):
        return frozenset()
    loads = (i for i in memory.function.instructions() if isinstance(i, ir.Load))
    found: set[Value] = {i for i in loads if _may_be_other(memory, i)}
    merges = [i for i in memory.function.instructions() if isinstance(i, ir.MERGES) and isinstance(i.type, IntType)]
    return frozenset(_with_merges(found, merges))


def _may_be_other(memory: Memory, load: ir.Load) -> bool:
    type_ = load.type
    if not isinstance(type_, IntType) or type_.bits < _SHORTEST or memory.integer_kind(load)[0] is not Kind.INTEGER:
        return False
    if reads_table(memory.module, load):
        return False
    return may_be_shared(memory, load, load.pointer, memory.layout.store_size(type_))


def carried_words(
    instructions: Sequence[ir.Instruction], words: Collection[Value], has_adjoint: Callable[[Value], bool]
) -> set[Value]:
    """Those words that the derivative moves: what comes from memory with adjoints, and goes to memory only."""
    computed = {
        operand
        for i in instructions
        if not isinstance(i, (ir.Store, ir.Compare, *ir.MERGES))
        for operand in i.operands
        if operand in words
    }
    found: set[Value] = {
        v
        for v in words
        if isinstance(v, ir.Load)
        and v not in computed
        and isinstance(v.type, IntType)
        and v.type.bits in _BITS
        and has_adjoint(v.pointer)
    }
    merges = [v for v in words if isinstance(v, ir.MERGES) and v not in computed]
    return _with_merges(found, merges)


def _with_merges(found: set[Value], merges: Collection[ir.Phi | ir.Select | ir.Freeze]) -> set[Value]:
    """Words, and what may be one of them."""
    while found and (more := {v for v in merges if v not in found and not found.isdisjoint(ir.merged(v))}):
        found |= more
    return found
