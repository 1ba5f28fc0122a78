"""What declared types say about the place that an access goes to.

Addresses are computed from pointers to structs whose type the address computation names; the constant bytes added since
say which member is meant. Members of unions show there: a union has the type of one of them.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import ArrayType, FloatType, NamedStructType, StructType, Type, innermost
from enzyme_build.ir.values import Argument, ConstantExpression, GlobalVariable

from .kinds import Trust
from .leaves import scalar_at
from .offsets import element_offset
from .source_structs import is_union

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.values import Value

    from .regions import Region

_Arrays: TypeAlias = "tuple[tuple[int, int], ...]"
"""Arrays in each other: the size of an element, and how many there are."""
_Scalar: TypeAlias = "tuple[int, _Arrays, Type | None]"
_LONGEST = 24
_WIDEST = 15
_MOST = 1024
_ENDLESS = 1 << 40


def declared_trust(
    layout: DataLayout, pointer: Value, type_: Type, memory_types: Mapping[Value, Type], *, fortran: bool = False
) -> Trust:
    """Does the declared type of the member that `pointer` points to agree with a number of `type_` there?
    `memory_types`: of structs that are passed in memory. `fortran`: optimised computations of addresses have the lower
    bound of an index among the constants, so that these lie before the array, on another member of a COMMON block."""
    worst = Trust.TYPED
    seen: set[Value] = set()
    pending: list[tuple[Value, int, bool]] = [(pointer, 0, False)]
    while pending and len(seen) < _LONGEST:
        value, offset, indexed = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        match value:
            case ir.Phi() | ir.Select() | ir.Freeze():
                pending += [(operand, offset, indexed) for operand in ir.merged(value)]
            case ir.GetElementPtr() | ConstantExpression(op="getelementptr"):
                found = _at_struct(layout, value.source_type, offset + _within(layout, value), type_)
                if found is None:
                    moved = element_offset(layout, value)
                    pending.append((value.operands[0], offset + moved.constant, indexed or bool(moved.terms)))
                else:
                    worst = max(worst, found)
            case ir.Alloca():
                worst = max(worst, _at_struct(layout, value.allocated_type, offset, type_) or Trust.BARE)
            case Argument() if value in memory_types:
                worst = max(worst, _at_struct(layout, memory_types[value], offset, type_) or Trust.BARE)
            case GlobalVariable() if not (fortran and indexed):
                worst = max(worst, _at_struct(layout, value.value_type, offset, type_) or Trust.BARE)
            case _:
                worst = max(worst, Trust.BARE)
    return max(worst, Trust.BARE) if pending else worst


def declared_array(layout: DataLayout, pointer: Value) -> FloatType | None:
    """The type of the numbers that a pointer into a variable points to, if that is declared as nothing but numbers.

    Of a choice between a variable and other memory, the variable tells what both are used as.
    """
    found: set[FloatType | None] = set()
    seen: set[Value] = set()
    pending: list[tuple[Value, int]] = [(pointer, 0)]
    while pending and len(seen) < _LONGEST:
        value, offset = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        match value:
            case ir.Phi() | ir.Select() | ir.Freeze():
                pending += [(operand, offset) for operand in ir.merged(value)]
            case ir.GetElementPtr() | ConstantExpression(op="getelementptr"):
                moved = element_offset(layout, value)
                step = gcd(offset, moved.constant, *(scale for _, scale in moved.terms))
                pending.append((value.operands[0], step))
            case ir.Alloca():
                found.add(_only_numbers(layout, value.allocated_type, offset))
            case GlobalVariable():
                found.add(_only_numbers(layout, value.value_type, offset))
            case _:
                pass
    return next(iter(found)) if len(found) == 1 and not pending else None


def declared_member(layout: DataLayout, region: Region, offset: int, stride: int, type_: Type) -> bool:
    """Do the variables of a region, none of which is a union, have members of `type_` at a place?"""
    return type_ in _declared_scalars(layout, region, offset, stride)


def declared_number(layout: DataLayout, region: Region, offset: int, stride: int) -> FloatType | None:
    """The type of the number that all variables of a region, none of which is a union, have at a place."""
    found = _declared_scalars(layout, region, offset, stride)
    only = found.pop() if len(found) == 1 else None
    return only if isinstance(only, FloatType) else None


def _declared_scalars(layout: DataLayout, region: Region, offset: int, stride: int) -> set[Type]:
    """The types of what variables have at a place; none where one is a union."""
    found: set[Type] = set()
    for start, repeat, declared in region.declared:
        if not isinstance(declared, Type):
            continue
        for at, arrays, scalar in _all_scalars(layout, declared):
            if scalar is None:
                return set()
            if _is_element(offset - start - at, gcd(repeat, stride), arrays):
                found.add(scalar)
    return found


@lru_cache(maxsize=1024)
def _is_element(distance: int, period: int, arrays: _Arrays) -> bool:
    """Does an element of these arrays lie at a distance from the first, or multiples of the period from there?"""
    step = gcd(period, *(size for size, _ in arrays))
    if distance % step if step else distance:
        return False
    if not period and not 0 <= distance <= sum(size * (count - 1) for size, count in arrays):
        return False
    found = {0}
    for size, count in arrays:
        different = min(count, period // gcd(size, period)) if period else count
        if len(found) * different > _MOST:
            return True
        places = (at + size * index for at in found for index in range(different))
        found = {place % period for place in places} if period else set(places)
    return (distance % period if period else distance) in found


@lru_cache(maxsize=1024)
def _all_scalars(layout: DataLayout, declared: Type) -> tuple[_Scalar, ...]:
    return tuple(_scalars(layout, declared, 0, ()))


def _scalars(layout: DataLayout, declared: Type, at: int, arrays: _Arrays) -> Iterator[_Scalar]:
    """Offset, arrays around it and type of all scalars of a type; a union is None."""
    if is_union(declared):
        yield at, arrays, None
    elif isinstance(declared, ArrayType):
        # What is declared with no or one element may be as long as the memory is.
        count = declared.count if declared.count > 1 else _ENDLESS
        yield from _scalars(layout, declared.element, at, (*arrays, (layout.alloc_size(declared.element), count)))
    elif isinstance(declared, StructType | NamedStructType):
        for index, field in enumerate(declared.fields or ()):
            yield from _scalars(layout, field, at + layout.field_offset(declared, index), arrays)
    else:
        yield at, arrays, declared


def _only_numbers(layout: DataLayout, declared: Type, offset: int) -> FloatType | None:
    declared = innermost(declared)
    if not isinstance(declared, FloatType) or offset % layout.alloc_size(declared):
        return None
    return declared


def _within(layout: DataLayout, gep: ir.GetElementPtr | ConstantExpression) -> int:
    """The constant bytes that an address computation adds behind its first index."""
    whole = element_offset(layout, gep).constant
    assert gep.source_type is not None
    size = layout.alloc_size(gep.source_type)
    return whole % size if size else whole


def _at_struct(layout: DataLayout, declared: Type | None, offset: int, type_: Type) -> Trust | None:
    """What a struct says about the number at an offset; None for other types."""
    if not isinstance(declared, StructType | NamedStructType) or not 0 <= offset < layout.alloc_size(declared):
        return None
    found = scalar_at(layout, declared, offset)
    if found is None:
        return Trust.OTHER if _inside_number(layout, declared, offset) else Trust.BARE
    if found.scalar is type_.scalar and _in_union(layout, declared, offset):
        return Trust.BARE  # other members may be numbers of another type
    return Trust.TYPED if found.scalar is type_.scalar else Trust.OTHER


def _in_union(layout: DataLayout, declared: Type, offset: int) -> bool:
    """Is this byte part of a union?"""
    while True:
        if is_union(declared):
            return True
        if isinstance(declared, ArrayType):
            offset %= layout.alloc_size(declared.element)
            declared = declared.element
        elif isinstance(declared, StructType | NamedStructType) and declared.fields:
            starts = [layout.field_offset(declared, at) for at in range(len(declared.fields))]
            index = max(at for at, start in enumerate(starts) if start <= offset)
            declared, offset = declared.fields[index], offset - starts[index]
        else:
            return False


def _inside_number(layout: DataLayout, declared: Type, offset: int) -> bool:
    """Does a number begin shortly before this byte and reach over it?"""
    for back in range(1, min(offset, _WIDEST) + 1):
        found = scalar_at(layout, declared, offset - back)
        if found is not None:
            return isinstance(found, FloatType) and layout.store_size(found) > back
    return False
