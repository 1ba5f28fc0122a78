"""Byte offsets of pointer arithmetic: a constant plus variables times constant scales.

`linear` reads through the integer arithmetic that computes an index, so that `p + 24·i + 8` is seen as offset 8 with
stride 24 however the optimiser wrote it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.instructions import Binary, CallBase, Cast, GetElementPtr, Phi, Select, merged
from enzyme_build.ir.types import ArrayType, IntType, NamedStructType, PointerType, StructType, VectorType, fields_of
from enzyme_build.ir.values import ConstantExpression, ConstantInt
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_DEPTH = 6
_LEAST = ("llvm.smin.", "llvm.umin.")


@dataclass(frozen=True, slots=True)
class Linear:
    """`constant` + Σ scale · value."""

    constant: int
    terms: tuple[tuple[Value, int], ...] = ()

    def __add__(self, other: Linear) -> Linear:
        return Linear(self.constant + other.constant, _merged((*self.terms, *other.terms)))

    def scaled(self, by: int) -> Linear:
        return Linear(self.constant * by, tuple((v, s * by) for v, s in self.terms) if by else ())


def _merged(terms: Sequence[tuple[Value, int]]) -> tuple[tuple[Value, int], ...]:
    sums: dict[Value, int] = {}
    for value, scale in terms:
        sums[value] = sums.get(value, 0) + scale
    return tuple((v, s) for v, s in sums.items() if s)


def linear(value: Value, depth: int = _DEPTH, need: str = "") -> Linear:
    """`value` as a linear form over simpler values.

    Address arithmetic wraps at the pointer's width, so additions there always are linear. Below a sign or zero
    extension they are only where they cannot wrap: `need` is the flag that says so (`nsw` or `nuw`).
    """
    if isinstance(value, ConstantInt):
        return Linear(value.value if need != "nuw" else value.value & ((1 << integer_bits(value.type)) - 1))
    if depth and isinstance(value, Binary) and _cannot_wrap(value, need):
        found = _linear_binary(value, depth - 1, need)
        if found is not None:
            return found
    if depth and isinstance(value, Cast) and value.op in ("sext", "zext"):
        below = "nsw" if value.op == "sext" or "nneg" in value.flags else "nuw"
        inner = value.operands[0]
        if isinstance(inner, Binary) and _cannot_wrap(inner, below):
            return linear(inner, depth - 1, below)
    return Linear(0, ((value, 1),))


def at_most(length: Value, depth: int = _DEPTH) -> int | None:
    """What a number of bytes never exceeds, as its form says; None if it says nothing."""
    match length:
        case ConstantInt():
            return length.value
        case CallBase() if length.arguments and (getattr(length.callee, "name", None) or "").startswith(_LEAST):
            known = [most for a in length.arguments if depth and (most := at_most(a, depth - 1)) is not None]
            return min(known, default=None)
        case Cast(op="zext" | "sext") if depth:
            return at_most(length.operands[0], depth - 1)
        case Phi() | Select() if depth:
            each = [at_most(value, depth - 1) for value in merged(length)]
            # One that is being built has no operands yet.
            return None if None in each else max((most for most in each if most is not None), default=None)
    return None


def _cannot_wrap(value: Binary, need: str) -> bool:
    return not need or need in value.flags or "disjoint" in value.flags


def _linear_binary(value: Binary, depth: int, need: str) -> Linear | None:
    a, b = value.operands
    match value.op:
        case "add":
            return linear(a, depth, need) + linear(b, depth, need)
        case "sub":
            return linear(a, depth, need) + linear(b, depth, need).scaled(-1)
        case "or" if "disjoint" in value.flags:
            return linear(a, depth, need) + linear(b, depth, need)
        case "mul" if isinstance(b, ConstantInt):
            return linear(a, depth, need).scaled(b.value)
        case "shl" if isinstance(b, ConstantInt) and 0 <= b.value < 62:
            return linear(a, depth, need).scaled(1 << b.value)
        case _:
            return None


def element_offset(layout: DataLayout, gep: GetElementPtr | ConstantExpression) -> Linear:
    """The byte offset that a getelementptr adds to its base."""
    assert gep.source_type is not None
    total = Linear(0)
    current: Type = gep.source_type
    for number, index in enumerate(gep.operands[1:]):
        if number == 0:
            total += linear(index).scaled(layout.alloc_size(current))
        elif isinstance(current, StructType | NamedStructType):
            assert isinstance(index, ConstantInt)
            total += Linear(layout.field_offset(current, index.value))
            current = (current.fields or ())[index.value]
        elif isinstance(current, ArrayType):
            current = current.element
            total += linear(index).scaled(layout.alloc_size(current))
        elif isinstance(current, VectorType):
            current = current.element
            total += linear(index).scaled(layout.store_size(current))
    return total


def fixed_base(layout: DataLayout, pointer: Value) -> tuple[Value, int]:
    """A pointer as another one, and as many bytes behind it as is known."""
    at = 0
    while isinstance(pointer, GetElementPtr):
        offset = element_offset(layout, pointer)
        if offset.terms:
            break
        pointer, at = pointer.operands[0], at + offset.constant
    return pointer, at


def scalar_leaves(
    layout: DataLayout, type_: Type, offset: int = 0, path: tuple[int, ...] = ()
) -> list[tuple[tuple[int, ...], Type, int]]:
    """(index path, scalar type, byte offset) of every scalar inside a type; a vector's lanes count as scalars."""
    found = []
    for inner, leaf, at in member_leaves(layout, type_, offset, path):
        if isinstance(leaf, VectorType):
            lanes = range(leaf.count)
            found += [((*inner, lane), leaf.element, at + layout.field_offset(leaf, lane)) for lane in lanes]
        else:
            found.append((inner, leaf, at))
    return found


def member_leaves(
    layout: DataLayout, type_: Type, offset: int = 0, path: tuple[int, ...] = ()
) -> list[tuple[tuple[int, ...], Type, int]]:
    """The same of what `extractvalue` and `insertvalue` reach: vectors as a whole."""
    if not isinstance(type_, ArrayType | StructType | NamedStructType):
        return [(path, type_, offset)]
    found = []
    for index, field in enumerate(fields_of(type_)):
        found += member_leaves(layout, field, offset + layout.field_offset(type_, index), (*path, index))
    return found


def has_pointers(layout: DataLayout, type_: Type) -> bool:
    """Is this a pointer, or anything with pointers in it?"""
    return any(isinstance(leaf, PointerType) for _, leaf, _ in scalar_leaves(layout, type_))


def integer_bits(type_: Type) -> int:
    """Width of an integer type, 0 for others."""
    return type_.bits if isinstance(type_, IntType) else 0
