"""A compiler driver's command line, understood as far as we need it.

Each argument is an input, an option of the compilation only, of the link only, or of both; order is kept, since `-x`,
`-L`, `-Wl,…` and archives act by position. What we do not know is an option of both, as clang accepts it in both.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import field
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.toolchain.languages import LANGUAGES, Language, by_ending, by_name, implied_name, is_c_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Step(Enum):
    LINK = "link"
    COMPILE = "compile"
    OTHER = "other"
    """Preprocess, list dependencies, print something: nothing of ours."""


class Kind(Enum):
    SOURCE = "source"
    INPUT = "input"
    """A file for the linker, or `-l…`."""
    COMPILE = "compile"
    LINK = "link"
    BOTH = "both"
    OUTPUT = "output"


@dataclass(frozen=True)
class Argument:
    """One option with its value, or one input; `words` are as the user wrote them."""

    kind: Kind
    words: tuple[str, ...]
    language: str = ""
    """Of a source under `-x`: the language given."""
    whole: bool = False
    """Of an input: between `--whole-archive` and its end."""
    static: bool = False
    """Of a `-l`: under `-Bstatic`."""
    group: int = 0
    """Of an input: the number of the `--start-group` that it is in; 0: none."""
    lazy: bool = False
    """Of an object: between `--start-lib` and its end."""

    @property
    def text(self) -> str:
        return self.words[0]


@dataclass(frozen=True)
class CommandLine:
    arguments: tuple[Argument, ...]
    step: Step
    output: str | None
    ours: dict[str, str] = field(default_factory=dict)
    """Options of our own (`--save-stages` …), taken out of the line."""

    def of(self, *kinds: Kind) -> list[Argument]:
        return [argument for argument in self.arguments if argument.kind in kinds]

    def words(self, *kinds: Kind) -> list[str]:
        return [word for argument in self.of(*kinds) for word in argument.words]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Our own options: those that take a value, and those that do not.
_OUR_VALUES: Final = ("save-stages",)
_OUR_FLAGS: Final = ("ad-before-opt", "loose-types")
_EXPORT: Final = "-fenzyme-export="
"""Stands for each function whose derivatives are exported; the values are kept in lines."""
_OUR_WARNINGS: Final = regex(r"-W(no-)?(error=)?enzyme(-[a-z-]+)?")

_OTHER_STEPS: Final = _words(
    """
    -E -S -M -MM -fsyntax-only --analyze --precompile -### --version -dumpversion -dumpmachine -emit-ast
    -emit-llvm -cc1 -cc1as --help -help -rewrite-objc --print-supported-cpus -emit-interface-stubs
    """
)
_OTHER_PREFIXES: Final = ("-print-", "--print-", "--help-", "-dumpspecs")

# Options whose value is the next word.
_COMPILE_VALUES: Final = _words(
    """
    -I -D -U -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix -iwithprefixbefore -isysroot
    -MF -MT -MQ -Xclang -Xpreprocessor -Xassembler -Xanalyzer -include-pch -iframework -F -mllvm -A -cxx-isystem
    -stdlib++-isystem -ivfsoverlay -dependency-file -MJ -J -module-dir -fintrinsic-modules-path -Xflang -mmlir
    """
)
_LINK_VALUES: Final = _words(
    """
    -L -l -T -u -z -e -Xlinker -rpath -framework -undefined -soname -h --undefined --entry -Xoffload-linker
    -exported_symbols_list -install_name -R -Tbss -Tdata -Ttext
    """
)
_BOTH_VALUES: Final = _words(
    """
    -target -arch -B -gcc-toolchain --sysroot -G --config -Xarch_host --param -resource-dir -working-directory
    -ccc-install-dir -fplugin -triple
    """
)
_LINK_EXACT: Final = _words(
    """
    -nostartfiles -nodefaultlibs -nolibc -nostdlib -nostdlib++ -rdynamic -shared -static -static-pie -pie
    -no-pie -nopie -s -r -static-libgcc -static-libstdc++ -shared-libgcc -static-openmp --export-dynamic
    """
)
_LINK_JOINED: Final = (
    "-Wl,",
    "-L",
    "-T",
    "-u",
    "-z",
    "-fuse-ld=",
    "--ld-path=",
    "-rtlib=",
    "--rtlib=",
    "-unwindlib=",
    "--unwindlib=",
    "-R",
)
_REMARKS: Final = ("-Rpass", "-Reverything", "-Rno-")
"""Clang's options for remarks, which are no folders to search libraries in (`-R`)."""
_COMPILE_JOINED: Final = (
    "-I",
    "-D",
    "-U",
    "-MF",
    "-MT",
    "-MQ",
    "-std=",
    "-W",
    "-isystem",
    "-include",
    "-iquote",
    "-pedantic",
    "-J",
)
_COMPILE_EXACT: Final = _words(
    """
    -MD -MMD -MP -MG -MV -P -C -CC -ansi -w -cpp -nocpp -ffree-form -ffixed-form
    """
)

