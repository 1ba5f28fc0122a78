"""Names of functions as users write them: `springs::energy`, `forces::Model::energy(double const*, int)`,
`cube<double>(double)`.

A list of types in parentheses tells overloads apart; a signature (`signature.py`) may follow it. Types are compared in
one spelling: `const double *` is `double const*`, and what the standard library adds to its templates is left out.
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.records import dataclass
from enzyme_build.regex import regex

_BUILTIN: Final = frozenset(("bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"))
_INTEGER: Final = frozenset(("char", "int", "long", "short", "signed", "unsigned"))
_OPERATOR: Final = regex(r"\boperator\s*(\(\)|[^\w\s(]+)")
_ANONYMOUS: Final = "(anonymous namespace)::"
_ABBREVIATED: Final = (
    (regex(r"\b(?:struct|class|enum|typename) "), ""),
    (regex(r"\bstd::(?:__\w+::)"), "std::"),
    (regex(r"\bstd::basic_string<char, ?std::char_traits<char>, ?std::allocator<char> ?>"), "std::string"),
)
_DEFAULTS: Final = regex(r", ?std::(?:allocator|less|equal_to|hash|char_traits|default_delete)<")
_QUALIFIED: Final = regex(r"^(?:(?:const|volatile)\b ?)+")


@dataclass(frozen=True)
class Named:
    """A name taken apart: `name`, then perhaps `overload` and where the signature's own list begins."""

    name: str
    overload: str | None = None
    """Types, without parentheses."""
    rest: int = 0
    """Where the text goes on behind what this is read from; the text's length where nothing follows."""


def take_apart(text: str) -> Named | None:
    """A name that the language of signatures does not know, or with types behind it; None for all others."""
    start = len(text) - len(text.lstrip())
    end = _end_of_name(text, start)
    name = text[start:end].strip()
    group = _group(text, end)
    if group is None:
        return Named(name, None, end) if _is_foreign(name) else None
    inside, behind = text[group[0] + 1 : group[1] - 1], group[1]
    qualifiers = re.match(r"\s*(?:const\b|volatile\b|&&?)*\s*", text[behind:])
    behind += qualifiers.end() if qualifiers else 0
    if lists_types(inside) or text[behind : behind + 1] == "(":
        return Named(name, inside, behind)
    return Named(name, None, end) if _is_foreign(name) else None


def lists_types(text: str) -> bool:
    """Are these types of C or C++, and no arguments of a signature?"""
    if "[" in text or re.search(r"(?<!:):(?!:)", text):
        return False
    if any(mark in text for mark in ("*", "&", "<", "::")):
        return True
    return any(word in _BUILTIN for word in re.findall(r"\w+", text))


def _is_foreign(name: str) -> bool:
    return (
        re.fullmatch(r"\w+(?:\s*::\s*\w+)*", name) is None and re.search(r"[<~]|operator|\(anonymous", name) is not None
    )


def _end_of_name(text: str, start: int) -> int:
    """The place of the parenthesis behind the name."""
    at, depth = start, 0
    while at < len(text):
        operator = _OPERATOR.match(text, at)
        if operator is not None:
            at = operator.end()
        elif text.startswith(_ANONYMOUS, at):
            at += len(_ANONYMOUS)
        elif depth == 0 and (text[at] in "([" or text.startswith("->", at)):
            return at
        else:
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            at += 1
    return at


def _group(text: str, at: int) -> tuple[int, int] | None:
    """The parentheses that begin here, with what is between them."""
    if text[at : at + 1] != "(":
        return None
    depth = 0
    for end in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return at, end + 1
    return None


def parameters_of(demangled: str) -> str | None:
    """The list of types of a demangled name: what stands in its last parentheses."""
    text = re.sub(r"(?: const| volatile|&)+$", "", demangled)
    if not text.endswith(")"):
        return None
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[at], 0)
        if depth == 0:
            return text[at + 1 : -1]
    return None


def without_template_arguments(name: str) -> str:
    """`forces::cube` for `forces::cube<double>`; operators keep their signs."""
    if "operator" in name:
        return name
    kept, depth = [], 0
    for letter in name:
        depth += letter == "<"
        kept += [letter] if depth == 0 else []
        depth -= letter == ">"
    return "".join(kept)


def normal_types(text: str) -> tuple[str, ...]:
    """The types of a list, each in one spelling."""
    listed = [_normal(part) for part in _separated(text)]
    return () if listed in ([""], ["void"]) else tuple(listed)


def _separated(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += {"<": 1, "(": 1, "[": 1, ">": -1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def _normal(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    for pattern, short in _ABBREVIATED:
        text = pattern.sub(short, text)
    text = _without_defaults(text)
    if "<" in text and (inner := re.fullmatch(r"([^<]*)<(.*)>([^<>]*)", text)):
        text = f"{inner[1]}<{', '.join(normal_types(inner[2]))}>{inner[3]}"
    text = _qualifiers_behind(text)
    text = re.sub(r"\s*([*&<>,()])\s*", r"\1", text)
    return re.sub(r"\b(?:\w+ )*\w+\b", lambda words: _integer(words[0]), text)


def _without_defaults(text: str) -> str:
    """Template arguments that nobody writes."""
    while (found := _DEFAULTS.search(text)) is not None:
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"<": 1, ">": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[end:]
    return text


def _qualifiers_behind(text: str) -> str:
    """`double const*` for `const double *`."""
    found = _QUALIFIED.match(text)
    if found is None:
        return text
    rest, depth = text[found.end() :], 0
    for at, letter in enumerate(rest):
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if depth == 0 and letter in "*&":
            return f"{rest[:at].strip()} {found[0].strip()}{rest[at:]}"
    return f"{rest} {found[0].strip()}"


def _integer(words: str) -> str:
    """Integers have many names."""
    listed = words.split()
    if not _INTEGER.intersection(listed):
        return words
    kept = [word for word in listed if word not in _INTEGER]
    if kept not in ([], ["const"]):
        return words
    size = "char" if "char" in listed else "short" if "short" in listed else " ".join(["long"] * listed.count("long"))
    sign = "unsigned" if "unsigned" in listed else "signed" if "signed" in listed and size == "char" else ""
    return " ".join(word for word in (sign, size or "int", *kept) if word)
