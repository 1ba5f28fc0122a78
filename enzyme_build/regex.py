"""Regular expressions that are compiled when they are first used.

The package has several hundred, and compiling one takes as long as parsing some lines with it. A program needs those of
the things that it contains.
"""

from __future__ import annotations

import re
from typing import Any, cast, overload

_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Late:
    """Stands for the pattern: its methods become attributes of this object with the first use."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


@overload
def regex(text: str, flags: int = 0) -> re.Pattern[str]: ...


@overload
def regex(text: bytes, flags: int = 0) -> re.Pattern[bytes]: ...


def regex(text: str | bytes, flags: int = 0) -> Any:
    """What `re.compile` gives, to whoever calls its methods."""
    return cast("Any", _Late(text, flags))
