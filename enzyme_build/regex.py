"""Regular expressions that are compiled when they are first used.

The package has several hundred, and compiling one takes as long as parsing some lines with it. A program needs those of
the things that it contains.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Late:
    """Stands for the pattern: its methods become attributes of this object with the first use."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags
        _patterns.append(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.compile(), name)

    def compile(self) -> re.Pattern[Any]:
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return compiled


_patterns: Final[list[_Late]] = []
"""All of the modules loaded so far, in the order in which they were."""


@overload
def regex(text: str, flags: int = 0) -> re.Pattern[str]: ...


@overload
def regex(text: bytes, flags: int = 0) -> re.Pattern[bytes]: ...


def regex(text: str | bytes, flags: int = 0) -> Any:
    """What `re.compile` gives, to whoever calls its methods."""
    return cast("Any", _Late(text, flags))


def compile_ahead() -> Iterator[None]:
    """Compile what is loaded, one pattern a step, for who has nothing better to do."""
    for pattern in _patterns:
        pattern.compile()
        yield
