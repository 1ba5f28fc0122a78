"""Structs that are read or written as a whole, of which a member is a word, are read and written member by member.

What the word is, a pointer, a number or several of them, is looked at where words are (`copied_words`, `passed_words`).
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import member_leaves
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.types import I64, NamedStructType, StructType

from .merged_members import drop_unread, member_of, put_together

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value


def split_structs(layout: DataLayout, function: Function) -> None:
    """Split the function's accesses to such structs."""
    accesses = [i for i in function.instructions() if isinstance(i, ir.Load | ir.Store) and _is_split(layout, i)]
    if not accesses:
        return
    read = users(function)
    replaced: dict[Value, Value] = {}
    for i in accesses:
        if isinstance(i, ir.Load):
            _load(layout, i, read.get(i, []), replaced)
    for i in accesses:
        if isinstance(i, ir.Store):
            _store(layout, i, replaced.get(i.value, i.value))
    remove_instructions(function, {*accesses, *(i for i in replaced if isinstance(i, ir.ExtractValue))})
    replace_values(function, replaced)
    drop_unread(function)


def _is_split(layout: DataLayout, i: ir.Load | ir.Store) -> bool:
    type_ = i.type if isinstance(i, ir.Load) else i.value.type
    if i.ordering or i.volatile or not isinstance(type_, StructType | NamedStructType):
        return False
    return any(leaf is I64 for _, leaf, _ in member_leaves(layout, type_))


def _store(layout: DataLayout, store: ir.Store, value: Value) -> None:
    builder = in_front_of(store)
    for path, type_, offset in member_leaves(layout, value.type):
        member = member_of(value, path) or builder.extract_value(value, path)
        assert member.type is type_
        pointer = builder.ptradd(store.pointer, offset)
        builder.store(member, pointer, _alignment(layout, store.align, value.type, offset))


def _load(layout: DataLayout, load: ir.Load, read: list[ir.Instruction], replaced: dict[Value, Value]) -> None:
    builder = in_front_of(load)
    members: dict[tuple[int, ...], Value] = {}
    for path, type_, offset in member_leaves(layout, load.type):
        align = _alignment(layout, load.align, load.type, offset)
        members[path] = builder.load(type_, builder.ptradd(load.pointer, offset), align)
    replaced[load] = put_together(builder, load.type, members)
    for user in read:
        if isinstance(user, ir.ExtractValue) and (found := members.get(tuple(user.indices))) is not None:
            replaced[user] = found


def _alignment(layout: DataLayout, given: int, type_: Type, offset: int) -> int:
    return gcd(given or layout.alignment(type_), offset)
