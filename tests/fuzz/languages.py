"""The languages of random functions: what makes them, in which file they stand, and how that is compiled."""

from __future__ import annotations

import subprocess  # noqa: TID251
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))
from build import QUICK, build
from cxx_programs import CXX_HEAD, random_cxx
from fortran_programs import random_fortran
from generate import random_function
from ir_programs import random_ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RAW = "-fenzyme-ad-before-opt"
Pairs = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Language:
    """Functions of one language. Those without `ending` stand in the C file, or are linked along as modules."""

    name: str
    option: str
    what: str
    """As `--help` calls it."""
    random: Callable[..., str]
    """The text of a function by its seed and its name; with `fixed` it only reads `y`."""
    levels: Pairs
    """Flags of the builds of a function, by the number of its batch."""
    ending: str = ""
    head: str = ""
    """What stands above all functions of a file."""
    driver: str = "c"
    words: tuple[str, ...] = ()
    """For the compilation of the file."""
    libraries: tuple[str, ...] = ()

    def compile(self, source: Path, level: str, seconds: int) -> tuple[int, str, list[str]]:
        """The file as an object: exit code, what was said, and what a link needs of it."""
        output = str(source.with_suffix(".o"))
        code, said = build([*level.split(), "-w", *self.words, "-c", str(source), "-o", output], seconds,
                           driver=self.driver, folder=source.parent)  # fmt: skip
        return code, said, [output, *self.libraries]

    def compile_plain(self, source: Path, words: Sequence[str]) -> list[str] | None:
        """The same without us; nothing if it is not of the language."""
        compiler, runtime = {"c++": ("clang++-22", ""), "f95": ("flang-22", "-lflang_rt.runtime")}[self.driver]
        output = str(source.with_suffix(".o"))
        command = [compiler, *words, *self.words, "-c", str(source), "-o", output]
        done = subprocess.run(command, cwd=source.parent, check=False)
        return [output, *self.libraries, *[runtime] * bool(runtime)] if done.returncode == 0 else None


C = Language(
    "c", "", "C", random_function,
    ((f"-O2 -g {QUICK}", "-O0 -g"), ("-O0",), ("-O2",), (f"-O1 -g {QUICK}", f"-O3 {QUICK}"), ("-O0 -g",)),
)  # fmt: skip
IR = Language("ir", "ir", "LLVM's language", lambda seed, name, **_: random_ir(seed, name),
              ((f"-O2 {QUICK}", f"-O1 {RAW}"), ("-O2",), (f"-O1 {RAW}",)))  # fmt: skip
CXX = Language(
    "c++", "cxx", "C++", random_cxx, (("-O2 -g", f"-O1 -g {QUICK}"), ("-O2",), ("-O3", "-O0 -g")), ".cpp", CXX_HEAD,
    "c++", ("-std=c++20",), ("-lstdc++",),
)  # fmt: skip
FORTRAN = Language(
    "fortran", "fortran", "Fortran", random_fortran,
    (("-O2 -g", "-O0 -g"), ("-O2",), ("-O0",), (f"-O1 -g {QUICK}", f"-O3 {QUICK}")), ".f90", driver="f95",
)  # fmt: skip
LANGUAGES = {language.name: language for language in (C, IR, CXX, FORTRAN)}
