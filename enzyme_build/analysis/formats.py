"""What formats of `printf` and `scanf` say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.values import GlobalVariable
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_ESCAPE: Final = regex(r"\\([0-9A-Fa-f]{2})")
_COUNT: Final = regex(r"%[-+ #0'I\d$.*]*(?:hh|h|ll|l|L|q|j|z|Z|t|wf?\d+)?n")
_LETTERS: Final = regex(r"%%")
# %[flags][width][length]conversion, behind other characters. In C of 1989, `%as` is what is `%ms` now.
_SCANNED: Final = regex(
    r"[^%]*%(?P<flags>[*'I]*)\d*(?P<length>hh|h|ll|l|L|q|j|z|t)?"
    r"(?P<conversion>\[\^?\]?[^]]*\]|a(?![sS[])|[diouxXAeEfFgGcCsSpn%])",
    re.DOTALL,
)
_SIZES: Final = {"": 4, "l": 8, "L": 10}


def constant_text(module: Module, pointer: Value) -> str | None:
    """The constant string behind a pointer."""
    if not isinstance(pointer, GlobalVariable) or not pointer.is_constant:
        return None
    initializer = module.global_initializer(pointer)
    if initializer is None or not initializer.text.startswith('c"'):
        return None
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), initializer.text[2:-1]).split("\0")[0]


def may_count(module: Module, pointer: Value) -> bool:
    """May a format of `printf` have `%n`, by which the number of characters is written behind a pointer?"""
    text = constant_text(module, pointer)
    return text is None or _COUNT.search(_LETTERS.sub("", text)) is not None


def scanned(text: str) -> list[int | None] | None:
    """For each argument behind a format of `scanf`, how many bytes of a number are read to it: 0 for what is no number,
    None for `%n`, which is no item of those that are counted. No list where the format has what C does not, or where
    arguments are numbered or given new memory (`%1$lf`, `%ms`)."""
    found: list[int | None] = []
    at = 0
    while "%" in text[at:]:
        match = _SCANNED.match(text, at)
        if match is None:
            return None
        at = match.end()
        conversion = match["conversion"]
        size = _SIZES.get(match["length"] or "") if conversion in "aAeEfFgG" else 0
        if size is None:
            return None
        if conversion != "%" and "*" not in match["flags"]:
            found.append(None if conversion == "n" else size)
    return found
