"""What the struct of which an address is a member declares where a word, or a piece of one, is read or written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import REST, UNTOLD, access_name, member_mark
from enzyme_build.analysis.offsets import element_offset
from enzyme_build.analysis.source_structs import is_union
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import FloatType, IntType, NamedStructType, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_NARROWEST: Final = 32
"""Bits of the words that are looked at; fewer have no room for a number of C's."""


def mark_of_rest(module: Module, pointer: Value, step: int, type_: Type) -> str:
    """What is said of an access to an integer beside a number, so many bytes behind a pointer: that it is one, and
    whether all that is declared there are integers. (Types of LLVM's own say so of structs of C and C++, as long as
    addresses are computed with them; of unions they say one of the members.)"""
    struct, at = _struct_behind(module.layout, pointer, step)
    size = module.layout.store_size(type_)
    told = member_mark(module) if struct is not None and _holds_integers(module.layout, struct, at, size) else ""
    return ", ".join(filter(None, (f"{REST} !{{}}", told)))


def mark_integers(module: Module, function: Function) -> None:
    """Mark accesses to words of which a struct declares that they are integers, one or several: the compiler says
    nothing of such where it moves structs through registers."""
    for i in function.instructions():
        if not isinstance(i, ir.Load | ir.Store) or access_name(module, i.metadata) not in UNTOLD:
            continue
        type_ = i.type if isinstance(i, ir.Load) else i.value.type
        if not isinstance(type_, IntType) or type_.bits < _NARROWEST:
            continue
        struct, at = _struct_behind(module.layout, i.pointer, 0)
        if struct is not None and _holds_integers(module.layout, struct, at, module.layout.store_size(type_)):
            i.metadata = ", ".join(filter(None, (i.metadata, member_mark(module))))


def declared_numbers(layout: DataLayout, function: Function, width: int) -> Iterator[tuple[Value, int, FloatType]]:
    """The pieces, so many bits wide, of words that are read or written where a struct declares a number."""
    for i in function.instructions():
        value = i if isinstance(i, ir.Load) else i.value if isinstance(i, ir.Store) else None
        type_ = value.type if value is not None else None
        if not isinstance(i, ir.Load | ir.Store) or not isinstance(type_, IntType) or type_.bits % width:
            continue
        assert value is not None
        for piece in range(type_.bits // width):
            struct, at = _struct_behind(layout, i.pointer, piece * width // 8)
            if struct is None:
                break
            members = list(_members(layout, struct, 0, at, at + width // 8))
            if len(members) == 1 and members[0][0] == at:
                member = members[0][1]
                if isinstance(member, FloatType) and layout.store_size(member) * 8 == width:
                    yield value, piece, member


def _struct_behind(layout: DataLayout, pointer: Value, at: int) -> tuple[NamedStructType | None, int]:
    """The named struct so many bytes behind a pointer, and where in it that is."""
    while isinstance(pointer, ir.GetElementPtr):
        struct = pointer.source_type
        offset = element_offset(layout, pointer)
        if isinstance(struct, NamedStructType):
            size = layout.alloc_size(struct)
            is_element = all(scale % size == 0 for _, scale in offset.terms)
            at += offset.constant
            return (struct, at % size) if is_element and at >= 0 else (None, 0)
        if offset.terms:
            return None, 0
        pointer, at = pointer.operands[0], at + offset.constant
    # Only named types are declared by programs: a variable of integers may be what the optimiser makes of any bytes.
    declared = pointer.allocated_type if isinstance(pointer, ir.Alloca) else None
    return (declared, at) if isinstance(declared, NamedStructType) else (None, 0)


def _holds_integers(layout: DataLayout, type_: Type, at: int, size: int) -> bool:
    """Do integers begin there, one or several, and nothing else? Not of unions, nor of arrays, which may be storage."""
    members = list(_members(layout, type_, 0, at, at + size))
    whole = all(begin >= at and begin + layout.store_size(member) <= at + size for begin, member in members)
    return whole and any(begin == at for begin, _ in members) and all(isinstance(m, IntType) for _, m in members)


def _members(layout: DataLayout, type_: Type, base: int, low: int, high: int) -> Iterator[tuple[int, Type]]:
    """The members between two places, and where they begin."""
    if not isinstance(type_, NamedStructType) or is_union(type_):
        yield base, type_
        return
    for index, field in enumerate(fields_of(type_)):
        begin = base + layout.field_offset(type_, index)
        if begin < high and low < begin + layout.alloc_size(field):
            yield from _members(layout, field, begin, low, high)
