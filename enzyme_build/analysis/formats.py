"""What formats of `printf` and `scanf` say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.values import GlobalVariable
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_ESCAPE: Final = regex(r"\\([0-9A-Fa-f]{2})")
_COUNT: Final = regex(r"%[-+ #0'I\d$.*]*(?:hh|h|ll|l|L|q|j|z|t)?n")
_LETTERS: Final = regex(r"%%")


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
