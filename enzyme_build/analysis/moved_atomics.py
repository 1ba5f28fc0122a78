"""Atomic operations that move bits, as those of numbers, instead of counting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import users
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import FloatType, PointerType
from enzyme_build.ir.values import ConstantExpression

from .bases import ADDRESS_ARITHMETIC

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value


def moves_any(i: ir.AtomicRMW | ir.CompareExchange) -> bool:
    """May this put bits into memory that were not computed here, or are what it takes out moved elsewhere?"""
    exchanges = isinstance(i, ir.CompareExchange) or i.op == "xchg"
    return exchanges and (not isinstance(i.operands[-1], ir.Binary) or _is_moved(i))


def stored_pointers(i: ir.AtomicRMW | ir.CompareExchange) -> list[Value]:
    """The pointers whose bits, moved or not, an exchange puts into memory."""
    found: dict[Value, None] = {}
    seen: set[Value] = set()
    pending = [i.operands[-1]]
    while pending:
        for word in merged_from(pending.pop()):
            if word in seen:
                continue
            seen.add(word)
            if isinstance(word.type, PointerType):
                found[word] = None
            elif isinstance(word, ir.Cast | ConstantExpression) and word.op == "ptrtoint":
                found[word.operands[0]] = None
            elif isinstance(word, ir.Binary) and word.op in ADDRESS_ARITHMETIC:
                pending += word.operands
    return list(found)


def _is_moved(i: ir.Instruction) -> bool:
    """Is this stored, passed or returned as it is?"""
    assert i.block is not None
    assert i.block.function is not None
    read = users(i.block.function)
    seen: set[Value] = {i}
    pending: list[Value] = [i]
    while pending:
        at = pending.pop()
        for user in read.get(at, ()):
            if isinstance(user, ir.CallBase | ir.Return) or (isinstance(user, ir.Store) and user.value is at):
                return True
            is_bits = (
                not isinstance(user, ir.Cast) or not isinstance(user.type.scalar, FloatType) or user.op == "bitcast"
            )
            if is_bits and isinstance(user, (ir.Cast, ir.ExtractValue, *ir.MERGES)) and user not in seen:
                seen.add(user)
                pending.append(user)
    return False
