"""Front-end flags of clang, flang and rustc: from options to argument list, as pure functions.

Objects are *fat*: machine code as the user asked for, and beside it bitcode at the level that differentiation wants:
optimised, but not vectorised and not unrolled. Thin-LTO's pre-link pipeline stops exactly there, while the machine
code of the same object still gets the whole pipeline; full LTO's would vectorise, or neither of the two.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from enzyme_build.repeated import NO_FOLDER, asks_for_debug_data, gets_debug_data

if TYPE_CHECKING:
    from collections.abc import Sequence


def _quiet(warning: str, words: str) -> str:
    """`words` among a declaration's attributes, where clang shall not give this warning about them."""
    ignored = rf'_Pragma("clang diagnostic ignored \"{warning}\"")'
    return f'_Pragma("clang diagnostic push") {ignored} {words} _Pragma("clang diagnostic pop")'


# Not only must such functions not be inlined: nothing may be concluded from their bodies, such as that one returns its
# argument. Variables can have our attributes, too, and not this one.
_OPAQUE: Final = _quiet("-Wignored-attributes", "optnone")

KEEP_INLINE: Final = ("-mllvm", "-inline-threshold=-1000000", "-mllvm", "-inlinehint-threshold=-1000000")
"""Flags that keep `inline` functions which are called: the link step inlines them."""
ATTRIBUTE_FLAGS: Final = tuple(
    f"-D{macro}={words}"
    for macro, words in {
        "enzyme(kind, function)": f'{_OPAQUE}, annotate("enzyme_" kind, function)',
        "enzyme_inactive": f'{_OPAQUE}, annotate("enzyme_inactive")',
        "enzyme_function_like(name)": f'{_OPAQUE}, annotate("enzyme_function_like=" name)',
        "enzyme_shouldrecompute": 'annotate("enzyme_shouldrecompute")',
        "enzyme_sparse_accumulate": 'annotate("enzyme_sparse_accumulate")',
        # Also the name of an option of requests (`extern int enzyme_nofree;`), so it must stay a word.
        "enzyme_nofree": _quiet("-Wunknown-attributes", "enzyme_nofree"),
    }.items()
)
"""What makes an unmodified clang accept our attributes: macros that turn them into `annotate`. They are given on the
command line and not in a header, so that line numbers, dependency files and preprocessed output are as without them,
and before the user's own options, so that `-U` can take them away."""

_PLACEMENTS: Final = ("-fPI", "-fpi", "-fno-PI", "-fno-pi")


class FrontEnd(Enum):
    """Whose command line it is."""

    CLANG = "clang"
    FLANG = "flang"
    ZIG = "zig"
    RUSTC = "rustc"


# flang's driver warns of thin LTO as unfinished; its compiler does what clang's does.
_FAT: Final = {
    False: ("-flto=thin", "-ffat-lto-objects"),
    True: ("-fno-lto", "-Xflang", "-flto=thin", "-Xflang", "-ffat-lto-objects"),
}


class BitcodeStyle(Enum):
    """Where a compiler puts bitcode."""

    FAT = "fat"
    """Section `.llvm.lto` (clang 17 and later)."""
    EMBEDDED = "embedded"
    """Section `.llvmbc` (older clang): from before optimisation."""
    BARE = "bare"
    """What is written is bitcode and nothing else (rustc, when told that the linker optimises)."""


_RUST_FLAGS: Final = ("linker-plugin-lto", "panic=abort", "codegen-units=1", "no-vectorize-loops", "no-vectorize-slp")
"""Without unwinding there are no landing pads, which would only be in the way: no derivative is thrown through."""


def styles(front_end: FrontEnd) -> tuple[BitcodeStyle, ...]:
    """What to try, in this order."""
    return (BitcodeStyle.BARE,) if front_end is FrontEnd.RUSTC else (BitcodeStyle.FAT, BitcodeStyle.EMBEDDED)


_INSTRUMENTED: Final = frozenset(("address", "hwaddress", "kernel-address", "memory", "memtag", "thread", "type"))
PASSES_SKIPPED: Final = "enzyme-passes-skipped"
"""Is noted as an option in debug data where passes were skipped."""
_UNOPTIMISED: Final = ("-Xclang", "-disable-O0-optnone")
"""-O0 marks every function as never to be optimised: what cannot be optimised is slow to differentiate."""
_TYPED_UNOPTIMISED: Final = (
    *("-Xclang", "-O1", "-mllvm", "-opt-bisect-limit=0", "-mllvm", "-opt-bisect-verbose=0"),
    *("-Xclang", "-U__OPTIMIZE__", "-Xclang", "-D__NO_INLINE__=1"),
    *("-Xclang", "-dwarf-debug-flags", "-Xclang", PASSES_SKIPPED),
)
"""The same, with what the language says of the types of accesses, and when variables begin and end: clang leaves that
out at -O0. It is told to optimise, and LLVM to skip all passes that may be; macros are as they are at -O0, and debug
data tells (`llvm.unoptimised`)."""
_QUIET_BISECTION: Final = 22
"""LLVM's version from which on passes can be skipped without a word (`-opt-bisect-verbose`)."""
_PASSES: Final = ("-fprofile", "--coverage", "-fcoverage", "-ftest-coverage", "-fpass-plugin", "-fplugin")
_COMPILED_HEADERS: Final = ("-include", "-fmodule", "-fprebuilt-module")