_SOURCE_SUFFIXES: Final = _words(
    """
    .m .mm .ll .s .S .sx .cppm .ixx .pcm .cu
    """
).union(*(row.suffixes for language, row in LANGUAGES.items() if language is not Language.RUST))
_ASSEMBLY_SUFFIXES: Final = _words(
    """
    .s .S .sx
    """
)
_HEADER_SUFFIXES: Final = _words(
    """
    .h .hh .hpp .hxx .h++ .H .tcc
    """
)


def parse(words: Sequence[str]) -> CommandLine:
    """The command line `words` (without the compiler's name), response files read in."""
    ours: dict[str, str] = {}
    arguments: list[Argument] = []
    step = Step.LINK
    output: str | None = None
    language, state = "", LinkerState()
    rest = iter(expand_response_files(words))
    for word in rest:
        name = _our_option(word)
        if _OUR_WARNINGS.fullmatch(word):
            ours["warnings"] = f"{ours.get('warnings', '')} {word.removeprefix('-W')}".strip()
        elif f"{word}=" == _EXPORT:
            raise ConfigError(
                f"'{word}' names no function", hint=f"write {_EXPORT}NAME, or {_EXPORT}'*' for all of them"
            )
        elif word.startswith(_EXPORT):
            ours["export"] = _one_more(ours, word)
        elif name in _OUR_FLAGS:
            ours[name] = "1"
        elif name in _OUR_VALUES:
            ours[name] = word.split("=", 1)[1] if "=" in word else _value(word, rest)
        elif word == "-" or not word.startswith("-"):
            arguments.append(_input(word, language, state))
        elif word == "-x" or (word.startswith("-x") and len(word) > 2):
            language = word[2:] or _value(word, rest)
            language = "" if language == "none" else language
        elif word == "-o" or (word.startswith("-o") and not word.startswith("-object")):
            output = word[2:] or _value(word, rest)
            arguments.append(Argument(Kind.OUTPUT, ("-o", output)))
        elif word == "-c":
            step = Step.COMPILE if step is Step.LINK else step
        elif word in _OTHER_STEPS or word.startswith(_OTHER_PREFIXES):
            step = Step.OTHER
            arguments.append(Argument(Kind.BOTH, (word,)))
        elif word.startswith("-l"):
            library = word if len(word) > 2 else word + _value(word, rest)
            arguments.append(state.input(library))
        elif word == "--":
            arguments += [_input(name, language, state) for name in rest]
        else:
            option = _option(word, rest)
            arguments += _opened(option, state) if option.kind is Kind.LINK else [option]
    if any(argument.kind is Kind.SOURCE and is_header(argument) for argument in arguments):
        step = Step.OTHER  # a precompiled header
    return CommandLine(tuple(arguments), step, output, ours)


