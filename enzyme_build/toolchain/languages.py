"""The languages that we compile: one row each, and everything that differs by language is a column.

Whose flags a compiler takes is in `clang.py`; which compilers there are is found in `find.py`.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Final

from enzyme_build.records import dataclass


class Language(Enum):
    """The value is the language's name for `-x`."""

    C = "c"
    CXX = "c++"
    FORTRAN = "f95"
    RUST = "rust"


@dataclass(frozen=True)
class Description:
    """How a language's sources look, and where its compiler comes from."""

    title: str
    program: str
    """The compiler's name, without version."""
    variable: str
    """Of the environment: names the compiler, for build tools as for us; ours is `ENZYME_…`."""
    suffixes: frozenset[str]
    """Endings of sources, as the compiler itself knows them."""
    probe: tuple[str, str]
    """A source of one function (ending and text), to try a compiler with."""
    remedy: str
    """How to get a compiler."""
    needs_order: bool = False
    """Sources can define modules that others need to be compiled."""
    versioned: bool = True
    """Are there programs of LLVM's versions, `clang-22`?"""


def _suffixes(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SQUARE: Final = "double f(double x) { return x * x; }\n"
_CLANG: Final = "apt-get install clang-22 lld-22, or: pip install ziglang"

LANGUAGES: Final = {
    Language.C: Description("C", "clang", "CC", _suffixes(".c .i"), (".c", _SQUARE), _CLANG),
    Language.CXX: Description(
        "C++", "clang++", "CXX", _suffixes(".cc .cpp .cxx .c++ .C .CPP .cp .ii"), (".cpp", _SQUARE), _CLANG
    ),
    Language.FORTRAN: Description(
        "Fortran",
        "flang",
        "FC",
        _suffixes(".f .for .ftn .f90 .f95 .f03 .f08 .fpp .F .FOR .FTN .F90 .F95 .F03 .F08 .FPP"),
        (".f90", "real(8) function f(x)\n  real(8) :: x\n  f = x * x\nend function\n"),
        "apt-get install flang-22",
        needs_order=True,
    ),
    Language.RUST: Description(
        "Rust",
        "rustc",
        "RUSTC",
        _suffixes(".rs"),
        (".rs", '#[no_mangle]\npub extern "C" fn f(x: f64) -> f64 {\n    x * x\n}\n'),
        "https://rustup.rs (rustc 1.95, LLVM 22)",
        versioned=False,
    ),
}

CRATE_MANIFEST: Final = "Cargo.toml"
_UNKNOWN_FORTRAN: Final = _suffixes(".ftn .FTN")
_BY_SUFFIX: Final = {suffix: language for language, row in LANGUAGES.items() for suffix in row.suffixes}
_C_NAMES: Final = _suffixes("c c++ objective-c objective-c++ cuda c++-module")
_FORTRAN_NAMES: Final = _suffixes("f77 f95 f77-cpp-input f95-cpp-input")


def by_ending(source: str | Path) -> Language | None:
    """The language that a source's ending stands for; a crate's manifest stands for the crate."""
    path = Path(source)
    return Language.RUST if path.name == CRATE_MANIFEST else _BY_SUFFIX.get(path.suffix)


def by_name(name: str) -> Language | None:
    """The language that `-x name` means, as far as a compiler of its own is needed for it."""
    if name in _FORTRAN_NAMES:
        return Language.FORTRAN
    return {"c": Language.C, "c++": Language.CXX}.get(name)


def is_c_name(name: str) -> bool:
    """Does `-x name` mean C, C++ or what is made of them?"""
    return name.removesuffix("-header") in _C_NAMES


def implied_name(source: str | Path) -> str:
    """The language to give with `-x` where the compiler does not know the ending."""
    return Language.FORTRAN.value if Path(source).suffix in _UNKNOWN_FORTRAN else ""


def flags_for_ending(source: str | Path) -> list[str]:
    """What an ending means that its compiler does not know: fixed form; capitals are for sources to be preprocessed."""
    suffix = Path(source).suffix
    return ["-ffixed-form", *(["-cpp"] if suffix.isupper() else [])] if suffix in _UNKNOWN_FORTRAN else []
