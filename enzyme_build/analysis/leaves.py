"""The scalars that a declared type has, and where in it they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedStructType,
    PointerType,
    StructType,
    VectorType,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type


def distinct_leaves(type_: Type, *, member: bool = False) -> Iterable[Type]:
    """The scalars of a declared type; bytes that are no members of a struct may be storage for anything."""
    match type_:
        case ArrayType() | VectorType():
            yield from distinct_leaves(type_.element)
        case StructType() | NamedStructType():
            for field in type_.fields or ():
                yield from distinct_leaves(field, member=True)
        case IntType() if type_.bits == 8 and not member:
            pass
        case _:
            yield type_


def scalar_at(layout: DataLayout, type_: Type, offset: int) -> Type | None:
    """The scalar that covers byte `offset` of a declared type; None for padding, bytes (i8 arrays) and outside.

    A single byte as a member of a struct is a character or truth value; arrays of bytes may be storage for anything.
    """
    member = False
    while 0 <= offset < layout.alloc_size(type_):
        match type_:
            case ArrayType() | VectorType():
                offset %= layout.alloc_size(type_.element)
                type_, member = type_.element, False
            case StructType() | NamedStructType():
                inside = [
                    (field, offset - start)
                    for index, field in enumerate(type_.fields or ())
                    if (start := layout.field_offset(type_, index)) <= offset < start + layout.alloc_size(field)
                ]
                if not inside:
                    return None
                (type_, offset), member = inside[0], True
            case IntType() if type_.bits == 8 and not member:
                return None
            case FloatType() | PointerType():
                return type_ if offset == 0 else None
            case _:
                return type_
    return None


def padding_at(layout: DataLayout, type_: Type, offset: int) -> bool:
    """Is byte `offset` inside a declared type, but in none of its scalars?"""
    while 0 <= offset < layout.alloc_size(type_):
        match type_:
            case ArrayType() | VectorType():
                offset %= layout.alloc_size(type_.element)
                type_ = type_.element
            case StructType() | NamedStructType():
                starts = [(layout.field_offset(type_, index), field) for index, field in enumerate(type_.fields or ())]
                inside = [(field, offset - at) for at, field in starts if at <= offset < at + layout.alloc_size(field)]
                if not inside:
                    return bool(type_.fields)
                type_, offset = inside[0]
            case _:
                return offset >= layout.store_size(type_)
    return False
