"""Which bits of its operands some bits of an integer are made of.

A word into which a number is put beside a count has bits of both. Where the number is taken out again, none of the
count's bits come along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantInt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.values import Value

ALL: Final = -1
"""Every bit, of whatever it is."""


def used_bits(i: ir.Instruction, bits: int) -> Iterator[tuple[Value, int]]:
    """The operands of a cast or an operation that these bits of the result are made of, and which bits of them."""
    type_ = i.type
    source = i.operands[0].type
    if not isinstance(type_, IntType) or not isinstance(source, IntType):
        yield from ((operand, ALL) for operand in i.operands)
        return
    bits &= (1 << type_.bits) - 1
    found = _of_cast(i, bits, source.bits) if isinstance(i, ir.Cast) else _of_operation(i, bits, type_.bits)
    yield from ((operand, used) for operand, used in found if used)


def _of_cast(cast: ir.Cast, bits: int, width: int) -> Iterator[tuple[Value, int]]:
    kept = bits & (1 << width) - 1
    sign = 1 << width - 1 if cast.op == "sext" and bits >> width else 0
    yield cast.operands[0], kept | sign


def _of_operation(i: ir.Instruction, bits: int, width: int) -> Iterator[tuple[Value, int]]:
    everything = (1 << width) - 1
    op = i.op if isinstance(i, ir.Binary) else ""
    a, b = i.operands if op else (i.operands[0], i.operands[-1])
    if op in {"or", "xor", "and"}:
        mask = b.value & everything if op == "and" and isinstance(b, ConstantInt) else everything
        yield a, bits & mask
        yield b, bits
    elif op in {"add", "sub", "mul"}:  # carries go up
        below = (1 << bits.bit_length()) - 1
        yield a, below
        yield b, below
    elif op in {"shl", "lshr", "ashr"} and isinstance(b, ConstantInt) and b.value < width:
        if op == "shl":
            yield a, bits >> b.value
        else:
            sign = 1 << width - 1 if op == "ashr" and bits >> (width - 1 - b.value) else 0
            yield a, bits << b.value & everything | sign
    elif bits:
        yield from ((operand, ALL) for operand in i.operands)
