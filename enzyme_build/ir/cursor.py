"""A reader of one instruction's line: labels, orderings, trailing metadata, what stands before a call's callee."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from .opcodes import CONVENTIONS, FAST_MATH
from .reader import Reader
from .types import FunctionType, Type
from .values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .function import Block
    from .module import Module

_ORDERINGS: Final = frozenset(("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst", "syncscope"))


class Forward(Value):
    """Stands for a local that is used before its definition has been read."""

    __slots__ = ("text",)

    def __init__(self, type_: Type, text: str) -> None:
        self.type = type_
        self.text = text


class Scope(Protocol):
    """What the general parser asks of the function being read."""

    @property
    def module(self) -> Module: ...
    @property
    def blocks(self) -> Mapping[str, Block]: ...
    def local(self, type_: Type, text: str) -> Value: ...


class Line(Reader):
    """A reader of one instruction."""

    __slots__ = ("scope",)

    def __init__(self, scope: Scope, text: str) -> None:
        super().__init__(scope.module, text, scope.local)
        self.scope = scope

    def label(self) -> Block:
        self.expect("label")
        return self.bare_label()

    def bare_label(self) -> Block:
        return self.scope.blocks[self.next()]

    def metadata(self) -> str:
        """`, !dbg !5, …` at the end of the line."""
        self.accept(",")
        text = self.rest()
        if text and not text.startswith("!"):
            raise self.error(f"cannot read '{text[:60]}'")
        self.at = len(self.tokens) - 2
        return text

    def pair(self) -> tuple[Value, Value]:
        """`T a, b`."""
        type_ = self.type()
        a = self.value(type_)
        self.expect(",")
        return a, self.value(type_)

    def align(self) -> int:
        """`, align 8`, if that is next."""
        if self.word == "," and self.tokens[self.at + 1] == "align":
            self.at += 2
            return self.integer()
        return 0

    def ordering(self) -> str:
        """`syncscope("…") acquire …` as text."""
        first = self.at
        while self.word in _ORDERINGS:
            if self.next() == "syncscope":
                self.expect("(")
                self.skip_balanced()
        return self.slice(first, self.at)

    def indices(self) -> list[int]:
        found: list[int] = []
        while self.word == "," and self.tokens[self.at + 1].isdigit():
            self.at += 1
            found.append(self.integer())
        return found


def read_call_head(line: Reader) -> tuple[str, str, str, Type, FunctionType | None]:
    """Flags, calling convention, result attributes, result type, and the function type where it is written out."""
    flags = line.words(FAST_MATH)
    convention = read_convention(line)
    result_attributes = line.attributes()
    type_ = line.type()
    if isinstance(type_, FunctionType):
        return flags, convention, result_attributes, type_.result, type_
    return flags, convention, result_attributes, type_, None


def read_convention(line: Reader) -> str:
    word = line.word
    if word in CONVENTIONS or (word[:2] == "cc" and word[2:].isdigit()):
        return line.next()
    if word == "cc":
        line.at += 1
        return f"cc {line.integer()}"
    return ""
