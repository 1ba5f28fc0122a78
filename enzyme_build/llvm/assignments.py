"""Marks which members of structs copies move, where neither compiler nor optimiser says it.

clang copies a struct by `memcpy`, with the types of the members beside it (`!tbaa.struct`) where it optimises. At -O0
there are none, but one of the two pointers mostly says which struct it leads to: a local variable or the address of an
element or member. The mark is needed before optimisation, which takes local structs to pieces. Our types form a chain
in which each may alias all others, so that the optimiser learns nothing from them.

Optimised code has taken the copies to pieces, and moves an integer member and the padding behind it as one word, about
which nothing is said any more. There the address of the struct tells, where it is that of an element of an array.

Only structs with numbers among other members are looked at: one of nothing but integers may be meant to hold the bits
of something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    NamedStructType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from enzyme_build.ir.layout import DataLayout

VALUE: Final = r'%(?:"[^"\n]*"|[-\w.$]+)'
_COPY: Final = regex(
    rf"^  call void @llvm\.mem(?:cpy|move)\.p0\.p0\.i64\(ptr (?:align \d+ )?({VALUE}), "
    rf"ptr (?:align \d+ )?({VALUE}), i64 (\d+), i1 false\)(?=, !dbg|$)",
    re.MULTILINE,
)
_VARIABLE: Final = regex(rf"^  ({VALUE}) = alloca ({VALUE}|\[[^\n]*?\]), align", re.MULTILINE)
_IN_MEMORY: Final = regex(rf"\b(?:byval|sret)\(({VALUE})\)[^,\n]*? ({VALUE})(?=[,)])")
_INSIDE: Final = regex(
    rf"^  ({VALUE}) = getelementptr (?:inbounds |nuw |nusw )*i8, ptr ({VALUE}), i64 (\d+)(?=, !dbg|$)", re.MULTILINE
)
_WORD: Final = regex(
    rf"^  (?:{VALUE} = load i(\d\d+)|store i(\d\d+) [^,\n]+), ptr ({VALUE}), align \d+(?=(?:, !dbg !\d+)?$)",
    re.MULTILINE,
)
_ELEMENT: Final = regex(
    rf"^  {VALUE} = getelementptr (?:inbounds |nuw |nusw )*(%[-\w.$]+), ptr ({VALUE}), i\d+ {VALUE}(?=, !dbg|$)",
    re.MULTILINE,
)
_LOADED: Final = regex(rf"^  ({VALUE}) = load ptr, ptr ({VALUE}), align \d+(?=, !|$)", re.MULTILINE)
_THROUGH: Final = regex(
    rf"^  {VALUE} = getelementptr (?:inbounds |nuw |nusw )*({VALUE}|\w+|\[[^\n]*?\]), ptr ({VALUE}), i\d+ ",
    re.MULTILINE,
)
_TAGGED: Final = regex(rf"^  [^\n]*?(?:load|store) [^\n]*?ptr ({VALUE}), align \d+[^\n]*?!tbaa (!\d+)", re.MULTILINE)
_NODE: Final = regex(r"^(!\d+) = (!\{[^\n]*\})$", re.MULTILINE)
_ACCESS_TAG: Final = regex(r"!\{(!\d+), !\d+, i64 (\d+)[^\n]*\}")
_STRUCT_NODE: Final = regex(r'!\{!"[^"]*"(?:, !\d+, i64 [1-9]|, !\d+, i64 0, !)')
"""Its name, then its members with their offsets; a scalar has only what it is a kind of."""
_MEMBER: Final = regex(r"(!\d+), i64 (\d+)")
_INTEGERS: Final = {"short": 2, "int": 4, "long": 8, "long long": 8, "bool": 1, "_Bool": 1}
_LARGEST: Final = 8
"""A word that an integer at the end of a struct may be moved with."""
_PART: Final = regex(
    rf"^(  (?:tail )?call void @llvm\.mem(?:cpy|move)\.p0\.p0\.i64\(ptr (?:[^,\n]* )?({VALUE}), "
    rf"ptr (?:[^,\n]* )?({VALUE}), i64 (\d+), i1 false\),[^\n]*?)!tbaa\.struct !\d+",
    re.MULTILINE,
)
_LAYOUT: Final = regex(r'^target datalayout = "[^"\n]*"$', re.MULTILINE)
_STRUCT: Final = regex(r"^%[^\n]* = type [^\n]*$", re.MULTILINE)
_UNION: Final = regex(r'%"?union\.')
_FLOATS: Final = {"double": "double", "float": "float", "x86_fp80": "long double", "half": "_Float16"}
"""What C calls the types of numbers."""
_INTEGER: Final = "int"
_POINTER: Final = "any pointer"
_BYTES: Final = "bytes"
"""What may be storage for anything: members that are unions or arrays of characters (see `analysis.copied`)."""
_SIZES: Final = {"float": 4, "double": 8, "long double": 16, "_Float16": 2, _POINTER: 8, _BYTES: 1}
_NAMES: Final = (*_FLOATS.values(), _INTEGER, _POINTER, _BYTES)
_ROOT: Final = "members of structs"
_INDICES: Final = (16, 32)
"""Bits of integers in arrays; arrays of characters or words may be storage for anything."""
_MOST: Final = 256
"""Members of a struct that are worth the text."""


def variables_in(head: str, body: str) -> dict[str, str]:
    """The types of local variables and of structs that are passed in memory, by the name of their address."""
    found = {match[1]: match[2] for match in _VARIABLE.finditer(body)}
    return found | {match[2]: match[1] for match in _IN_MEMORY.finditer(head)}


def parsed_types(text: str) -> tuple[Mapping[str, Type], DataLayout]:
    """The named types of a module, and its layout."""
    layout = _LAYOUT.search(text)
    lines = [layout[0]] if layout is not None else []
    module = parse_module("\n".join([*lines, *(match[0] for match in _STRUCT.finditer(text)), ""]))
    return module.types, module.layout


class CopiedStructs:
    """Marks for the copies of a module; new metadata is numbered from `node`."""

    def __init__(self, text: str, node: int) -> None:
        self._text = text
        self._first = node
        self._tags = {name: node + 2 * at for at, name in enumerate(_NAMES)}
        self._layout: DataLayout
        self._types: Mapping[str, Type] | None = None
        self._marks: dict[tuple[str, int, int], int] = {}
        self._lines: list[str] = []
        self._nodes: dict[str, str] | None = None
        self._found: dict[str, list[tuple[int, int, str | None]]] = {}

    def marked(self, body: str, pointees: Mapping[str, str]) -> str:
        """The body of a function with marks; `pointees` are the types of memory by the names of pointers."""

        pointees = {**_loaded(body), **pointees}

        def mark(match: re.Match[str]) -> str:
            told = {self._whole(pointees[match[at]], int(match[3])) for at in (1, 2) if match[at] in pointees} - {0}
            return f"{match[0]}, !tbaa.struct !{told.pop()}" if len(told) == 1 else match[0]

        return _COPY.sub(mark, body)

    def with_words(self, body: str, pointees: Callable[[], Mapping[str, str]], mark: str) -> str:
        """The body of a function with `mark` at accesses to words of nothing but integer members and padding.

        `pointees` are the types of memory by the names of pointers, asked for where there are such words at all.
        """
        has_words = _WORD.search(body) is not None
        if not has_words and _PART.search(body) is None:
            return body
        inside = {match[1]: (match[2], int(match[3])) for match in _INSIDE.finditer(body)}
        types = pointees()
        elements, told = (self._elements(body), self._told(body, inside)) if has_words else ({}, {})

        def marked(match: re.Match[str]) -> str:
            pointer, at = inside.get(match[3], (match[3], 0))
            size = int(match[1] or match[2]) // 8
            if pointer in types:
                members = self._members_of(types[pointer])
            elif pointer in elements:
                # What is behind the first one may be the member after an array.
                members = self._members_of(elements[pointer]) if at < self._size(elements[pointer]) else []
            else:
                members = self._members_told(told.get(pointer, ""))
            return f"{match[0]}, {mark}" if _is_integer(members, at, size) else match[0]

        def told_whole(match: re.Match[str]) -> str:
            """A copy of a part of an element, of which the compiler does not tell the arrays."""
            for pointer, at in (inside.get(match[side], (match[side], 0)) for side in (2, 3)):
                node = self._part(types[pointer], at, int(match[4])) if pointer in types else 0
                if node:
                    return f"{match[1]}!tbaa.struct !{node}"
            return match[0]

        return _PART.sub(told_whole, _WORD.sub(marked, body))

    def _elements(self, body: str) -> dict[str, str]:
        """The structs of which pointers lead to arrays, as indices say; not where they are used for several."""
        found: dict[str, set[str]] = {}
        for match in _ELEMENT.finditer(body):
            found.setdefault(match[2], set()).add(match[1])
        return {pointer: told.pop() for pointer, told in found.items() if len(told) == 1}

    def _told(self, body: str, inside: Mapping[str, tuple[str, int]]) -> dict[str, str]:
        """The access type of the struct that a pointer leads to, as accesses to members say; not where it is used for
        several."""
        found: dict[str, set[str]] = {}
        for match in _TAGGED.finditer(body):
            pointer, at = inside.get(match[1], (match[1], 0))
            tag = _ACCESS_TAG.fullmatch(self._node(match[2]))
            if tag is not None and int(tag[2]) == at and _STRUCT_NODE.match(self._node(tag[1])):
                found.setdefault(pointer, set()).add(tag[1])
        return {pointer: told.pop() for pointer, told in found.items() if len(told) == 1}

    def _node(self, reference: str) -> str:
        if self._nodes is None:
            self._nodes = dict(_NODE.findall(self._text))
        return self._nodes.get(reference, "")

    def _members_told(self, node: str) -> list[tuple[int, int, str | None]]:
        """The members of a struct as its access type has them: it tells where they begin and not where they end."""
        if node not in self._found:
            scalars = list(self._scalars_told(node, 0))
            members = [(at, _told_kind(name)) for at, name in scalars]
            # An object of a derived class may have members in the padding at the end.
            last = (
                _LARGEST
                if not self._node(node).startswith('!{!"_ZTS')
                else _INTEGERS.get(scalars[-1][1], 0)
                if scalars
                else 0
            )
            ends = [at for at, _ in members[1:]] + [members[-1][0] + last if members else 0]
            few = [(at, end - at, told) for (at, told), end in zip(members, ends, strict=True)]
            self._found[node] = few if _has_numbers(few) else []
        return self._found[node]

    def _scalars_told(self, node: str, at: int) -> Iterator[tuple[int, str]]:
        text = self._node(node)
        if not _STRUCT_NODE.match(text):
            yield at, text.removeprefix('!{!"').split('"')[0]
            return
        for member, offset in _MEMBER.findall(text):
            yield from self._scalars_told(member, at + int(offset))

    def metadata(self) -> str:
        """The nodes that the marks name."""
        if not self._lines:
            return ""
        root = self._first + 2 * len(_NAMES)
        lines = [f'!{root} = !{{!"{_ROOT}"}}']
        for name, node in self._tags.items():
            # Each type is a kind of the next one, so all may alias.
            above = node + 3 if name != _NAMES[-1] else root
            lines += [
                f"!{node} = !{{!{node + 1}, !{node + 1}, i64 0}}",
                f'!{node + 1} = !{{!"{name}", !{above}, i64 0}}',
            ]
        return "\n".join([*lines, *self._lines, ""])

    def _whole(self, type_: str, length: int) -> int:
        """The node for all of a struct, if it has this size; 0 where not all is known."""
        return self._part(type_, 0, length) if self._size(type_) == length else 0

    def _part(self, type_: str, at: int, length: int) -> int:
        """The node for so many bytes of a struct; 0 where not all is known."""
        key = (type_, at, length)
        if key not in self._marks:
            entries = list(_cut(self._members_of(type_), at, at + length)) if at + length <= self._size(type_) else []
            told = [(start, size, self._tags[name]) for start, size, name in entries if name is not None]
            self._marks[key] = self._new(told) if told and len(told) == len(entries) else 0
        return self._marks[key]

    def _new(self, told: Iterable[tuple[int, int, int]]) -> int:
        node = self._first + 2 * len(_NAMES) + 1 + len(self._lines)
        words = ", ".join(f"i64 {at}, i64 {size}, !{tag}" for at, size, tag in told)
        self._lines.append(f"!{node} = !{{{words}}}")
        return node

    def _size(self, name: str) -> int:
        type_ = self._struct(name)
        return self._layout.alloc_size(type_) if type_ is not None else 0

    def _members_of(self, name: str) -> list[tuple[int, int, str | None]]:
        """(offset, size, what it is) of the scalars of a struct with numbers, integers with the padding behind them;
        None for what is not known."""
        if name not in self._found:
            type_ = self._struct(name)
            members = list(self._members(type_, 0)) if type_ is not None else []
            few = members if _has_numbers(members) and len(members) <= _MOST else []
            self._found[name] = list(_with_padding(few, self._size(name))) if few else []
        return self._found[name]

    def _struct(self, name: str) -> Type | None:
        if self._types is None:
            self._types, self._layout = parsed_types(self._text)
        found = self._types.get(name)
        return found if isinstance(found, NamedStructType) and found.fields is not None else None

    def _members(self, type_: Type, at: int) -> Iterator[tuple[int, int, str | None]]:
        """(offset, size, what it is) of all scalars; None for what is not known."""
        size = self._layout.store_size(type_)
        match type_:
            case NamedStructType() | StructType() if type_.fields is not None and not _UNION.match(type_.text):
                for index, field in enumerate(type_.fields):
                    yield from self._members(field, at + self._layout.field_offset(type_, index))
            case ArrayType() | VectorType() if isinstance(type_.element, FloatType | PointerType):
                yield at, size, next(iter(self._members(type_.element, at)))[2]
            case ArrayType() if not isinstance(type_.element, IntType) or type_.element.bits in _INDICES:
                for index in range(min(type_.count, _MOST)):
                    yield from self._members(type_.element, at + self._layout.field_offset(type_, index))
            case ArrayType():
                yield at, size, _BYTES
            case NamedStructType() if _UNION.match(type_.text):
                yield at, size, _BYTES
            case FloatType():
                yield at, size, _FLOATS.get(type_.text)
            case IntType():
                yield at, size, _INTEGER
            case PointerType():
                yield at, size, _POINTER
            case _:
                yield at, size, None


def _loaded(body: str) -> dict[str, str]:
    """The structs of which pointer variables hold addresses, by the names of what is loaded: they are used for
    members of these, and of no others."""
    slots = {match[1]: match[2] for match in _LOADED.finditer(body)}
    types: dict[str, set[str]] = {}
    for match in _THROUGH.finditer(body):
        if match[2] in slots:
            types.setdefault(slots[match[2]], set()).add(match[1])
    single = {slot: next(iter(told)) for slot, told in types.items() if len(told) == 1}
    return {value: single[slot] for value, slot in slots.items() if slot in single}


def _told_kind(name: str) -> str | None:
    """What a member is whose access type has this name."""
    return name if name in _FLOATS.values() or name == _POINTER else _INTEGER if name in _INTEGERS else None


def _has_numbers(members: Iterable[tuple[int, int, str | None]]) -> bool:
    return not set(_FLOATS.values()).isdisjoint(told for _, _, told in members)


def _is_integer(members: Sequence[tuple[int, int, str | None]], at: int, size: int) -> bool:
    """Does an integer begin here, and nothing but integers and padding lie in so many bytes?"""
    touched = [member for member in members if member[0] < at + size and at < member[0] + member[1]]
    if {told for _, _, told in touched} != {_INTEGER} or touched[0][0] != at:
        return False
    return at + size <= sum(touched[-1][:2]) or touched[-1] != members[-1]


def _cut(members: Iterable[tuple[int, int, str | None]], at: int, end: int) -> Iterator[tuple[int, int, str | None]]:
    """What of the members lies between two offsets, counted from the first; not known where one is cut through."""
    for start, size, told in members:
        first, last = max(start, at), min(start + size, end)
        if first < last:
            each = _SIZES.get(told or "", size)
            pieces = first == start if told == _INTEGER else not (first - start) % each and not (last - start) % each
            yield first - at, last - first, told if pieces else None


def _with_padding(members: list[tuple[int, int, str | None]], length: int) -> Iterator[tuple[int, int, str | None]]:
    """An integer together with the padding behind it is moved as one word: no number is in it either."""
    ends = [at for at, _, _ in members[1:]] + [length]
    for (at, size, told), end in zip(members, ends, strict=True):
        yield at, end - at if told == _INTEGER else size, told
