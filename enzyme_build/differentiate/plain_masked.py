"""Loads and stores of some lanes of a vector (`llvm.masked.load`, `llvm.masked.store`, and AVX2's gathers of lanes from
addresses of their own) as loads and stores of numbers.

A lane that is left out goes to memory of its own instead: for a load that holds the value to take, and what a store
puts there nobody reads. So each lane is an access to one of two addresses, which types, aliasing and both modes know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.builder import Builder
from enzyme_build.ir.types import (
    I64,
    VOID,
    FloatType,
    IntType,
    PointerType,
    VectorType,
    array_type,
    int_type,
    vector_type,
)
from enzyme_build.ir.values import ConstantInt, const_int, poison, zero

if TYPE_CHECKING:
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value


def plain_masked(layout: DataLayout, builder: Builder, call: ir.Call) -> Value | None:
    """The value of the load, or what is stored; None where lanes have no addresses of their own."""
    store = call.type is VOID
    vector = call.arguments[0] if store else call.arguments[-1]
    pointer, mask = call.arguments[1:3] if store else call.arguments[:2]
    type_ = vector.type
    if not isinstance(type_, VectorType) or type_.scalable or not _is_whole(layout, type_.element):
        return None
    size = layout.store_size(type_.element)
    beside = _room(builder, array_type(type_.element, type_.count), size)
    result: Value = vector if store else poison(type_)
    for lane in range(type_.count):
        number, instead = builder.extract_element(vector, lane), builder.ptradd(beside, size * lane)
        if not store:
            builder.store(number, instead, size)
        chosen = builder.extract_element(mask, lane)
        address = builder.select(chosen, builder.ptradd(pointer, size * lane), instead)
        if store:
            builder.store(number, address, 1)
        else:
            result = builder.insert_element(result, builder.load(type_.element, address, 1), lane)
    return result


def plain_gather(layout: DataLayout, builder: Builder, call: ir.Call) -> Value | None:
    """The value of AVX2's gather: `(others, base, indices, mask, scale)`, where the signs of the mask choose lanes.
    Lanes beyond the indices are zero."""
    others, base, indices, mask, scale = call.arguments
    type_ = others.type
    if not (isinstance(type_, VectorType) and isinstance(indices.type, VectorType) and isinstance(scale, ConstantInt)):
        return None
    size = layout.store_size(type_.element)
    signs = builder.cast("bitcast", mask, vector_type(int_type(8 * size), type_.count))
    chosen = builder.icmp("slt", signs, zero(signs.type))
    beside = _room(builder, array_type(type_.element, type_.count), size)
    result: Value = zero(type_)
    for lane in range(min(type_.count, indices.type.count)):
        instead = builder.ptradd(beside, size * lane)
        builder.store(builder.extract_element(others, lane), instead, size)
        index: Value = builder.extract_element(indices, lane)
        if index.type is not I64:
            index = builder.cast("sext", index, I64)
        place = builder.ptradd(base, builder.binary("mul", index, const_int(I64, scale.value)))
        address = builder.select(builder.extract_element(chosen, lane), place, instead)
        result = builder.insert_element(result, builder.load(type_.element, address, 1), lane)
    return result


def _is_whole(layout: DataLayout, element: Type) -> bool:
    """Are the elements as far apart in the vector as in an array?"""
    if isinstance(element, IntType | FloatType):
        return element.bits == 8 * layout.alloc_size(element)
    return isinstance(element, PointerType)


def _room(builder: Builder, type_: Type, align: int) -> Value:
    block = builder.block
    assert block.function is not None
    assert builder.position is not None
    entry = Builder(block.function.entry)
    entry.position = 0
    if block is entry.block:
        builder.position += 1
    return entry.alloca(type_, None, align)