def parse_linker(words: Sequence[str]) -> CommandLine:
    """The command line of a linker itself."""
    ours: dict[str, str] = {}
    arguments: list[Argument] = []
    output: str | None = None
    state = LinkerState()
    rest = _libraries_joined(expand_response_files(words))
    for word in rest:
        name = _our_option(word)
        if word.startswith(_EXPORT):
            ours["export"] = _one_more(ours, word)
        elif name in _OUR_FLAGS:
            ours[name] = "1"
        elif name in _OUR_VALUES:
            ours[name] = word.split("=", 1)[1] if "=" in word else _value(word, rest)
        elif word in {"-o", "--output"} or word.startswith("--output="):
            output = word.partition("=")[2] or _value(word, rest)
            arguments.append(Argument(Kind.OUTPUT, ("-o", output)))
        elif not word.startswith("-") or word.startswith("-l"):
            arguments.append(state.input(word))
        else:
            option = (word, _value(word, rest)) if word in LINKER_VALUES else (word,)
            state.read(option[:1])
            arguments.append(Argument(Kind.LINK, option))
    return CommandLine(tuple(arguments), Step.LINK, output, ours)


_SYMBOL_OPTIONS: Final = _words("-u -e -undefined -entry -init -fini -require-defined -export-dynamic-symbol")


def is_assembly(argument: Argument) -> bool:
    """Assembler sources have no bitcode: they are compiled without our flags."""
    return argument.language.startswith("assembler") or (
        not argument.language and Path(argument.text).suffix in _ASSEMBLY_SUFFIXES
    )


_NOT_C: Final = _words(".ll .bc .pcm") | LANGUAGES[Language.FORTRAN].suffixes


def is_c_family(argument: Argument) -> bool:
    """Is a source preprocessed as C, C++ or what is made of them?"""
    if argument.language:
        return is_c_name(argument.language)
    return not is_assembly(argument) and Path(argument.text).suffix not in _NOT_C


def language_of(argument: Argument) -> Language | None:
    """The language of a source as far as a compiler of its own is needed for it; None: whatever reads the line."""
    return by_name(argument.language) if argument.language else by_ending(argument.text)


_FORTRAN_ONLY: Final = regex(
    r"-(J|module-dir|cpp$|nocpp$|ffree-form|ffixed-|fdefault-|fbackslash|flarge-sizes|fimplicit-none|std=f|Xflang|mmlir"
    r"|fintrinsic-modules-path|frealloc-lhs|fno-realloc-lhs|fstack-arrays|fno-automatic|fno-underscoring|fconvert=)"
)
_RUST_ONLY: Final = regex(r"--(cfg|edition|extern|check-cfg)=|-C[a-z]")
_ONLY: Final = {Language.FORTRAN: _FORTRAN_ONLY, Language.RUST: _RUST_ONLY}
_COMMON: Final = regex(r"-(O|g|I|D|U|m|pthread|fPI|fpi|fopenmp|ffast-math|ffp-contract|funroll|flto|w$)")


def is_for(word: str, language: Language, *, foreign: bool) -> bool:
    """Does an option of a line of several languages go to the compiler of this one? `foreign`: the line is another's,
    so that only what all compilers take is sure to be meant for this one as well."""
    for owner, pattern in _ONLY.items():
        if pattern.match(word):
            return language is owner
    if language is Language.RUST:
        return not foreign and word.startswith("--")
    return not foreign or _COMMON.match(word) is not None


def is_header(argument: Argument) -> bool:
    return argument.language.endswith("-header") or (
        not argument.language and Path(argument.text).suffix in _HEADER_SUFFIXES
    )


def linker_words(command_line: CommandLine) -> list[str]:
    """What the linker itself is told, `-Wl,` and `-Xlinker` opened."""
    words: list[str] = []
    for argument in command_line.of(Kind.LINK):
        words += _linker_words(argument.words)
    return words


def symbols_named_by_linker_options(command_line: CommandLine) -> list[str]:
    """Symbols that options name (`-u`, `-e`, `--defsym`, `--wrap`, …): definitions of these must stay visible."""
    words = linker_words(command_line)
    names: list[str] = []
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        option, _, value = word.partition("=")
        option = "-" + option.lstrip("-")
        if option in _SYMBOL_OPTIONS:
            names.append(value or following)
        elif option.startswith("-u") and len(option) > 2 and not option.startswith("-un"):
            names.append(option[2:])
        elif option == "-wrap":
            symbol = value or following
            names += [symbol, f"__wrap_{symbol}", f"__real_{symbol}"]
        elif option == "-defsym":
            names += (value or following).split("=")
    return [name for name in names if name]


