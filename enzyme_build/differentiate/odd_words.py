"""Integers of odd sizes in memory are accessed by words of the machine's sizes.

A class `{ float; char; char }` has six bytes of its own, and padding that other objects may use: clang moves it as an
`i48`, of which no half is the number. What is read and written as such an integer is, in the model, read and written as
its numbers and its rest could be: four bytes, then two, then one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions, replace_values
from enzyme_build.ir.types import IntType, int_type
from enzyme_build.ir.values import ConstantInt, Value, const_int

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.function import Function

_LEAST: Final = 32
"""Fewer bits have no room for a float beside something else."""


def odd_words(function: Function) -> None:
    """Split a function's accesses to integers of odd sizes, and widen what is done to them in between."""
    accesses = [i for i in function.instructions() if isinstance(i, ir.Load | ir.Store) and _is_split(i)]
    replaced: dict[Value, Value] = {}
    for i in accesses:
        if isinstance(i, ir.Load):
            replaced[i] = _read(in_front_of(i), i)
        else:
            _write(in_front_of(i), i)
    replace_values(function, replaced)
    remove_instructions(function, set(accesses))
    if accesses:
        _join_casts(function)


def _is_split(i: ir.Load | ir.Store) -> bool:
    type_ = i.type if isinstance(i, ir.Load) else i.value.type
    if not isinstance(type_, IntType) or i.ordering or i.volatile:
        return False
    bits = type_.bits
    return bits > _LEAST and bits % 8 == 0 and bits & (bits - 1) != 0


def _chunks(bits: int) -> Iterator[tuple[int, int]]:
    """Where the parts of such an integer begin, and how large they are."""
    at = 0
    while at < bits:
        size = min(_LEAST, 1 << (bits - at).bit_length() - 1)
        yield at, size
        at += size


def _wide(bits: int) -> IntType:
    return int_type(1 << (bits - 1).bit_length())


def _read(builder: Builder, load: ir.Load) -> Value:
    assert isinstance(load.type, IntType)
    wide = _wide(load.type.bits)
    result: Value | None = None
    for at, size in _chunks(load.type.bits):
        address, align = builder.ptradd(load.pointer, at // 8), math.gcd(load.align, at // 8 or load.align)
        part: Value = builder.cast("zext", builder.load(int_type(size), address, align), wide)
        if at:
            part = builder.binary("shl", part, const_int(wide, at))
        result = part if result is None else builder.binary("or", result, part, "disjoint")
    assert result is not None
    return builder.cast("trunc", result, load.type)


def _write(builder: Builder, store: ir.Store) -> None:
    value = store.value
    assert isinstance(value.type, IntType)
    wide = _wide(value.type.bits)
    if isinstance(value, ConstantInt):
        word: Value = const_int(wide, value.value & (1 << value.type.bits) - 1)
    else:
        word = builder.cast("zext", value, wide)
    for at, size in _chunks(value.type.bits):
        address, align = builder.ptradd(store.pointer, at // 8), math.gcd(store.align, at // 8 or store.align)
        if isinstance(word, ConstantInt):
            part: Value = const_int(int_type(size), word.value >> at & (1 << size) - 1)
        else:
            up = builder.binary("lshr", word, const_int(wide, at)) if at else word
            part = builder.cast("trunc", up, int_type(size))
        builder.store(part, address, align)


def _join_casts(function: Function) -> None:
    """A word that is made narrower and wide again lost no more than its highest bits."""
    replaced: dict[Value, Value] = {}
    for i in list(function.instructions()):
        inner = i.operands[0] if isinstance(i, ir.Cast) and i.op == "zext" else None
        if not isinstance(inner, ir.Cast) or inner.op != "trunc" or inner.operands[0].type is not i.type:
            continue
        if (
            not isinstance(inner.type, IntType)
            or inner.type.bits <= _LEAST
            or inner.type.bits & (inner.type.bits - 1) == 0
        ):
            continue
        replaced[i] = in_front_of(i).binary("and", inner.operands[0], const_int(i.type, (1 << inner.type.bits) - 1))
    replace_values(function, replaced)
    remove_instructions(function, replaced.keys())
