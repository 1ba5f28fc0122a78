"""What structs of the source hold, as debug information has them, and what their access types are called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.debug import DebugType, debug_type, functions_of_source, innermost_function
from enzyme_build.ir.types import DOUBLE, FLOAT, HALF, PTR, FloatType, NamedStructType, PointerType, Type, int_type
from enzyme_build.regex import regex
from enzyme_build.rules.memory import RUST_BUFFER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.metadata import MetadataNode
    from enzyme_build.ir.module import Module

_UNION: Final = regex(r'%"?union\.')
_OF_RUST: Final = "structs of Rust"
_STRUCT_TYPE: Final = regex(r"(?m)^(!\d+) = (?:distinct )?!DICompositeType\(tag: DW_TAG_structure_type")
_OF_SIZE: Final = {2: HALF, 4: FLOAT, 8: DOUBLE}
_DEEPEST: Final = 16
_MOST: Final = 1024
_MANGLED: Final = regex(r"_ZTS(?:N((?:\d+[A-Za-z_]\w*?)+)E|(\d+[A-Za-z_]\w*))")

_COPY_OF_RUST: Final = regex(r"(?:copy(?:_nonoverlapping)?|read|write)<")

_MOVES_BUCKETS: Final = regex(r"9hashbrown3raw.*13RawTableInner(?:12resize_inner|15rehash_in_place)")
_TABLE: Final = regex(r"_ZN9hashbrown3raw\d+RawTable\$LT\$T\$C\$A\$GT\$|_R\w*9hashbrown3rawI\w*?_8RawTable")
"""The inner functions, and methods of the table of entries `T`."""

Member = tuple[int, int, "Type | None"]
"""Offset, size and type; None for bytes that may be anything."""


def structs_of_rust(module: Module) -> list[tuple[int, list[Member]]]:
    """Size and scalars of all structs and tuples, as debug information has them; rustc writes no other types."""
    found = module.cache.get(_OF_RUST)
    if found is None:
        types = (debug_type(module, match[1]) for match in _STRUCT_TYPE.finditer(module.text))
        found = module.cache[_OF_RUST] = [(type_.size, sorted(scalars(type_), key=_offset)) for type_ in types]
    assert isinstance(found, list)
    return found


def copied_in_rust(module: Module, copy: Instruction) -> tuple[int, list[Member]] | None:
    """Size and scalars of the type of which `core::ptr::copy`, `read` and the like move values here, where debug
    information names it. A type without numbers and pointers says nothing: what is moved so may be bytes of others."""
    node = innermost_function(module, copy)
    if node is None or not _COPY_OF_RUST.match(node.string("name")) or not _is_core(node.string("linkageName")):
        return None
    types = _generic_types(module, node)
    if len(types) != 1:
        return None
    return _told_members(types[0]) or _bucket(module, copy, types[0])


def _bucket(module: Module, copy: Instruction, copied: DebugType) -> tuple[int, list[Member]] | None:
    """The same of an entry of a hash table that grows: of these, the table's inner functions move the bytes."""
    around = list(functions_of_source(module, copy))
    if copied.size != 1 or len(around) < 2 or not _MOVES_BUCKETS.search(around[1].string("linkageName")):
        return None
    for node in around:
        if _TABLE.match(node.string("linkageName")):
            types = _generic_types(module, node)
            return _told_members(types[0]) if types else None
    return None


def elements_in_rust(module: Module, call: Instruction) -> tuple[int, list[Member]] | None:
    """The same of the elements of a `Vec` or `VecDeque` whose memory grows or shrinks here."""
    for node in functions_of_source(module, call):
        if RUST_BUFFER.match(node.string("linkageName")):
            types = _generic_types(module, node)
            return _told_members(types[0]) if types else None
    return None


def _generic_types(module: Module, function: MetadataNode) -> list[DebugType]:
    """The types that a generic function was compiled for."""
    listed = module.find_node(function.fields.get("templateParams", "null"))
    parameters = (module.find_node(reference) for reference in listed.operands) if listed is not None else ()
    return [debug_type(module, node.fields.get("type", "null")) for node in parameters if node is not None]


def _told_members(type_: DebugType) -> tuple[int, list[Member]] | None:
    """Size and scalars of a type with numbers or pointers; None where some of it may be anything."""
    members = sorted(scalars(type_), key=_offset)
    if not type_.size or any(own is None for _, _, own in members):
        return None
    told = any(isinstance(own, FloatType | PointerType) for _, _, own in members)
    return (type_.size, members) if told else None


def _is_core(symbol: str) -> bool:
    return symbol.startswith("_ZN4core") or (symbol.startswith("_R") and "4core" in symbol)


def scalars(type_: DebugType | None, at: int = 0, depth: int = 0) -> Iterator[Member]:
    """What lies in a type of the source, unions and what else may be anything as a whole."""
    if type_ is None or depth > _DEEPEST:
        return
    element = type_.element
    match type_.kind:
        case "struct":
            for member in type_.members:
                yield from scalars(member.type, at + member.offset, depth + 1)
        case "array" if element is not None and element.size:
            for start in range(at, at + min(type_.size, _MOST), element.size):
                yield from scalars(element, start, depth + 1)
        case "float":
            yield at, type_.size, _OF_SIZE.get(type_.size)
        case "pointer":
            yield at, type_.size, PTR
        case "int" | "bool":
            yield at, type_.size, int_type(8 * type_.size)
        case _:
            yield at, type_.size, None


def _offset(member: Member) -> int:
    return member[0]


def plain_name(name: str) -> str:
    """The name of an access type as a struct has it; `?` where it has none, or has arguments."""
    if not name.startswith("_ZTS"):
        return name or "?"
    mangled = _MANGLED.fullmatch(name)
    rest, words = (mangled[1] or mangled[2], list[str]()) if mangled is not None else ("", [])
    while rest:
        length = re.match(r"\d+", rest)
        if length is None:
            return "?"
        end = length.end() + int(length[0])
        words.append(rest[length.end() : end])
        rest = rest[end:]
    return "::".join(words) or "?"


def is_union(type_: Type | None) -> bool:
    """Is this a union? clang names them so, and gives them the members of one of their variants."""
    return isinstance(type_, NamedStructType) and _UNION.match(type_.text) is not None