def values_of_linker_option(command_line: CommandLine, option: str) -> list[str]:
    """What stands behind `--option` or `--option=` on the linker's line, each time it is there."""
    words = linker_words(command_line)
    values = []
    for index, word in enumerate(words):
        name, joined, value = word.partition("=")
        if name.lstrip("-") == option and name.startswith("-"):
            values.append(value if joined else words[index + 1] if index + 1 < len(words) else "")
    return values


def first_definition_counts(command_line: CommandLine) -> bool:
    """Does the linker take the first of several definitions of one symbol, and no offence?"""
    words = linker_words(command_line)
    pairs = {f"-z{value}" for option, value in pairwise(words) if option == "-z"}
    told = pairs | {f"-{word.lstrip('-')}" for word in words}
    return not told.isdisjoint(("-allow-multiple-definition", "-zmuldefs"))


def expand_response_files(words: Sequence[str]) -> Iterator[str]:
    """`@file` replaced by the words in it, as clang does; an `@` that names no file is an ordinary word."""
    for word in words:
        if word.startswith("@") and len(word) > 1:
            try:
                text = Path(word[1:]).read_text()
            except OSError:
                yield word
                continue
            yield from expand_response_files(shlex.split(text))
        else:
            yield word


def _our_option(word: str) -> str:
    name = word.partition("=")[0]
    for prefix in ("-fenzyme-", "--"):
        if name.startswith(prefix) and name[len(prefix) :] in (*_OUR_VALUES, *_OUR_FLAGS):
            return name[len(prefix) :]
    return ""


def _one_more(ours: dict[str, str], word: str) -> str:
    return f"{ours.get('export', '')}\n{word.removeprefix(_EXPORT)}".strip()


def _value(word: str, rest: Iterator[str]) -> str:
    value = next(rest, None)
    if value is None:
        raise ConfigError(f"argument to '{word}' is missing (expected 1 value)")
    return value


def _input(word: str, language: str, state: LinkerState) -> Argument:
    if language or word == "-" or Path(word).suffix in _SOURCE_SUFFIXES | _HEADER_SUFFIXES:
        return Argument(Kind.SOURCE, (word,), language=language or implied_name(word))
    return state.input(word)


def _option(word: str, rest: Iterator[str]) -> Argument:
    if word in _COMPILE_VALUES:
        return Argument(Kind.COMPILE, (word, _value(word, rest)))
    if word in _LINK_VALUES:
        return Argument(Kind.LINK, (word, _value(word, rest)))
    if word in _BOTH_VALUES:
        return Argument(Kind.BOTH, (word, _value(word, rest)))
    if word.startswith(_REMARKS):
        return Argument(Kind.COMPILE, (word,))
    if word in _LINK_EXACT or word.startswith(_LINK_JOINED):
        return Argument(Kind.LINK, (word,))
    if word in _COMPILE_EXACT or (word.startswith(_COMPILE_JOINED) and not word.startswith(("-Wl,", "-Wa,"))):
        return Argument(Kind.COMPILE, (word,))
    if word.startswith("-Wa,"):
        return Argument(Kind.COMPILE, (word,))
    return Argument(Kind.BOTH, (word,))


def _linker_words(words: tuple[str, ...]) -> list[str]:
    if words[0].startswith("-Wl,"):
        return list(expand_response_files(words[0].split(",")[1:]))
    if words[0] == "-Xlinker":
        return list(expand_response_files([word for word in words if word != "-Xlinker"]))
    return list(words)


