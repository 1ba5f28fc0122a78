"""Variables that are passed in the place of others: shadows declared as numbers of another type than what they are
shadows of, and arguments declared otherwise than the parameters that they are for.

Nothing in the interface says of which type a shadow is: C passes addresses. Where both the argument and its shadow are
variables of the function that asks, or global ones, their declarations do. Debug information tells of parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I64, ArrayType, FloatType, IntType, PointerType
from enzyme_build.ir.values import ConstantInt, GlobalVariable, const_int

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir.debug import DebugType
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_BYTE = 8
_WIDEST = 8
"""Bytes of the numbers that have no padding."""


def other_type(layout: DataLayout, argument: Value, shadows: Iterable[Value]) -> tuple[Type, Type] | None:
    """(type of the argument's numbers, of those of a shadow) where these differ for sure."""
    declared = variable_type(layout, argument)
    if not isinstance(declared, FloatType):
        return None
    for shadow in shadows:
        found = variable_type(layout, shadow)
        if found is not None and found is not declared:
            return declared, found
    return None


def shorter_shadow(layout: DataLayout, argument: Value, shadows: Iterable[Value]) -> tuple[int, int] | None:
    """(bytes behind the argument, behind a shadow) where a shadow's variable ends before the argument's does."""
    size = _room(layout, argument)
    sizes = (_room(layout, shadow) for shadow in shadows)
    return next(((size, found) for found in sizes if size is not None and found is not None and found < size), None)


def _room(layout: DataLayout, pointer: Value) -> int | None:
    """Bytes from a constant place in a variable, one number or an array of them, to its end. (A row of a matrix and a
    member of a struct end before the variable does.)"""
    if not isinstance(pointer.type, PointerType):
        return None
    base, offset = fixed_base(layout, pointer)
    if isinstance(base, ir.Alloca):
        count = base.operands[0] if base.operands else const_int(I64, 1)
        size = layout.alloc_size(base.allocated_type) * count.value if isinstance(count, ConstantInt) else None
    elif isinstance(base, GlobalVariable) and base.initializer is not None:
        size = layout.alloc_size(base.value_type)
    else:
        size = None
    return size - offset if size is not None and _is_row(base) else None


def _is_row(variable: Value) -> bool:
    type_ = declared_type(variable)
    element = type_.element if isinstance(type_, ArrayType) else type_
    return isinstance(element, FloatType)


def unlike_declared(layout: DataLayout, argument: Value, declared: DebugType) -> Type | None:
    """The type of the variable that is passed, where the parameter is surely declared as numbers of another."""
    found = variable_type(layout, argument)
    depth = 0
    while declared.kind in ("pointer", "array") and declared.element is not None:
        depth += declared.kind == "pointer"
        declared = declared.element
    if found is None or depth > 1 or declared.kind not in ("float", "complex"):
        return None
    size, wanted = layout.store_size(found), declared.size // (2 if declared.kind == "complex" else 1)
    return None if isinstance(found, FloatType) and (size == wanted or size > _WIDEST) else found


def variable_type(layout: DataLayout, pointer: Value) -> Type | None:
    """The type of a variable, or of the elements of an array variable; None where it may be storage for anything."""
    if not isinstance(pointer.type, PointerType):
        return None
    base, _ = fixed_base(layout, pointer)
    type_ = declared_type(base)
    while isinstance(type_, ArrayType):
        type_ = type_.element
    if isinstance(type_, FloatType) or (isinstance(type_, IntType) and type_.bits > _BYTE):
        return type_
    return None


def declared_type(variable: Value) -> Type | None:
    """The type that a variable is declared with; None for other addresses."""
    if isinstance(variable, ir.Alloca):
        return variable.allocated_type
    return variable.value_type if isinstance(variable, GlobalVariable) else None
