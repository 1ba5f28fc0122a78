"""The languages of random functions: what makes them, in which file they stand, and how that is compiled."""

from __future__ import annotations

import re
import subprocess  # noqa: TID251
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from build import QUICK, build
from cxx_programs import CXX_HEAD, random_cxx
from fortran_programs import random_fortran
from generate import random_function
from ir_programs import random_ir
from request_programs import random_request
from run_programs import RUSTC
from rust_programs import RUST_HEAD, random_rust
from words import random_words

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
    has_requests: bool = False
    """Do the texts have the requests for the derivatives with them?"""

    @property
    def is_c(self) -> bool:
        """Do they stand in the C file?"""
        return self.name in {"c", "requests", "words"}

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


class Crates(Language):
    """Rust: rustc makes a static library of a file, with the crate as bitcode and what it uses of the library."""

    def compile(self, source: Path, level: str, seconds: int) -> tuple[int, str, list[str]]:
        """Valgrind gives up on the library's debug data."""
        levels = [f"-Copt-level={word[2]}" for word in level.split() if re.fullmatch("-O[0-3]", word)]
        code, said, output = self._compile(source, [*RUSTC, *levels], seconds)
        return code, said, [output, "-Wl,--strip-debug"]

    def compile_plain(self, source: Path, words: Sequence[str]) -> list[str] | None:
        del words
        code, _, output = self._compile(source, [word for word in RUSTC if word != "-Clinker-plugin-lto"], 60)
        return [output, "-Wl,--strip-debug"] if code == 0 else None

    def _compile(self, source: Path, command: list[str], seconds: int) -> tuple[int, str, str]:
        output = str(source.with_suffix(".a"))
        try:
            done = subprocess.run([*command, *self.words, str(source), "-o", output], capture_output=True, text=True,
                                  timeout=seconds, check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            return 124, "internal error: no end", output
        return done.returncode, done.stderr, output


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
RUST = Crates(
    "rust", "rust", "Rust", random_rust, (("-O2", "-O0"), ("-O1", "-O2"), ("-O3",)), ".rs", RUST_HEAD,
    words=("--cap-lints=allow", "--error-format=short"),
)  # fmt: skip
REQUESTS = Language(
    "requests", "requests", "C, whose requests are random, too,", lambda seed, name, **_: random_request(seed, name),
    C.levels, has_requests=True,
)  # fmt: skip
WORDS = Language("words", "words", "C, whose words are numbers and integers,", random_words, C.levels)
LANGUAGES = {language.name: language for language in (C, IR, CXX, FORTRAN, RUST, REQUESTS, WORDS)}