def _opened(option: Argument, state: LinkerState) -> list[Argument]:
    """An option of the linker; where inputs stand inside it (`-Wl,--whole-archive,libx.a`), each word for itself."""
    words = list(_libraries_joined(_linker_words(option.words)))
    is_file = [
        _LINKER_FILE.fullmatch(word) is not None and (index == 0 or words[index - 1] not in LINKER_VALUES)
        for index, word in enumerate(words)
    ]
    inside = option.words[0].startswith("-Wl,") or option.words[0] == "-Xlinker"
    if not (inside and any(is_file)):
        state.read(words)
        return [option]
    found: list[Argument] = []
    for word, is_input in zip(words, is_file, strict=True):
        if not is_input:
            state.read([word])
            before = found[-1].words if found else ()
            if before[:1] == ("-Xlinker",) and before[-1] in LINKER_VALUES:
                found[-1] = Argument(Kind.LINK, (*before, "-Xlinker", word))
            else:
                found.append(Argument(Kind.LINK, ("-Xlinker", word)))
        else:
            found.append(state.input(word))
    return found


def _libraries_joined(words: Iterable[str]) -> Iterator[str]:
    """Libraries as `-lNAME`, in whichever way the linker is told their names."""
    rest = iter(words)
    for word in rest:
        if word in _LIBRARY and (name := next(rest, "")):
            yield f"-l{name}"
        else:
            yield re.sub(r"^--?library=", "-l", word)


def library_folders_named(command_line: CommandLine) -> list[str]:
    """The folders that options name for `-l`."""
    words = iter(linker_words(command_line))
    found: list[str] = []
    for word in words:
        if word in _LIBRARY_PATH:
            found.append(next(words, ""))
        elif (joined := re.match(r"-L(?=.)|--?library-path=", word)) is not None:
            found.append(word[joined.end() :])
    return [folder for folder in found if folder]


_LIBRARY: Final = frozenset(("-l", "--library", "-library"))
_LIBRARY_PATH: Final = frozenset(("-L", "--library-path", "-library-path"))
_LINKER_FILE: Final = regex(r"-l.+|[^-].*\.(?:a|o|lo|obj|bc|so(?:\.[\d.]+)?|rlib)")
_SINGLE: Final = _words(
    """
    -o -e -u -T -h -m -y -z -L -f -F -a -b -c -I -R -Y -A -Map -soname -rpath -rpath-link -dynamic-linker -defsym -wrap
    -init -fini -plugin -plugin-opt -Ttext -Tdata -Tbss -Ttext-segment -section-start -version-script -dynamic-list
    -export-dynamic-symbol -export-dynamic-symbol-list -entry -undefined -just-symbols -retain-symbols-file -output
    -default-script -script -library-path -sysroot -require-defined -trace-symbol -exclude-libs -auxiliary -filter
    -audit -depaudit -image-base -mllvm -chroot -reproduce -thinlto-cache-dir -format -oformat -assert -G
    """
)
LINKER_VALUES: Final = _SINGLE | {f"-{word}" for word in _SINGLE if len(word) > 2}
"""Options of the linker whose value is the next word."""


class LinkerState:
    """What the options before an input mean for it."""

    def __init__(self) -> None:
        self._whole = self._static = self._lazy = False
        self._group = 0
        self._groups = 0
        self._saved: list[tuple[bool, bool]] = []

    def input(self, word: str) -> Argument:
        return Argument(Kind.INPUT, (word,), whole=self._whole, static=self._static, group=self._group, lazy=self._lazy)

    def read(self, words: Sequence[str]) -> None:
        for word in words:
            match word if word in {"-(", "-)"} else word.lstrip("-"):
                case "whole-archive":
                    self._whole = True
                case "no-whole-archive":
                    self._whole = False
                case "Bstatic" | "dn" | "non_shared" | "static":
                    self._static = True
                case "Bdynamic" | "dy" | "call_shared":
                    self._static = False
                case "start-group" | "-(":
                    self._groups += 1
                    self._group = self._groups
                case "end-group" | "-)":
                    self._group = 0
                case "start-lib":
                    self._lazy = True
                case "end-lib":
                    self._lazy = False
                case "push-state":
                    self._saved.append((self._whole, self._static))
                case "pop-state" if self._saved:
                    self._whole, self._static = self._saved.pop()
