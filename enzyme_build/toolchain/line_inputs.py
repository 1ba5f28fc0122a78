"""The files that the inputs of a driver's command line are: objects and archives by name, libraries by `-l` and `-L`,
and what linker scripts name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .arguments import Argument, CommandLine, Kind, library_folders_named
from .export_section import MARK
from .objects import is_linker_input, mentions
from .scripts import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


def input_path(argument: Argument, line: CommandLine) -> Path | None:
    """The object, archive or library that an input names; None for what only the linker's own search finds."""
    path = _named_file(argument, line)
    return path if path is not None and is_linker_input(path) else None


def _named_file(argument: Argument, line: CommandLine) -> Path | None:
    if not argument.text.startswith("-l"):
        return Path(argument.text)
    return _library(argument, line, folders_of_libraries(line))


def _library(argument: Argument, line: CommandLine, folders: Iterable[Path]) -> Path | None:
    """What `-l…` means where these folders are searched."""
    name = argument.text[2:]
    static = argument.static or "-static" in line.words(Kind.LINK)
    names = [name[1:]] if name.startswith(":") else [f"lib{name}.a"] if static else [f"lib{name}.so", f"lib{name}.a"]
    places = (folder / file for folder in folders for file in names)
    return next((place for place in places if place.is_file()), None)


_WITHOUT_EXPORTS: Final = frozenset(
    f"-l{name}" for name in ["m", "c", "dl", "pthread", "rt", "gcc", "gcc_s", "stdc++", "c++", "util"]
)
"""Libraries of the system, which nearly every link names."""


def exporting_libraries(
    line: CommandLine, known: Collection[Argument], searched: Callable[[], Sequence[Path]]
) -> dict[Argument, Path]:
    """Libraries that only the linker's own search of folders finds, as far as they have exported derivatives.

    Which folders are `searched` has to be asked of the compiler, which takes time; most links do not need it.
    """
    rest = [one for one in line.of(Kind.INPUT) if one not in known and one.text.startswith("-l")]
    rest = [one for one in rest if one.text not in _WITHOUT_EXPORTS]
    folders = searched() if rest else ()
    found = {one: path for one in rest if (path := _library(one, line, folders))}
    return {one: path for one, path in found.items() if is_linker_input(path) and mentions(path, MARK)}


def missing_libraries(line: CommandLine, known: Collection[Argument], searched: Sequence[Path]) -> list[str]:
    """Libraries that nobody finds, in the folders of the line or those `searched` besides: `-lnone`. Of compilers that
    do not tell their folders (flang) nothing is known."""
    rest = [one for one in line.of(Kind.INPUT) if searched and one not in known and one.text.startswith("-l")]
    folders = [*folders_of_libraries(line), *searched]
    return [one.text for one in rest if _library(one, line, folders) is None]


def folders_of_libraries(line: CommandLine) -> list[Path]:
    return [Path(folder) for folder in library_folders_named(line)]


def with_scripts_opened(line: CommandLine, *, bare: bool) -> CommandLine:
    """The line with the inputs of linker scripts in place of the scripts that only name them; `bare`: as the linker
    itself reads it."""
    arguments: list[Argument] = []
    for argument in line.arguments:
        path = _named_file(argument, line) if argument.kind is Kind.INPUT else None
        script = path is not None and path.is_file() and not is_linker_input(path)
        inside = opened(argument, path, folders_of_libraries(line)) if script and path else None
        for one in [argument] if inside is None else inside:
            through = inside is not None and one.kind is Kind.LINK and not bare
            arguments.append(replace(one, words=("-Xlinker", *one.words)) if through else one)
    return replace(line, arguments=tuple(arguments))
