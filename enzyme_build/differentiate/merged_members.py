"""Structs that meet in registers are merged member by member.

Where a branch decides which of two calls returns a struct, optimised code has one phi of the struct. A member that is a
pointer in one variant and a number in another is followed through phis of its own (see `copied_words`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import member_leaves
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.types import ArrayType, NamedStructType, StructType
from enzyme_build.ir.values import Constant, ConstantAggregate, Value, poison, undef

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type

    _Path = tuple[int, ...]


def merge_members(layout: DataLayout, function: Function) -> None:
    """Replace the function's phis of structs by phis of their members."""
    phis = [i for i in function.instructions() if isinstance(i, ir.Phi) and _is_struct(i.type)]
    if not phis:
        return
    members = {phi: _member_phis(layout, phi) for phi in phis}
    for phi in phis:
        for path, member in members[phi].items():
            for source, operand in dict(zip(phi.blocks, phi.operands, strict=True)).items():
                builder = Builder(source, debug_attachment(phi))
                builder.position = len(source.instructions) - 1
                value = _member(builder, members, operand, path)
                for at, block in enumerate(phi.blocks):
                    if block is source:
                        member.operands[at] = value
    replaced: dict[Value, Value] = {}
    read = users(function)
    for phi in phis:
        for user in read.get(phi, ()):
            if isinstance(user, ir.ExtractValue) and (found := members[phi].get(tuple(user.indices))) is not None:
                replaced[user] = found
        replaced[phi] = _whole(phi, members[phi])
    remove_instructions(function, replaced.keys())
    replace_values(function, replaced)
    drop_unread(function)


def member_of(value: Value, path: _Path) -> Value | None:
    """The member of a struct in registers, where the struct is put together of members."""
    while isinstance(value, ir.InsertValue):
        at = tuple(value.indices)
        if path[: len(at)] == at:
            if len(path) == len(at):
                return value.operands[1]
            value, path = value.operands[1], path[len(at) :]
        else:
            value = value.operands[0]
    while path and isinstance(value, ConstantAggregate):
        value, path = value.operands[path[0]], path[1:]
    return value if isinstance(value, Constant) and not path else None


def _is_struct(type_: Type) -> bool:
    return isinstance(type_, StructType | NamedStructType | ArrayType)


def _member_phis(layout: DataLayout, phi: ir.Phi) -> Mapping[_Path, ir.Phi]:
    assert phi.block is not None
    found: dict[_Path, ir.Phi] = {}
    for path, type_, _ in member_leaves(layout, phi.type):
        member = ir.Phi(type_, [undef(type_)] * len(phi.blocks), phi.blocks, metadata=phi.metadata)
        phi.block.instructions.insert(phi.block.instructions.index(phi), member)
        member.block = phi.block
        found[path] = member
    return found


def _member(builder: Builder, phis: Mapping[ir.Phi, Mapping[_Path, ir.Phi]], value: Value, path: _Path) -> Value:
    found = member_of(value, path)
    if found is not None:
        return found
    if isinstance(value, ir.Phi) and value in phis:
        return phis[value][path]
    return builder.extract_value(value, path)


def _whole(phi: ir.Phi, members: Mapping[_Path, ir.Phi]) -> Value:
    """The struct of its members, for those that take it as one."""
    assert phi.block is not None
    builder = Builder(phi.block, debug_attachment(phi))
    builder.position = sum(1 for _ in phi.block.phis)
    return put_together(builder, phi.type, members)


def put_together(builder: Builder, type_: Type, members: Mapping[_Path, Value]) -> Value:
    """The struct in registers that has these members."""
    whole: Value = poison(type_)
    for path, member in members.items():
        whole = builder.insert_value(whole, member, path)
    return whole


def drop_unread(function: Function) -> None:
    """Take out structs and members that nothing reads."""
    while (
        unread := {i for i in function.instructions() if isinstance(i, ir.InsertValue | ir.ExtractValue)}
        - users(function).keys()
    ):
        remove_instructions(function, unread)
