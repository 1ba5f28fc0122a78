"""A C or C++ source and the headers of its project, as bytes, before anything is compiled.

Drivers look here for what concerns them in every file of a build, so this file imports next to nothing.
"""

# pathlib costs more than the rest of this.
# ruff: noqa: PTH113, PTH118, PTH123

from __future__ import annotations

import os
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FOLDERS = ("-I", "-iquote", "-isystem", "-idirafter")
_CLOSING = {b"<": b">", b'"': b'"'}
_MOST_FILES = 4000


def texts(sources: Sequence[str], flags: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Path and content of each source and of what it includes; system headers are not looked at."""
    folders = include_folders(flags)
    pending, seen = [*sources, *_forced(flags)], set[tuple[str, str]]()
    real: dict[str, str] = {}
    while pending and len(seen) < _MOST_FILES:
        path = pending.pop()
        folder, name = os.path.split(path)
        if folder not in real:
            real[folder] = os.path.realpath(folder)
        # Not where a link leads to: its target may have neighbours of other names.
        if (real[folder], name) in seen:
            continue
        seen.add((real[folder], name))
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError:
            continue
        yield path, text
        for header, is_quoted in includes(text):
            places = [folder, *folders] if is_quoted else folders
            pending += next(([found] for place in places if os.path.isfile(found := os.path.join(place, header))), [])


def include_folders(flags: Sequence[str]) -> list[str]:
    """The folders that a command line says to search."""
    found: list[str] = []
    words = iter(flags)
    for word in words:
        option = next((option for option in _FOLDERS if word.startswith(option)), None)
        if option is not None:
            found.append(word[len(option) :] or next(words, ""))
    return found


def _forced(flags: Sequence[str]) -> list[str]:
    """Headers that the command line includes."""
    return [value for word, value in pairwise(flags) if word == "-include"]


def includes(text: bytes) -> Iterator[tuple[str, bool]]:
    """Each `#include`: the name, and whether it is in quotes."""
    at = text.find(b"include")
    while at >= 0:
        before = text[text.rfind(b"\n", 0, at) + 1 : at]
        if before.strip(b" \t") == b"#":
            end = text.find(b"\n", at)
            rest = text[at + len(b"include") : end if end >= 0 else None].lstrip(b" \t")
            close = rest.find(_CLOSING.get(rest[:1], b"\0"), 1)
            if close > 1:
                yield os.fsdecode(rest[1:close]), rest[:1] == b'"'
        at = text.find(b"include", at + 1)
