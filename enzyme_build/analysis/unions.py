"""Integers that may be something else: members of unions.

A function that uses an integer of a union and copies all of it says that the bytes are an integer; in another object
they may be numbers. Where a struct or union is copied, its declared type mostly tells whether they lie in a union.
Where it does not, they may, as soon as the program has unions: compilers name their types, and access their members as
what may alias anything. (That of a C++ string is none that matters: it holds characters, or how many.)

What the bytes hold is decided while the derivative runs (see `differentiate.foreign_bytes`).
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.debug import DebugType, debug_type
from enzyme_build.ir.types import FloatType, IntType, NamedStructType, Type, fields_of, innermost
from enzyme_build.regex import regex

from .copied import ANY_TYPE, UNTOLD, access_name
from .declared_bytes import declared_bytes, is_string
from .fields import integers_at
from .source_structs import is_union, scalars

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .declared_bytes import Range
    from .fields import Fields
    from .memory import Memory
    from .regions import Place

_HAS_UNIONS: Final = "unions"
_TAGS: Final = ("DW_TAG_union_type", "DW_TAG_variant_part")
_DECLARED: Final = regex(r"(!\d+) = (?:distinct )?!DICompositeType\(tag: DW_TAG_(?:union_type|variant_part)\b")
_ACCESS: Final = regex(r"(?m)^ +(?:%\S+ = load i\d\d+,|store i\d\d+ )[^\n]*(!tbaa !\d+)")


def has_unions(module: Module) -> bool:
    """Does the program have unions, but for those of strings, or enums with numbers where others have integers?"""
    if _HAS_UNIONS not in module.cache:
        types = (t for t in module.types.values() if isinstance(t, NamedStructType))
        tags = (match[1] for match in _ACCESS.finditer(module.text, 0, module.metadata_start))
        lines = (line for tag in _TAGS for line in module.metadata_lines(tag))
        declared = (match[1] for line in lines if (match := _DECLARED.match(line)))
        module.cache[_HAS_UNIONS] = (
            any(_has_union(type_) for type_ in types if not is_string(type_))
            or any(access_name(module, tag) == ANY_TYPE for tag in dict.fromkeys(tags))
            or any(_is_mixed(debug_type(module, reference)) for reference in declared)
        )
    return bool(module.cache[_HAS_UNIONS])


def _is_mixed(union: DebugType) -> bool:
    """Has a variant a number where another one has an integer?"""
    variants = [
        [(member.offset + at, size, type_) for at, size, type_ in scalars(member.type)] for member in union.members
    ]
    return any(
        isinstance(number, FloatType) and isinstance(integer, IntType) and at < start + length and start < at + size
        for one, other in permutations(variants, 2)
        for at, size, number in one
        for start, length, integer in other
    )


def _has_union(type_: Type) -> bool:
    """Is a member of this type a union?"""
    inside = any(is_union(innermost(field)) for field in fields_of(type_))
    return inside or (is_union(type_) and "anon" not in type_.text)


def may_be_shared(memory: Memory, access: Instruction, pointer: Value, size: int) -> bool:
    """May an access be to a member of a union, or to bytes of which a part is one?"""
    if not has_unions(memory.module) or access_name(memory.module, access.metadata) not in UNTOLD:
        return False
    told = declared_bytes(memory).unions(pointer, size)
    return told is None or bool(told)


def pointers_in_unions(memory: Memory, pointers: Sequence[Value], found: Fields, length: int | None) -> tuple[int, ...]:
    """Those pointers of a copied run (of each of its periods, if it has some) that may be something else."""
    size = found.size(length)
    if not found.pointers or size is None or not has_unions(memory.module):
        return ()
    width = memory.layout.pointer_size()
    for pointer in pointers:
        told = declared_bytes(memory).unions(pointer, size)
        if told is not None:
            return tuple(at for at in found.pointers if any(at < b + n and b < at + width for b, n in told))
    return found.pointers


def integers_in_unions(
    memory: Memory, pointers: Sequence[Value], places: Sequence[Place], found: Fields, length: int | None
) -> list[Range]:
    """Where in a copied run (in each of its periods, if it has some) integers lie that may be something else."""
    if not has_unions(memory.module) or found.anywhere or found.plain:
        return []
    size = found.size(length)
    if size is None:
        return []
    declared = declared_bytes(memory)
    integers = [(at, n) for at, n in integers_at(memory.layout, places, found, size) if n >= declared.shortest]
    if not integers:
        return []
    for pointer in pointers:
        told = declared.unions(pointer, size)
        if told is not None:
            integers = [(at, length) for at, length in integers if any(at < b + n and b < at + length for b, n in told)]
            break
    return declared.joined(integers)
