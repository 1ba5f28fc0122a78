"""Marks which struct the members are of that unoptimised code accesses.

Optimised code says it (`!tbaa`, struct-path tags), and so that an index which begins at an array in a struct stays in
it (see `analysis.member_spans`). clang leaves that out at -O0, where its address computations name structs and members:
they are what the marks say, before optimisation makes numbers of bytes of them. As those of `members` they are metadata
that only our analyses read.

Only structs with an array in front of other members are looked at, and none that may be a member of a union, which is
something else at times: LLVM has only the largest member of a union, so these are all that are no larger than one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import ArrayType, NamedStructType, StructType, Type, innermost
from enzyme_build.regex import regex

from .assignments import VALUE, parsed_types
from .text import next_metadata
from .unoptimised import unoptimised_programs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.layout import DataLayout

_NAMED: Final = regex(r'%"?(?:struct|class)\.')
_WITH_ARRAY: Final = regex(r'(?m)^%"?(?:struct|class)\.[^\n]* = type <?\{[^\n]*\[\d+ x ')
_UNION: Final = regex(r'%"?union\.')
_DEFINE: Final = regex(r"(?m)^define [^\n]*!dbg (!\d+) [^\n]*\{\n")
_ADDRESS: Final = regex(
    rf"^  ({VALUE}) = getelementptr (?:inbounds |nuw |nusw )*({VALUE}|\{{[^\n]*?\}}|\[[^\n]*?\]), ptr ({VALUE}), "
    rf"i\d+ 0, i\d+ (\d+|{VALUE})(?=, !|$)",
    re.MULTILINE,
)
_ACCESS: Final = regex(
    rf"^  (?:{VALUE} = load (?!volatile|atomic)|store (?!volatile|atomic))[^\n]*?ptr ({VALUE}), align \d+(?=, !|$)",
    re.MULTILINE,
)
MARK: Final = "!enzyme.struct"
ELEMENT_MARK: Final = "!enzyme.element_of"
"""Of accesses to elements of arrays that are members."""


def mark_structs(text: str) -> str:
    """`text` with the marks in functions that were compiled without optimisation."""
    if _WITH_ARRAY.search(text) is None:
        return text
    unoptimised = unoptimised_programs(text)
    if not unoptimised:
        return text
    node = next_metadata(text)
    marks = StructMarks(*parsed_types(text), node)
    parts: list[str] = []
    done = 0
    for head in _DEFINE.finditer(text):
        end = text.find("\n}\n", head.end())
        if end >= 0 and head[1] in unoptimised:
            parts += [text[done : head.end()], marks.marked(text[head.end() : end])]
            done = end
    return "".join([*parts, text[done:], marks.metadata()])


class StructMarks:
    """Marks for the functions of a module; `types` are its named types, and new metadata is numbered from `node`."""

    def __init__(self, types: Mapping[str, Type], layout: DataLayout, node: int) -> None:
        self._types = types
        self._layout = layout
        self._next = node
        self._nodes: dict[str, int] = {}
        self._lines: list[str] = []
        self._bounded: dict[str, bool] = {}
        unions = [t for name, t in types.items() if _UNION.match(name) and isinstance(t, NamedStructType) and t.fields]
        self._room = max(map(layout.alloc_size, unions), default=0)
        """Bytes of the largest union."""

    def marked(self, body: str) -> str:
        """The body of a function with the marks."""
        members: dict[str, tuple[str, int, Type]] = {}
        elements: dict[str, tuple[str, int]] = {}
        for name, type_, base, index in _ADDRESS.findall(body):
            inside = members.get(base)
            if inside is not None and isinstance(inside[2], ArrayType) and inside[2].text == type_:
                elements[name] = inside[:2]
            elif base in elements and type_.startswith("["):
                elements[name] = elements[base]
            elif index.isdigit() and inside is not None and inside[2].text == type_:
                members[name] = (inside[0], *self._member(inside[2], int(index), inside[1]))
            elif index.isdigit() and self._is_bounded(type_):
                members[name] = (type_, *self._member(self._types[type_], int(index), 0))
        if not members:
            return body

        def mark(match: re.Match[str]) -> str:
            if match[1] in members:
                return f"{match[0]}, {MARK} !{self._tag(*members[match[1]][:2])}"
            if match[1] in elements:
                return f"{match[0]}, {ELEMENT_MARK} !{self._tag(*elements[match[1]])}"
            return match[0]

        return _ACCESS.sub(mark, body)

    def metadata(self) -> str:
        """The nodes that the marks name."""
        return "\n".join([*self._lines, ""])

    def _member(self, type_: Type, index: int, at: int) -> tuple[int, Type]:
        assert isinstance(type_, NamedStructType | StructType)
        assert type_.fields is not None
        return at + self._layout.field_offset(type_, index), type_.fields[index]

    def _is_bounded(self, name: str) -> bool:
        """Is this a struct with an array in front of other members?"""
        if name not in self._bounded:
            type_ = self._types.get(name) if _NAMED.match(name) else None
            fields = type_.fields if isinstance(type_, NamedStructType) and type_.fields else ()
            with_array = any(isinstance(field, ArrayType) for field in fields[:-1])
            self._bounded[name] = with_array and self._layout.alloc_size(self._types[name]) > self._room
        return self._bounded[name]

    def _tag(self, struct: str, offset: int) -> int:
        return self._node(f"!{{!{self._struct(struct)}, !{self._type('access')}, i64 {offset}}}")

    def _struct(self, name: str) -> int:
        type_ = self._types[name]
        assert isinstance(type_, NamedStructType)
        assert type_.fields is not None
        members = (
            f", !{self._type(innermost(field).text)}, i64 {self._layout.field_offset(type_, index)}"
            for index, field in enumerate(type_.fields)
        )
        return self._node(f'!{{!"{_plain(name)}"{"".join(members)}}}')

    def _type(self, name: str) -> int:
        return self._node(f'!{{!"{_plain(name)}"}}')

    def _node(self, text: str) -> int:
        if text not in self._nodes:
            self._nodes[text] = self._next
            self._lines.append(f"!{self._next} = {text}")
            self._next += 1
        return self._nodes[text]


def _plain(name: str) -> str:
    """A name without what ends a string."""
    return name.replace('"', "").replace("\\", "/")
