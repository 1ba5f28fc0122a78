"""What `!tbaa.struct` says about the members of a struct that a memcpy copies.

Source: LLVM language reference, "tbaa.struct Metadata": operands in threes, offset, size and access tag of a member.
C and C++ name the access types as their languages do; names that are not listed here say nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.types import DOUBLE, FLOAT, FP128, HALF, X86_FP80, FloatType
from enzyme_build.ir.values import ConstantInt
from enzyme_build.regex import regex

from .kinds import Kind

if TYPE_CHECKING:
    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

_FLOATS: Final = {"double": (DOUBLE, 8), "float": (FLOAT, 4), "_Float16": (HALF, 2), "__float128": (FP128, 16)}
_STRUCT_TAG: Final = regex(r"!enzyme\.struct (!\d+)")
_OWN_TAG: Final = regex(r"!enzyme\.member (!\d+)")
_TAG: Final = regex(r"!tbaa (!\d+)")
_MOST_TYPES: Final = 64
_ENDLESS: Final = 1 << 62
_POINTER_BITS: Final = 64
_POINTER: Final = regex(r"p\d+ (?!void)|vtable pointer$")
_ENUMERATION: Final = "_ZTS"
"""What names of C++ types begin with; of these, only enumerations are accessed as such."""
_INTEGERS: Final = frozenset(
    ("short", "int", "long", "long long", "__int128", "bool", "_Bool", "wchar_t", "_BitInt(8)")
)


Member = tuple[int, Kind, "Type | None"]
"""Offset, kind, and type of a number."""


def copied_members(module: Module, call: CallBase) -> list[Member]:
    """The members that are told."""
    return [member for _, _, told in copied_parts(module, call) for member in told or ()]


def copied_parts(module: Module, call: CallBase) -> list[tuple[int, int, list[Member] | None]]:
    """(offset, size, members) of the members of the struct as the language has them, None for what it does not tell:
    arrays, unions, characters; none for what is declared as bytes. Between them is padding.

    The optimiser keeps what is told of a whole struct at copies of its beginning.
    """
    entries = copied_entries(module, call)
    length = call.arguments[2] if entries else None
    end = length.value if isinstance(length, ConstantInt) else _ENDLESS
    found: list[tuple[int, int, list[Member] | None]] = []
    for offset, size, name in entries:
        if offset < end:
            # A byte alone is a character: no number is so small.
            members = [(0, Kind.INTEGER, None)] if name == ANY_TYPE and size == 1 else _member(name, size)
            size = min(size, end - offset)  # noqa: PLW2901 - the part of it that is copied
            whole = [
                (offset + start, kind, type_) for start, kind, type_ in members if start + _width(kind, type_) <= size
            ]
            found.append((offset, size, whole if whole or name == BYTES else None))
    return found


def copied_entries(module: Module, call: CallBase) -> list[tuple[int, int, str]]:
    """Offset, size and name of the type of what is told of a copied struct, be it more than is copied."""
    reference = attachments(call).get("tbaa.struct") if "!tbaa.struct" in call.metadata else None
    operands = module.metadata_node(reference).operands if reference is not None else ()
    return [
        (int(operands[at].split()[-1]), int(operands[at + 1].split()[-1]), _name(module, operands[at + 2]))
        for at in range(0, len(operands) - 2, 3)
    ]


def _width(kind: Kind, type_: Type | None) -> int:
    """In bytes; of an integer at least."""
    bits = type_.bits if isinstance(type_, FloatType) else _POINTER_BITS if kind is Kind.POINTER else 8
    return bits // 8


TEXT: Final = "!enzyme.text"
"""Mark of an access to characters of a string, and of a copy that begins at one (see `strings`)."""
EITHER: Final = "!enzyme.either"
"""Marks an access of our own to a word that is an integer here, and a number on other ways; and what is computed with
such words as integers."""
REST: Final = "!enzyme.beside_number"
"""Mark of an access to an integer that the program accesses together with the number beside it."""
LENGTH: Final = "!enzyme.string_length"
"""Mark of an access to how long a string is."""
ANY_TYPE: Final = "omnipotent char"
"""The access type of members of unions, and of what is declared to alias anything."""
UNTOLD: Final = ("", ANY_TYPE)
"""The names of access types that do not tell what is accessed."""
BYTES: Final = "bytes"
"""What marks of our own call members that are declared as arrays of characters, or as unions."""


def access_kind(module: Module, metadata: str, size: int) -> tuple[Kind, Type | None] | None:
    """What the access tag of a load or store says about its only member."""
    if TEXT in metadata:
        return Kind.INTEGER, None
    name = access_name(module, metadata)
    if not name:
        return None
    members = _member(name, size)
    return members[0][1:] if len(members) == 1 else None


def says_type(module: Module, metadata: str) -> bool:
    """Is a load or store of a number one by the language's rules, and not a copy of bytes or of a union's member?"""
    if "!enzyme.number " in metadata:
        return True
    return access_name(module, metadata) in _FLOATS or is_fortran_number(module, metadata)


def is_declared_element(module: Module, metadata: str) -> bool:
    """Do the language's rules say that a load or store is one of a number, and not through a cast of an address?"""
    if "!enzyme.number " in metadata and "!enzyme.element " not in metadata:
        return is_fortran_number(module, metadata)
    return says_type(module, metadata)


def access_name(module: Module, metadata: str) -> str:
    """The name of the type that a load or store accesses, empty where nothing says it."""
    tag = _tag(metadata)
    return _name(module, tag) if tag is not None else ""


