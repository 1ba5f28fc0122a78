"""OpenMP's runtime, a library that compilers name in links with `-fopenmp` and that is a package of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ToolError
from enzyme_build.toolchain.bitcode import NEWEST_LLVM
from enzyme_build.toolchain.clang import FrontEnd
from enzyme_build.toolchain.find import find_compiler, front_end, library_folders
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from enzyme_build.toolchain.find import ToolSettings

OPTIONS: Final = frozenset(("-fopenmp", "-fopenmp=libomp"))
REMEDY: Final = f"apt-get install libomp-{NEWEST_LLVM}-dev"
_NAMES: Final = ("libomp.so", "libomp.a")


def wants_runtime(words: Iterable[str]) -> bool:
    """Does a link of these words need the library?"""
    return not OPTIONS.isdisjoint(words)


def runtime_library(tools: ToolSettings, folders: Sequence[Path] = ()) -> Path | None:
    """The library in these folders, or where clang has the linker look (and flang, which does not tell)."""
    try:
        searched = [*folders, *library_folders(find_compiler(Language.C, tools))]
    except ToolError:
        searched = [*folders]
    return next((path for folder in searched for name in _NAMES if (path := folder / name).is_file()), None)


def note_missing_runtime(command: Sequence[str], language: Language, tools: ToolSettings, folders: list[Path]) -> str:
    """What a failed link with OpenMP shall add to the linker's message: how to get the library, if it is not there."""
    if front_end(command, language) is FrontEnd.ZIG:
        return f"note: ziglang has no OpenMP runtime; use clang: apt-get install clang-{NEWEST_LLVM} and {REMEDY}\n"
    return "" if runtime_library(tools, folders) else f"note: OpenMP's runtime is not installed: {REMEDY}\n"