_NO_NAMES_OF_ONE_CALL: Final = [
    word for kind in ("dummy-arg", "local-alloc", "direct") for word in ("-mmlir", f"-{kind}-tbaa=false")
]
"""Flang's access tags that name variables of one call: its own passes rely on them where they inlined a procedure twice
(`fortran/access_tags.py`)."""
_IN_ORDER: Final = ("-mmlir", "--mlir-disable-threading")
"""Flang's passes on procedures side by side would leave attributes at other addresses each time, and debug data in
another order (see `repeated.FixedAddresses`); on its own it takes a twentieth longer."""


def _is_bound_to_level(flag: str) -> bool:
    """Does this ask for passes that LLVM takes for optional ones, as counters of coverage, or may it name a precompiled
    header or module, which is good for one level of optimisation only?"""
    return flag.startswith((*_PASSES, *_COMPILED_HEADERS)) or "opt-bisect" in flag


def _instruments(user: Sequence[str]) -> bool:
    """Does this ask for sanitizers that change each access to memory? They work before fat objects get bitcode."""
    told: set[str] = set()
    for flag in user:
        prefix, _, kinds = flag.partition("=")
        if prefix == "-fsanitize":
            told.update(kinds.split(","))
        elif prefix == "-fno-sanitize":
            told = set() if kinds == "all" else told.difference(kinds.split(","))
    return not told.isdisjoint(_INSTRUMENTED)


def bitcode_flags(
    style: BitcodeStyle, user: Sequence[str], front_end: FrontEnd = FrontEnd.CLANG, major: int = 0
) -> list[str]:
    """What to add behind the user's own flags so that the object carries bitcode; `major` is LLVM's version, or 0.
    Bitcode for derivatives is that of the program, without what sanitizers add to it: machine code alone has that."""
    if style is BitcodeStyle.FAT and front_end is FrontEnd.CLANG and _instruments(user):
        style = BitcodeStyle.EMBEDDED
    match style:
        case BitcodeStyle.BARE:
            return [f"-C{flag}" for flag in _RUST_FLAGS]
        case BitcodeStyle.FAT:
            flags = ["-fno-unroll-loops", *_FAT[front_end is FrontEnd.FLANG]]
            if front_end is FrontEnd.FLANG:
                flags += [*_NO_NAMES_OF_ONE_CALL, *_IN_ORDER]
            if front_end is FrontEnd.CLANG and not any("cfi" in f for f in user if f.startswith("-fsanitize=")):
                # Virtual calls say their class, in the bitcode alone (`llvm/virtual_calls.py`).
                flags += ["-fwhole-program-vtables", "-fno-split-lto-unit"]
        case BitcodeStyle.EMBEDDED:
            flags = ["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-Xclang", "-fembed-bitcode=bitcode"]
    flags += placement_flags(user)
    flags += anonymous_folder(user, front_end)
    if front_end is not FrontEnd.FLANG:
        flags += places(user)
    elif not any(asks_for_debug_data(flag) for flag in user):
        # Declared types say what is behind a descriptor.
        flags.append("-g")
    if front_end is not FrontEnd.FLANG and optimisation_level(user) in {"", "0"}:
        typed = front_end is FrontEnd.CLANG and major >= _QUIET_BISECTION and not any(map(_is_bound_to_level, user))
        flags += _TYPED_UNOPTIMISED if typed else _UNOPTIMISED
        # Nor is it vectorised, which the pipeline for fat objects mentions for each `omp simd`.
        flags.append("-Wno-pass-failed")
    if front_end is not FrontEnd.FLANG:
        # Parameters keep their names: in messages, and to see which of them are one struct in the source.
        flags.append("-fno-discard-value-names")
    if front_end is FrontEnd.ZIG:
        # zig's own defaults: code for this machine's CPU only, and traps on undefined behaviour.
        flags += [] if any(flag.startswith(("-march=", "-mcpu=")) for flag in user) else ["-mcpu=baseline"]
        flags += [] if any(flag.startswith("-fsanitize") for flag in user) else ["-fno-sanitize=undefined"]
    return flags


def placement_flags(user: Sequence[str]) -> list[str]:
    """Debian's clang defaults to PIE, whose `dso_local` code cannot go into a shared library."""
    told = any(flag.startswith(_PLACEMENTS) or flag in {"-static", "-static-pie"} for flag in user)
    return [] if told else ["-fPIC"]


def optimisation_level(flags: Sequence[str]) -> str:
    """The last `-O` of a command line, as clang reads it ("" when there is none)."""
    level = ""
    for flag in flags:
        if flag.startswith("-O"):
            level = flag[2:] or "1"
    return level


def anonymous_folder(user: Sequence[str], front_end: FrontEnd) -> list[str]:
    """Keep the folder out of debug data that nobody asked for: equal sources then make equal objects everywhere, as
    they do with the compiler alone."""
    told = gets_debug_data(user) or any(flag.startswith(_FOLDER_FLAGS) for flag in user)
    return [] if told or front_end is not FrontEnd.CLANG else [f"-fdebug-compilation-dir={NO_FOLDER}"]


def places(user: Sequence[str]) -> list[str]:
    """Have code say where in the source it is from, in the bitcode alone: machine code and sections stay as the
    compiler alone makes them. It does so wherever remarks are asked for; no pass has a name that these are for."""
    told = gets_debug_data(user) or any(flag.startswith("-Rpass=") or flag in _ALL_REMARKS for flag in user)
    return [] if told else ["-Rpass=^@"]


_ALL_REMARKS: Final = ("-Rpass", "-Reverything")
_FOLDER_FLAGS: Final = ("-fdebug-compilation-dir", "-ffile-compilation-dir")
