"""Bodies for calls into flang's runtime library: what `a = b`, `pack(a, mask)` or `allocate` do, as typed loops.

The library moves bytes that descriptors describe at run time. The C sources beside this file do the same with loads
and stores of each element type, behind a choice by the descriptor's type code, which the optimiser decides where the
descriptor is made in sight. `compiled` compiles them once for a compiler; `add_bodies` gives those that a merged
module calls to it, and with them the functions over its derived types (`type_tables`). They are called
`enzyme_fortran_X` where the library has `_FortranAX`, so that the library's own can still be linked.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ToolError
from enzyme_build.fortran.access_tags import without_types
from enzyme_build.fortran.closures import TRAMPOLINES, with_visible_closures
from enzyme_build.fortran.descriptor_types import assume_types
from enzyme_build.fortran.type_tables import functions_of_types
from enzyme_build.ir.parser import parse_module
from enzyme_build.llvm import link, text
from enzyme_build.regex import regex
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import cache_folder, find_compiler
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from enzyme_build.toolchain.find import ToolSettings

_OWN: Final = "enzyme_fortran_"
_SOURCES: Final = Path(__file__).parent / "source"
_FLAGS: Final = (
    "-O1",
    "-g0",
    "-fPIC",
    "-std=c17",
    "-Wno-everything",
    "-fno-math-errno",
    "-Xclang",
    "-disable-llvm-passes",
)
_CALLED: Final = regex(r"@_FortranA(\w+)")


def compiled(tools: ToolSettings) -> Path:
    """The sources as one bitcode file, compiled when this compiler has not done so before."""
    compiler = find_compiler(Language.C, tools)
    folder = _cache_folder(tools, sorted(_SOURCES.iterdir()), compiler.command)
    file = folder / "bodies.bc"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            output = Path(work, file.name)
            command = [*compiler.command, *_FLAGS, "-emit-llvm", "-c", str(_SOURCES / "bodies.c"), "-o", str(output)]
            done = process.run(command)
            if done.returncode:
                raise ToolError(
                    "cannot compile the bodies of Fortran's runtime functions", command=command, stderr=done.stderr
                )
            output.replace(file)  # atomic, also over the file of another process
    return file


def _cache_folder(tools: ToolSettings, sources: Iterable[Path], command: Sequence[str]) -> Path:
    key = hashlib.sha256(repr((command, _FLAGS)).encode())
    stat = Path(shutil.which(command[0]) or command[0]).stat()
    key.update(f"{stat.st_size} {stat.st_mtime_ns}".encode())
    for source in sources:
        key.update(source.read_bytes())
    return cache_folder(tools.cache) / "fortran" / key.hexdigest()[:24]


def add_bodies(merged: str, file: Path) -> str:
    """`merged` with bodies, from the bitcode in `file`, for the functions of flang's runtime that it calls."""
    bodies = file.read_bytes()
    defined = link.definitions(bodies)
    called = {name for name in _CALLED.findall(merged) if _OWN + name in defined}
    if not called and TRAMPOLINES not in merged:
        return merged
    merged = _CALLED.sub(lambda match: f"@{_OWN}{match[1]}" if match[1] in called else match[0], merged)
    module = parse_module(merged)
    types = functions_of_types(module) + with_visible_closures(module)
    twins = {name for called_name in called if (name := f"{_OWN}{called_name}Of") in defined}
    merged = assume_types(module, _OWN, twins)
    needed = without_types(link.needed_part(bodies, {_OWN + name for name in called} | twins | _helpers(types)))
    merged = link.merge([("the program", merged.encode()), ("bodies", needed.encode()), ("types", types.encode())])
    defined, _, _ = text.symbols(merged)
    return text.internalise(merged, {name for name in defined if not name.startswith(_OWN)})


def _helpers(types: str) -> set[str]:
    return set(re.findall(r"^declare [^\n]*?@(enzyme_fortran_\w+)\(", types, re.MULTILINE))
