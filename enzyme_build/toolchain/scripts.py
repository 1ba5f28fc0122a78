"""Linker scripts that only name other files, as they stand for libraries: `GROUP ( libg.a AS_NEEDED ( -lm ) )`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex
from enzyme_build.toolchain.arguments import Argument, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LARGEST: Final = 1 << 16
_SYSTEM: Final = ("/lib", "/usr/lib")
_COMMENT: Final = regex(r"/\*.*?\*/", re.DOTALL)
_WORD: Final = regex(r'[()]|"[^"]*"|[^\s(),"]+')


def opened(argument: Argument, script: Path, folders: Sequence[Path]) -> list[Argument] | None:
    """The inputs that the script stands for, and options of the linker between them (bare, each word for itself).

    None: it does more than that, or is the system's."""
    if str(script.resolve()).startswith(_SYSTEM):
        return None
    try:
        if script.stat().st_size > _LARGEST:
            return None
        text = _COMMENT.sub(" ", script.read_text())
    except (OSError, UnicodeDecodeError):
        return None
    words = iter(_WORD.findall(text))
    found: list[Argument] = []
    for command in words:
        if next(words, "") != "(" or command not in {"GROUP", "INPUT", "OUTPUT_FORMAT", "SEARCH_DIR"}:
            return None
        files = list(_files(words, argument, [Path(), script.parent, *folders]))
        if command == "GROUP":
            # Numbers of groups on the line count upwards from 1.
            found += [_option("--start-group"), *map(_in_group, files), _option("--end-group")]
        elif command == "INPUT":
            found += files
    return found


def _files(words: Iterator[str], argument: Argument, folders: Sequence[Path]) -> Iterator[Argument]:
    """The inputs up to the parenthesis that closes the command."""
    for word in words:
        if word == ")":
            return
        if word == "AS_NEEDED" and next(words, "") == "(":
            yield _option("--push-state")
            yield _option("--as-needed")
            yield from _files(words, argument, folders)
            yield _option("--pop-state")
            continue
        name = word.strip('"')
        if not name.startswith("-l"):
            name = next((str(folder / name) for folder in folders if (folder / name).is_file()), f"-l:{name}")
        yield replace(argument, words=(name,))


def _option(text: str) -> Argument:
    return Argument(Kind.LINK, (text,))


def _in_group(argument: Argument) -> Argument:
    return replace(argument, group=argument.group or -1) if argument.kind is Kind.INPUT else argument
