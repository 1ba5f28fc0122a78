"""The Fortran module `enzyme`, compiled for the compiler that reads it: each has a format of its own."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ToolError
from enzyme_build.regex import regex
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.toolchain.find import Compiler, ToolSettings

_SOURCE: Final = Path(__file__).parent / "module" / "enzyme.f90"
_USES: Final = regex(rb"(?i)\benzyme\b")
_MODULE: Final = "enzyme.mod"


def folder_of_module(compiler: Compiler, tools: ToolSettings) -> Path:
    """Where `enzyme.mod` lies, made when this compiler has not done so before."""
    folder = cache_folder(tools.cache) / "fortran" / f"module-{_key(compiler)}"
    try:
        if not (folder / _MODULE).exists():
            _make(folder, compiler)
    except OSError as error:
        raise ToolError(
            f"cannot write the module 'enzyme' to '{folder}': {error.strerror}",
            hint="name another folder by the variable ENZYME_CACHE_DIR",
        ) from error
    return folder


def _make(folder: Path, compiler: Compiler) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        command = [*compiler.command, "-fsyntax-only", "-J", work, str(_SOURCE)]
        done = process.run(command)
        if done.returncode:
            raise ToolError("cannot compile the module 'enzyme'", command=command, stderr=done.stderr)
        # Last the one that is looked for, and each at once: other processes may be doing the same.
        for made in sorted(Path(work).iterdir(), key=lambda file: file.name == _MODULE):
            made.replace(folder / made.name)


def module_flags(sources: Iterable[Path], compiler: Compiler, tools: ToolSettings) -> list[str]:
    """What makes `use enzyme` find our module, behind the user's folders.

    All sources get it: another module that they use may be one that uses ours. Only where it cannot be made, and nobody
    speaks of it, do they get nothing.
    """
    try:
        return ["-I", str(folder_of_module(compiler, tools))]
    except ToolError:
        if any(map(_uses, sources)):
            raise
        return []


def _uses(source: Path) -> bool:
    try:
        return _USES.search(source.read_bytes()) is not None
    except OSError:
        return False


def _key(compiler: Compiler) -> str:
    stat = Path(shutil.which(compiler.command[0]) or compiler.command[0]).stat()
    key = hashlib.sha256(repr((compiler.command, stat.st_size, stat.st_mtime_ns)).encode())
    key.update(_SOURCE.read_bytes())
    return key.hexdigest()[:24]
