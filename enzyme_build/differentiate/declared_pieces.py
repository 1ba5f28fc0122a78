"""What the struct of which an address is a member declares where a piece of a word is read or written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.copied import REST, member_mark
from enzyme_build.analysis.offsets import element_offset
from enzyme_build.analysis.source_structs import is_union
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import FloatType, IntType, NamedStructType, fields_of

if TYPE_CHECKING:
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value


def mark_of_rest(module: Module, pointer: Value, step: int, type_: Type) -> str:
    """What is said of an access to an integer beside a number, so many bytes behind a pointer: that it is one, and
    whether it is a member that is declared as this integer. (Types of LLVM's own say so of structs of C and C++, as
    long as addresses are computed with them; of unions they say one of the members.)"""
    told = member_mark(module) if declared_member(module.layout, pointer, step) is type_ else ""
    return ", ".join(filter(None, (f"{REST} !{{}}", told)))


def declared_member(layout: DataLayout, pointer: Value, step: int) -> Type | None:
    """The number or integer that is declared to begin so many bytes behind a pointer, as a member of a struct."""
    struct, at = _struct_behind(layout, pointer, step)
    return _member_at(layout, struct, at) if struct is not None else None


def _struct_behind(layout: DataLayout, pointer: Value, at: int) -> tuple[Type | None, int]:
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
    return (pointer.allocated_type, at) if isinstance(pointer, ir.Alloca) else (None, 0)


def _member_at(layout: DataLayout, type_: Type, at: int) -> Type | None:
    """The member that begins there; None of unions, and of anything but structs."""
    while isinstance(type_, NamedStructType):
        if is_union(type_):
            return None
        found = None
        for index, field in enumerate(fields_of(type_)):
            begin = layout.field_offset(type_, index)
            if begin <= at < begin + layout.alloc_size(field):
                found = field, begin
        if found is None:
            return None
        type_, at = found[0], at - found[1]
    return type_ if at == 0 and isinstance(type_, IntType | FloatType) else None
