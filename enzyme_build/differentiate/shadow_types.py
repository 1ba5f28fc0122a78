"""Shadows whose variables are declared as numbers of another type than what they are shadows of.

Nothing in the interface says of which type a shadow is: C passes addresses. Where both the argument and its shadow are
variables of the function that asks, or global ones, their declarations do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import ArrayType, FloatType, IntType, PointerType
from enzyme_build.ir.values import GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_BYTE = 8


def other_type(layout: DataLayout, argument: Value, shadows: Iterable[Value]) -> tuple[Type, Type] | None:
    """(type of the argument's numbers, of those of a shadow) where these differ for sure."""
    declared = _numbers(layout, argument)
    if not isinstance(declared, FloatType):
        return None
    for shadow in shadows:
        found = _numbers(layout, shadow)
        if found is not None and found is not declared:
            return declared, found
    return None


def _numbers(layout: DataLayout, pointer: Value) -> Type | None:
    """The type of a variable, or of the elements of an array variable; None where it may be storage for anything."""
    if not isinstance(pointer.type, PointerType):
        return None
    base, _ = fixed_base(layout, pointer)
    type_: Type | None = None
    if isinstance(base, ir.Alloca):
        type_ = base.allocated_type
    elif isinstance(base, GlobalVariable):
        type_ = base.value_type
    while isinstance(type_, ArrayType):
        type_ = type_.element
    if isinstance(type_, FloatType) or (isinstance(type_, IntType) and type_.bits > _BYTE):
        return type_
    return None
