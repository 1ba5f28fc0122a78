"""Edits of declarations: functions whose bodies are elsewhere, by what is known of those."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.names import unquote
from enzyme_build.regex import regex

from .text import ATTRIBUTES, NAME, QUOTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.ir.types import FunctionType

_DECLARE: Final = regex(rf"^declare [^\n]*?@({NAME})\(", re.MULTILINE)
_ACCESS: Final = regex(r"\b(?:readonly|readnone|writeonly)\b")
_UNNAMED: Final = regex(r"(?: (?:local_)?unnamed_addr)?")


def with_declared_facts(text: str, facts: Mapping[str, Sequence[str]]) -> str:
    """`text` with attributes more for the declared functions of these names: their own, then those of each argument."""
    groups = {match[1]: match[2] for match in ATTRIBUTES.finditer(text)} if facts else {}
    pieces, done = [], 0
    for match, declared, suffix, end in _declarations(text, facts):
        words = facts[unquote(match[1])]
        parameters = [
            parameter if not more or _ACCESS.search(parameter) else f"{parameter} {more}"
            for parameter, more in zip(declared, words[1:], strict=True)
        ]
        told = suffix + "".join(groups.get(number, "") for number in re.findall(r"#(\d+)", suffix))
        own = re.sub(r"memory\([^)]*\) ?", "", words[0]) if "memory(" in told else words[0]
        place = _UNNAMED.match(suffix)
        assert place is not None
        pieces += [text[done : match.end()], ", ".join(parameters), f"){place[0]} {own}{suffix[place.end() :]}"]
        done = end
    return "".join([*pieces, text[done:]])


def with_types(text: str, types: Mapping[str, tuple[FunctionType, FunctionType, Sequence[str]]]) -> str:
    """`text` where functions are declared with the second type instead of the first, and with these words for each
    parameter; what else is said of them is left out."""
    pieces, done = [], 0
    for match, _, suffix, end in _declarations(text, types):
        old, new, words = types[unquote(match[1])]
        head = f"{old.result.text} @{match[1]}("
        assert match[0].endswith(head)
        start = f"{match[0].removesuffix(head)}{new.result.text} @{match[1]}("
        parameters = [f"{part.text}{word}" for part, word in zip(new.parameters, words, strict=True)]
        pieces += [text[done : match.start()], start, ", ".join(parameters), f"){suffix}"]
        done = end
    return "".join([*pieces, text[done:]])


def _declarations(text: str, names: Mapping[str, object]) -> Iterator[tuple[re.Match[str], list[str], str, int]]:
    """Of each declaration of such a name: its beginning, the parameters, what follows them, and where it ends."""
    for match in _DECLARE.finditer(text) if names else ():
        if unquote(match[1]) in names:
            end = text.find("\n", match.end())
            end = end if end >= 0 else len(text)
            yield match, *split_parameters(text[match.end() : end]), end


def split_parameters(rest: str) -> tuple[list[str], str]:
    """The parameters in a line that begins with them, and what follows their closing bracket."""
    masked = QUOTED.sub(lambda quoted: "c" * len(quoted[0]), rest)
    found, depth, start = [], 0, 0
    for at, letter in enumerate(masked):
        if letter in ",)" and not depth:
            found.append(rest[start:at].strip())
            start = at + 1
        if letter == ")" and not depth:
            break
        depth += (letter in "([{<") - (letter in ")]}>")
    return [part for part in found if part], rest[start:]
