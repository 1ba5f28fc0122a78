"""Attributes of ours that clang accepts and drops, found in preprocessed source.

Our attributes are macros that become `annotate`. In `__attribute__((…))` clang keeps what stands on functions,
variables and members, but not what stands on types, or on a declaration behind the definition: nothing of it reaches
the bitcode. In `[[…]]` it would have to be `clang::annotate`, which no macro can be in both places; clang ignores
others with a warning. What would be lost is refused here, where the source is still seen.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import RequestError, SourceLocation
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DIRECTIVE: Final = regex(r"(?m)^#[^\n]*")
_MARKER: Final = regex(r'(?m)^# (\d+) "((?:[^"\\]|\\.)*)"')
_BRACKETS: Final = regex(r"\[\s*\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\s*\]")
_SCOPED: Final = regex(r"\benzyme\s*::\s*\w+")
_OURS: Final = regex(r'(?:\b(\w+)\s*::\s*)?\b(?:annotate\s*\(\s*"enzyme_|enzyme_\w+)')
_GNU: Final = regex(r'__attribute__\s*\(\s*\([^;{}]*?annotate\s*\(\s*"enzyme_inactive"')
_STANDARD: Final = regex(r'\bclang\s*::\s*annotate\s*\(\s*"enzyme_inactive"')
_ANNOTATED: Final = regex(r'\bannotate\s*\(\s*"enzyme_')
_DECLARED: Final = regex(r"[;{]")
_BRACKETED: Final = regex(r"\([^()]*\)")
_LATE: Final = regex(r"(?m)^(.*?):(\d+):(\d+): (?:warning|error): attribute declaration must precede definition\b")
_OURS_SAID: Final = regex(r"expanded from macro '_*enzyme|\bannotate\s*\(\s*\"enzyme_")
_RECORD: Final = regex(r"\b(?:struct|class|union|enum)\b")
_NAMES_TYPE: Final = regex(r"\b(?:typedef|using)\b")
_DEPENDENCIES: Final = regex(r"-M[A-Z]*")
_WITH_VALUE: Final = frozenset(("-MF", "-MT", "-MQ", "-MJ", "-o"))


def preprocess_command(command: Sequence[str]) -> list[str]:
    """Of a command that compiles: one that only preprocesses, and writes no file."""
    return [*_without_outputs(command), "-E"]


def check_command(command: Sequence[str]) -> list[str]:
    """Of a command that compiles: one that only warns, of attributes that the compiler ignores."""
    kept = [word for word in _without_outputs(command) if word != "-w"]
    return [*kept, "-fsyntax-only", "-Wno-everything", "-Wignored-attributes", "-fno-color-diagnostics"]


def _without_outputs(command: Sequence[str]) -> list[str]:
    kept: list[str] = []
    words = iter(command)
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif word not in {"-c", "-S"} and not _DEPENDENCIES.match(word):
            kept.append(word)
    return kept


def may_be_late(preprocessed: str) -> bool:
    """Is one of our attributes on a declaration of what is mentioned before?"""
    source = _Source(preprocessed)
    for match in _ANNOTATED.finditer(source.text):
        end = _DECLARED.search(source.text, match.end())
        if end is None or end[0] == "{":
            continue
        before = source.before(match.start()).rpartition("}")[2]
        start = match.start() - len(before)
        plain = re.sub(r"__attribute__\s*(?=\()", "", source.text[start : end.start()])
        while (shorter := _BRACKETED.sub(" ", plain)) != plain:
            plain = shorter
        *_, name = ["", *re.findall(r"[A-Za-z_]\w*", plain.partition("=")[0])]
        if name and re.search(rf"\b{name}\b", source.text[:start]):
            return True
    return False


def late_attributes(said: str) -> list[RequestError]:
    """What the compiler says of our attributes behind the definition of what they stand on."""
    places = [*_LATE.finditer(said)]
    ends = [*(match.start() for match in places[1:]), len(said)]
    return [
        RequestError(
            "an attribute of enzyme's behind the definition, where it has no effect",
            location=SourceLocation(match[1], int(match[2]), int(match[3])),
            hint="put it on the definition, or on a declaration before that",
            code="E0345",
        )
        for match, end in zip(places, ends, strict=False)  # nothing may be said, which has an end
        if _OURS_SAID.search(said, match.end(), end)
    ]


def lost_attributes(preprocessed: str) -> list[RequestError]:
    """A finding for each attribute that would be without effect."""
    source = _Source(preprocessed)
    return [*_in_brackets(source), *_on_types(source)]


@dataclass(slots=True)
class _Source:
    """Preprocessed text, its directives blanked out; offsets are the same."""

    text: str
    markers: list[tuple[int, int, str]]
    """End of a line marker, and the line and file that it names."""

    def __init__(self, preprocessed: str) -> None:
        self.text = _DIRECTIVE.sub(lambda match: " " * len(match[0]), preprocessed)
        self.markers = [(match.end(), int(match[1]), match[2]) for match in _MARKER.finditer(preprocessed)]

    def place(self, offset: int) -> SourceLocation | None:
        at = bisect_right(self.markers, offset, key=lambda marker: marker[0]) - 1
        if at < 0:
            return None
        end, line, file = self.markers[at]
        return SourceLocation(file, line + self.text.count("\n", end, offset) - 1)

    def before(self, offset: int) -> str:
        """The declaration so far, back to what ends the one before it; of a struct's members the braces are left."""
        depth, start, holes, hole = 0, offset, [], 0
        while start > 0:
            character = self.text[start - 1]
            if character == "}":
                if depth == 0:
                    hole = start
                depth += 1
            elif character == "{":
                if depth == 0:
                    break
                depth -= 1
                if depth == 0:
                    holes.append((start, hole - 1))
            elif character == ";" and depth == 0:
                break
            start -= 1
        words = self.text[start:offset]
        for first, last in holes:
            words = words[: first - start] + " " * (last - first) + words[last - start :]
        return words


def _in_brackets(source: _Source) -> Iterator[RequestError]:
    for match in _BRACKETS.finditer(source.text):
        ours = [found for found in _OURS.finditer(match[1]) if found[1] != "clang" or "annotate" not in found[0]]
        if _SCOPED.search(match[1]) or ours:
            yield RequestError(
                "an attribute of enzyme's in [[…]], which the compiler ignores",
                location=source.place(match.start()),
                hint='write __attribute__((enzyme_inactive)), __attribute__((enzyme("gradient", f))) …, or '
                '[[clang::annotate("enzyme_inactive")]]',
                code="E0339",
            )


def _on_types(source: _Source) -> Iterator[RequestError]:
    for match in [*_GNU.finditer(source.text), *_STANDARD.finditer(source.text)]:
        before = source.before(match.start()).rstrip(" [\n\t")
        if _is_type(before):
            yield RequestError(
                "enzyme_inactive is on a type, where it has no effect",
                location=source.place(match.start()),
                hint="put it on the variables, members and functions that have the type",
                code="E0336",
            )


def _is_type(before: str) -> bool:
    """Does the declaration that begins so define a type, and the attribute that follows stand on that?"""
    if _NAMES_TYPE.search(before):
        return True
    words = before.rstrip()
    if words.endswith("}"):
        head = words[: words.rindex("{")]
        return _RECORD.search(head) is not None and "(" not in head and "=" not in head
    last = re.search(r"(\w+)$", words)
    return last is not None and _RECORD.fullmatch(last[1]) is not None
