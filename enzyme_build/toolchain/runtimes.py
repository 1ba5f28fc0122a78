"""Language runtimes: which of them undefined symbols come from, and the words that link them.

Each compiler adds the runtime of its own language when it links; a program of several languages needs the others' too.
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError, ToolError
from enzyme_build.regex import regex
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import Compiler, find_compiler, library_folders
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from enzyme_build.toolchain.find import ToolSettings


class Runtime(Enum):
    LIBSTDCXX = "libstdc++"
    LIBCXX = "libc++"
    FORTRAN = "libflang_rt"
    VECTOR = "libmvec"


# Rust's names look like C++'s, and end in a hash.
_RUST: Final = regex(r"_ZN.*17h[0-9a-f]{16}E")
_SYMBOLS: Final = {
    Runtime.VECTOR: regex(r"_ZGV[b-e]N\d+v+_"),
    Runtime.LIBCXX: regex(r"_ZN?[VKT]*S[ITt]*St3__1|_ZT[IVS]NSt3__1|_ZN[VK]*St3__1"),
    Runtime.LIBSTDCXX: regex(r"_Z|__cxa_(?!finalize$|atexit$)|__gxx_"),
    Runtime.FORTRAN: regex(r"_Fortran[A-Z]"),
}
_OWN: Final = {
    Language.C: frozenset[Runtime](),
    Language.CXX: frozenset((Runtime.LIBSTDCXX, Runtime.LIBCXX)),
    Language.FORTRAN: frozenset((Runtime.FORTRAN,)),
}
_VECTOR_LIBRARY: Final = "libmvec.so.1"
_VECTOR_NAME: Final = regex(rb"_ZGV[b-e]N\d+v+_\w+")
_ARCHIVE: Final = "libflang_rt.runtime.a"


def needed_runtimes(undefined: Iterable[str]) -> frozenset[Runtime]:
    """The runtimes that define symbols of these names."""
    found = {
        next((runtime for runtime, pattern in _SYMBOLS.items() if pattern.match(name)), None)
        for name in undefined
        if not _RUST.fullmatch(name)
    }
    if Runtime.LIBCXX in found:
        found.discard(Runtime.LIBSTDCXX)  # what both have, comes from the one whose classes are used
    return frozenset(runtime for runtime in found if runtime is not None)


def runtime_words(needed: Collection[Runtime], linker: Compiler, tools: ToolSettings) -> Iterator[str]:
    """What to add to a link line behind everything else, when `linker` runs it."""
    for runtime in sorted(set(needed) - _OWN[linker.language], key=lambda runtime: runtime.value):
        match runtime:
            case Runtime.FORTRAN:
                yield from (str(fortran_runtime(find_compiler(Language.FORTRAN, tools))), "-lm")
            case Runtime.VECTOR:
                yield from ("-lmvec", "-lm")
            case Runtime.LIBCXX:
                yield from ("-lc++", "-lm")
            case Runtime.LIBSTDCXX:
                yield from ("-lstdc++", "-lm")


def vector_functions(library: str, tools: ToolSettings) -> tuple[str, ...]:
    """The vector versions of functions that a library (`libmvec`; empty: none) has here: `_ZGVdN4v_exp` …"""
    if not library:
        return ()
    if library != "libmvec":
        raise ConfigError(f"unknown library of vector functions: '{library}'", hint="derivatives can use libmvec")
    compiler = find_compiler(Language.C, tools)
    for folder in library_folders(compiler):
        found = folder / _VECTOR_LIBRARY
        if found.is_file():
            return tuple(sorted({name.decode() for name in _VECTOR_NAME.findall(found.read_bytes())}))
    raise ToolError(
        f"no vector library: {_VECTOR_LIBRARY} is in none of the folders of '{compiler.command[0]}'",
        hint="it is part of glibc on x86-64; leave out -fveclib=libmvec elsewhere",
    )


def fortran_runtime(flang: Compiler) -> Path:
    """flang's own library, which lies with its resources."""
    command = [*flang.command, "-print-resource-dir"]
    folder = Path(process.check(process.run(command), command, "asking flang for its folder").stdout.strip(), "lib")
    found = sorted([*folder.glob(f"*/{_ARCHIVE}"), *folder.parents[2].glob(_ARCHIVE)])
    if not found:
        raise ToolError(f"{_ARCHIVE} is not in '{folder}'", hint="apt-get install libflang-22-dev")
    return found[0]
