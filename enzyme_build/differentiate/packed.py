"""Adjoints of packed integers (see `analysis.packing`).

The adjoint of an integer that holds numbers is its number's, or a vector of them with one lane per place in the
integer. Moving bytes moves lanes. Where the types of a signature are fixed, between functions, adjoints travel as the
bits of an integer again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.debug import is_fortran
from enzyme_build.ir.types import (
    I64,
    ArrayType,
    IntType,
    NamedStructType,
    StructType,
    Type,
    VectorType,
    array_type,
    fields_of,
    struct_type,
)
from enzyme_build.ir.values import Value, const_int, poison

from .calls import unsupported_number
from .numbers import neutral

if TYPE_CHECKING:
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.packing import Packing
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder

    from .reverse import ReverseSweep


TYPED = (
    "copy typed members, and give numbers that share memory (a union, a variant) one type; if this was compiled with "
    "-O0, compile with -O1 or higher, so that types of accesses are known"
)
"""The remedy where nothing tells whether bytes are a number."""


def packed_numbers(memory: Memory) -> UnsupportedError:
    """The error for an integer of which nothing tells what numbers are in it."""
    hint = "copy the members one by one"
    if is_fortran(memory.module, memory.function):
        # Elements of a section of any stride may lie anywhere, so that their members fall on each other.
        hint += "; if they are elements of a dummy argument or pointer, declare that 'contiguous'"
    return UnsupportedError("cannot differentiate numbers packed into an integer", hint=hint, code="E0113")


def adjoint_type(packing: Packing, v: Value, type_: Type, path: tuple[int, ...] = ()) -> Type:
    """`type_`, a member of the type of `v`, with its packed integers replaced."""
    if isinstance(type_, IntType):
        if not packing.parts(v, path):
            return type_
        if packing.is_doubtful(v, path):
            raise UnsupportedError(
                "cannot tell whether all of the bytes moved here are numbers",
                hint=TYPED,
                code="E0114",
            )
        lanes = packing.lanes(v, path)
        if lanes is None:
            raise packed_numbers(packing.memory)
        return lanes
    members = [adjoint_type(packing, v, field, (*path, index)) for index, field in enumerate(fields_of(type_))]
    if all(new is old for new, old in zip(members, fields_of(type_), strict=True)):
        return type_
    if isinstance(type_, ArrayType):
        return array_type(members[0], type_.count)
    assert isinstance(type_, StructType | NamedStructType)
    return struct_type(tuple(members), packed=type_.packed)


def number_at(builder: Builder, bar: Value, offset: int, size: int) -> Value:
    """The adjoint of the number at a byte offset."""
    if not isinstance(bar.type, VectorType):
        return bar
    return builder.extract_element(bar, const_int(I64, offset // size))


def with_number(builder: Builder, bar: Value, offset: int, size: int, share: Value) -> Value:
    """`bar` with the adjoint of the number at a byte offset replaced."""
    if not isinstance(bar.type, VectorType):
        return share
    return builder.insert_element(bar, share, const_int(I64, offset // size))


def move_adjoint(sweep: ReverseSweep, i: ir.Cast | ir.Binary) -> None:
    """The numbers of the result go back to where they came from."""
    packing, size_of = sweep.activity.packing, sweep.context.layout.store_size
    active = [operand for operand in i.operands if sweep.activity.is_active(operand)]
    if packing.tears(i, active):
        raise unsupported_number(sweep.context.location(i), i)
    bar = sweep.take(i)
    for operand in active:
        move = packing.moved(i, operand)
        share: Value = neutral(sweep.adjoint_type(operand))
        for offset, type_ in packing.parts(i).items():
            size = size_of(type_)
            for origin in move({offset: type_}, back=True) if move is not None else ():
                if packing.parts(operand).get(origin) is type_:
                    share = with_number(sweep.b, share, origin, size, number_at(sweep.b, bar, offset, size))
        sweep.add_to(operand, share)


def to_signature(builder: Builder, adjoint: Value, type_: Type) -> Value:
    """An adjoint as what a signature says it is."""
    if adjoint.type is type_:
        return adjoint
    if isinstance(type_, IntType):
        return builder.cast("bitcast", adjoint, type_)
    whole: Value = poison(type_)
    for index, field in enumerate(fields_of(type_)):
        whole = builder.insert_value(
            whole, to_signature(builder, builder.extract_value(adjoint, (index,)), field), (index,)
        )
    return whole


def from_signature(builder: Builder, value: Value, type_: Type) -> Value:
    """What came through a signature as the adjoint that it is."""
    if value.type is type_:
        return value
    if isinstance(value.type, IntType):
        return builder.cast("bitcast", value, type_)
    whole: Value = poison(type_)
    for index, field in enumerate(fields_of(type_)):
        whole = builder.insert_value(
            whole, from_signature(builder, builder.extract_value(value, (index,)), field), (index,)
        )
    return whole