def accessed_object(module: Module, metadata: str) -> tuple[str, int]:
    """The type of the object of which a load or store accesses a member, and where in it that is; empty where nothing
    says it."""
    tag = _TAG.search(metadata)
    if tag is None:
        return "", 0
    cache = module.cache.setdefault("accessed objects", {})
    assert isinstance(cache, dict)
    known: dict[str, tuple[str, int]] = cache
    if tag[1] not in known:
        operands = module.metadata_node(tag[1]).operands
        told = len(operands) > 2 and operands[0].startswith("!")
        known[tag[1]] = (_type_name(module, operands[0]), int(operands[2].split()[-1])) if told else ("", 0)
    return known[tag[1]]


def accessed_struct(module: Module, metadata: str) -> tuple[str, int]:
    """The node of the type of the struct of which a load or store accesses a member, and where in it that is; empty
    where nothing says it."""
    tag = _TAG.search(metadata)
    return _struct_of(module, tag[1]) if tag is not None else ("", 0)


def named_struct(module: Module, metadata: str) -> tuple[str, int]:
    """The same, also by our own marks in unoptimised code, whose types are LLVM's (see `llvm.struct_marks`)."""
    tag = _STRUCT_TAG.search(metadata)
    return _struct_of(module, tag[1]) if tag is not None else accessed_struct(module, metadata)


def _struct_of(module: Module, tag: str) -> tuple[str, int]:
    operands = module.metadata_node(tag).operands
    if len(operands) < 3 or operands[0] == operands[1]:
        return "", 0
    return operands[0], int(operands[2].split()[-1])


def member_offsets(module: Module, node: str) -> list[int]:
    """Where the members of a struct begin, by the node of its type."""
    operands = module.metadata_node(node).operands
    return [int(operands[index + 1].split()[-1]) for index in range(1, len(operands) - 1, 2)]


def told_members(module: Module, node: str) -> list[tuple[int, str]]:
    """Where the members of a struct begin, and what their types are called (of arrays, what they consist of)."""
    names = (_type_name(module, type_) for type_ in module.metadata_node(node).operands[1::2])
    return [*zip(member_offsets(module, node), names, strict=False)]


def member_mark(module: Module) -> str:
    """The mark of our own on accesses to members that are declared as integers."""
    mark = module.cache.get("mark of members")
    if mark is None:
        type_ = module.add_metadata('!{!"long"}')
        tag = module.add_metadata(f"!{{{type_}, {type_}, i64 0}}")
        mark = module.cache["mark of members"] = f"!enzyme.member {tag}"
    assert isinstance(mark, str)
    return mark


def _tag(metadata: str) -> str | None:
    """The tag of an access: our own, which is surer, or the compiler's."""
    found = (_OWN_TAG.search(metadata) or _TAG.search(metadata)) if metadata else None
    return found[1] if found is not None else None


COMPONENTS: Final = "components of Fortran's objects"
"""The root of the access types in functions that copy an object as its class says (see `fortran.type_tables`)."""
FORTRAN_TEXT: Final = "text of Fortran's objects"
"""There, and in what the library moves, the type of text."""
_FORTRAN_DATA: Final = "any data access"


def is_component(module: Module, metadata: str) -> bool:
    """Is this access one to an object whose class was looked at?"""
    return COMPONENTS in _ancestors(module, metadata)


def is_fortran_number(module: Module, metadata: str) -> bool:
    """Is this access to a number one of Fortran source code, by flang's tags for data or by our own like them?"""
    return _FORTRAN_DATA in _ancestors(module, metadata)


def _ancestors(module: Module, metadata: str) -> frozenset[str]:
    """The names of an access type and of those above it."""
    tag = _tag(metadata)
    if tag is None:
        return frozenset()
    cache = module.cache.setdefault("access types", {})
    assert isinstance(cache, dict)
    known: dict[str, frozenset[str]] = cache
    if tag not in known:
        known[tag] = frozenset(_type_name(module, type_) for type_ in types_above(module, tag)[1:])
    return known[tag]


def types_above(module: Module, node: str) -> tuple[str, ...]:
    """The nodes of a type and of those above it, up to the root of its tree; of a tag, itself and those of the type
    that is accessed. (A tag is `!{base, access, offset}`, a scalar type `!{name, parent, 0}`, the root `!{name}`.)"""
    chain = [node]
    while len(chain) < _MOST_TYPES:
        operands = module.metadata_node(chain[-1]).operands
        if len(operands) < 2 or not operands[1].startswith("!") or operands[1].startswith('!"'):
            break
        chain.append(operands[1])
    return tuple(chain)


def pointer_name(module: Module, metadata: str) -> str:
    """Which type of pointer a load or store accesses; empty where nothing says it, or that it may be any."""
    name = access_name(module, metadata)
    return name if _POINTER.match(name) else ""


def _member(name: str, size: int) -> list[tuple[int, Kind, Type | None]]:
    if name == "long double" and size % 16 == 0:
        return [(start, Kind.FLOAT, X86_FP80) for start in range(0, size, 16)]
    if name in _FLOATS:
        type_, each = _FLOATS[name]
        return [(start, Kind.FLOAT, type_) for start in range(0, size, each)]
    if name in _INTEGERS or name.startswith(_ENUMERATION):
        return [(0, Kind.INTEGER, None)]
    if name == "any pointer" or (name.startswith("p") and " " in name and name[1 : name.index(" ")].isdigit()):
        return [(start, Kind.POINTER, None) for start in range(0, size, 8)]
    return []


def _name(module: Module, tag: str) -> str:
    """The name of a tag's access type."""
    operands = module.metadata_node(tag).operands if tag.startswith("!") else ()
    return _type_name(module, operands[1]) if len(operands) > 1 and operands[1].startswith("!") else ""


def _type_name(module: Module, node: str) -> str:
    """What the type of a node is called."""
    operands = module.metadata_node(node).operands
    return operands[0].removeprefix("!").strip('"') if operands else ""
