"""Sources of this package as bitcode: bodies of functions that a language's library has as machine code.

Each is compiled once by the compiler that is there, and kept in the cache folder for as long as neither changes.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ToolError

from . import process
from .find import cache_folder, find_compiler

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .find import ToolSettings
    from .languages import Language

_FLAGS: Final = ("-O1", "-g0", "-fPIC", "-Wno-everything", "-fno-math-errno", "-Xclang", "-disable-llvm-passes")
"""As code is that the link step optimises."""


def compiled_bodies(source: Path, language: Language, flags: Sequence[str], tools: ToolSettings) -> Path:
    """`source`, which may include what lies beside it, as a file of bitcode; ToolError where that cannot be made."""
    compiler = find_compiler(language, tools)
    words = (*_FLAGS, *flags)
    key = hashlib.sha256(repr((compiler.command, words)).encode())
    stat = Path(shutil.which(compiler.command[0]) or compiler.command[0]).stat()
    key.update(f"{stat.st_size} {stat.st_mtime_ns}".encode())
    for part in sorted(source.parent.iterdir()):
        key.update(part.read_bytes())
    folder = cache_folder(tools.cache) / source.parents[1].name / key.hexdigest()[:24]
    file = folder / source.with_suffix(".bc").name
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            output = Path(work, file.name)
            command = [*compiler.command, *words, "-emit-llvm", "-c", str(source), "-o", str(output)]
            done = process.run(command)
            if done.returncode:
                raise ToolError("cannot compile bodies of the library's functions", command=command, stderr=done.stderr)
            output.replace(file)  # atomic, also over the file of another process
    return file
