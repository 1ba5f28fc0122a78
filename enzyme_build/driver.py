"""The compiler drivers `enzyme-cc`, `enzyme-c++`, `enzyme-fc`: clang's and flang's command line, with derivatives made
at link time.

Compiling is clang or flang with a few more flags: diagnostics and exit code are theirs. A source of another language
than the driver's is compiled by the compiler of its own. Linking looks for derivative
requests in the bytes of all inputs; without any, the original line goes to clang as it is. Otherwise all bitcode is
merged, differentiated and emitted as one object that takes the place of the inputs it came from.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build import repeated
from enzyme_build import settings as settings_of
from enzyme_build.compile_lines import (
    compile_to,
    module_flags_of,
    named_rules,
    one_source_command,
    outputs_of,
    preprocessing_flags,
    spared,
    variables_of,
    words_around,
    words_of,
)
from enzyme_build.errors import EnzymeBuildError, FindingsError, InputError, ToolError
from enzyme_build.jobs import REQUEST_NEEDLE, Product
from enzyme_build.records import dataclass
from enzyme_build.shortcut import folder as cache_folder
from enzyme_build.shortcut import remember
from enzyme_build.toolchain import process
from enzyme_build.toolchain.arguments import (
    Argument,
    CommandLine,
    Kind,
    Step,
    first_definition_counts,
    is_for,
    language_of,
    linker_words,
    parse,
    parse_linker,
    symbols_named_by_linker_options,
    values_of_linker_option,
)
from enzyme_build.toolchain.clang import FrontEnd, optimisation_level
from enzyme_build.toolchain.find import Compiler, find_compiler, find_linker, front_end, library_folders
from enzyme_build.toolchain.languages import LANGUAGES, Language, flags_for_ending
from enzyme_build.toolchain.line_inputs import (
    exporting_libraries,
    folders_of_libraries,
    input_path,
    missing_libraries,
    with_scripts_opened,
)
from enzyme_build.toolchain.objects import BITCODE_SECTION, mentions
from enzyme_build.toolchain.openmp import note_missing_runtime, wants_runtime
from enzyme_build.toolchain.resolve import Search
from enzyme_build.toolchain.runtimes import Runtime, runtime_words
from enzyme_build.toolchain.rust import standard_library

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from enzyme_build.jobs import LinkResult
    from enzyme_build.settings import Settings


def main(words: Sequence[str], kind: str) -> int:
    """Run the driver of a language, or of the linker (`ld`); the exit code is the tool's own, or 1 with our message."""
    process.raise_interrupts()
    try:
        settings = settings_of.from_environment()
        return link_only(words, settings) if kind == LINKER else drive(words, Language(kind), settings)
    except ToolError as error:
        sys.stderr.write(f"{error}\n")
        return error.returncode or 1
    except EnzymeBuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except process.Interrupted as stop:
        return 128 + stop.signal


LINKER: Final = "ld"


def link_only(words: Sequence[str], settings: Settings) -> int:
    """The link step alone, on a linker's own command line."""
    line = parse_linker(words)
    settings = _with_own_options(settings, line)
    relocatable = _product(line) is Product.RELOCATABLE
    command = find_linker(settings.tools, relocatable=relocatable)
    linker = _Linker(command)
    if not relocatable or "lld" not in linker.name(line):  # that drops bitcode, of which we have to warn
        remember("ld -r" if relocatable else LINKER, command)
    status = _link_objects(linker, line, settings)
    if status is None:
        process.replace([*command, *_as_written(words, line)], verbose=settings.verbose)
    return status


@dataclass(frozen=True)
class _Linker:
    """What runs the link: a compiler, which adds its language's runtime, or the linker itself."""

    command: tuple[str, ...]
    compiler: Compiler | None = None

    def name(self, line: CommandLine) -> str:
        """Of the linker's program, where the line or the command says it."""
        if self.compiler is None:
            return Path(self.command[0]).resolve().name
        words = [word for word in line.words(Kind.LINK, Kind.BOTH) if word.startswith(("-fuse-ld=", "--ld-path="))]
        if front_end(self.command, self.compiler.language) is FrontEnd.ZIG:
            return "lld"
        return Path(words[-1].partition("=")[2]).name if words else ""

    def search(self, line: CommandLine) -> Search:
        """How the linker searches archives, by its name."""
        name = self.name(line)
        return Search.LATER if "lld" in name or "mold" in name else Search.IN_ORDER

    def runtimes(self, needed: Collection[Runtime], line: CommandLine, settings: Settings) -> Iterable[str]:
        """Runtimes of the other languages on the line; none where the user links without any, or nothing for good."""
        without = {"-nostdlib", "-nodefaultlibs"} & set(line.words(Kind.LINK))
        if self.compiler is None or without or _product(line) is Product.RELOCATABLE:
            return ()
        return runtime_words(needed, self.compiler, settings.tools)


def drive(words: Sequence[str], language: Language, settings: Settings) -> int:
    line = parse(words)
    settings = _with_own_options(settings, line)
    compiler = find_compiler(language, settings.tools)
    remember(language.value, compiler.command)
    _refuse_rust(line)
    if line.step is Step.OTHER or not line.of(Kind.SOURCE, Kind.INPUT):
        own = [] if list(words[:1]) in (["-cc1"], ["-cc1as"]) else preprocessing_flags(line)
        modules = module_flags_of(compiler, line.of(Kind.SOURCE), settings)
        if not line.ours:
            repeated.remember(language.value, words, [*compiler.command, *own], [], makes_object=False)
        process.replace([*compiler.command, *own, *_as_written(words, line), *modules], verbose=settings.verbose)
    if line.step is not Step.COMPILE:
        words, line = _with_rust(words, line, settings)
        status = _link(compiler, line, words, settings)
        if status and wants_runtime(line.words(Kind.BOTH)):
            folders = folders_of_libraries(line)
            sys.stderr.write(note_missing_runtime(compiler.command, language, settings.tools, folders))
        return status
    for used, part in _by_compiler(compiler, line, settings):
        named = named_rules(part, part.of(Kind.SOURCE))
        before, after = words_around(used, part, settings)
        if (used, part) == (compiler, line) and not line.ours:
            repeated.remember(language.value, words, before, after, makes_object=True)
        variables = variables_of(used, part)
        with spared(part.output or "") as output, repeated.FixedAddresses(used.language.value):
            own = [output if word and word == part.output else word for word in words_of(part)]
            status = compile_to([*before, *own, *after], named, outputs_of(part), settings, variables)
        if status:
            return status
        if _exports(line):
            from enzyme_build.exported_objects import export_all

            export_all(outputs_of(part), _exports(line), _with_level(settings, line))
    return 0


def _refuse_rust(line: CommandLine) -> None:
    """clang would take Rust sources for scripts of the linker."""
    for argument in line.of(Kind.INPUT):
        source = Path(argument.text)
        if source.suffix in LANGUAGES[Language.RUST].suffixes and source.is_file():
            made = f"rustc --crate-type=staticlib -Clinker-plugin-lto -Cpanic=abort -Copt-level=2 {source}"
            raise InputError(
                f"'{source}' is a Rust source, which clang and flang do not compile",
                hint=f"{made}, then pass lib{source.stem}.a here; enzyme-build's commands take Rust sources themselves",
            )


def _with_rust(words: Sequence[str], line: CommandLine, settings: Settings) -> tuple[Sequence[str], CommandLine]:
    """A line that links libraries of Rust, with the standard library that these need."""
    if _product(line) is Product.RELOCATABLE:
        return words, line
    files = [Path(argument.text) for argument in line.of(Kind.INPUT)]
    library = standard_library(files, settings.tools, Path(cache_folder()))
    return (words, line) if library is None else ([*words, str(library)], parse([*words, str(library)]))


def _exports(line: CommandLine) -> tuple[str, ...]:
    """The functions whose derivatives are exported."""
    return tuple(line.ours["export"].split("\n")) if "export" in line.ours else ()


def _by_compiler(compiler: Compiler, line: CommandLine, settings: Settings) -> list[tuple[Compiler, CommandLine]]:
    """The `-c` line in parts that each go to one compiler in one call."""
    groups: dict[tuple[Compiler, tuple[str, ...]], set[Argument]] = {}
    for source in line.of(Kind.SOURCE):
        key = _compiler_of(source, compiler, settings), tuple(flags_for_ending(source.text))
        groups.setdefault(key, set()).add(source)
    parts = []
    for (used, _), sources in groups.items():
        own = [one for one in line.arguments if one.kind is not Kind.SOURCE or one in sources]
        if used is not compiler:
            own = [one for one in own if one.kind in _FILES or is_for(one.text, used.language, foreign=True)]
        parts.append((used, replace(line, arguments=tuple(own))))
    return parts


_FILES: Final = (Kind.SOURCE, Kind.INPUT, Kind.OUTPUT)


def _compiler_of(source: Argument, compiler: Compiler, settings: Settings) -> Compiler:
    """The driver's own compiler, except for Fortran sources on a C line and others on a Fortran line."""
    language = language_of(source)
    if (language is Language.FORTRAN) == (compiler.language is Language.FORTRAN):
        return compiler
    return find_compiler(language or Language.C, settings.tools)


def _link(compiler: Compiler, line: CommandLine, words: Sequence[str], settings: Settings) -> int:
    """Compile the sources on the line, then link everything."""
    linker = _Linker(compiler.command, compiler)
    if not line.of(Kind.SOURCE):
        status = _link_objects(linker, line, settings)
        return _plain_link(compiler, line, words, settings) if status is None else status
    with tempfile.TemporaryDirectory(prefix="enzyme-cc-") as folder:
        arguments: list[Argument] = []
        languages: set[Language] = set()
        for index, argument in enumerate(line.arguments):
            if argument.kind is not Kind.SOURCE:
                # flang's linker warns of options for compiling, clang's knows them.
                unused = argument.kind is Kind.COMPILE and compiler.language is Language.FORTRAN
                arguments += [] if unused else [argument]
                continue
            output = Path(folder, f"{Path(argument.text).stem}-{index}.o")
            used = _compiler_of(argument, compiler, settings)
            command = one_source_command(used, line, argument, output, settings, own=used is compiler)
            languages.add(used.language)
            with repeated.FixedAddresses(used.language.value):
                status = compile_to(
                    command, named_rules(line, [argument]), [output], settings, variables_of(used, line)
                )
            if status:
                return status
            arguments.append(Argument(Kind.INPUT, (str(output),)))
        line = replace(line, arguments=tuple(arguments))
        linked = _link_objects(linker, line, settings)
        if linked is None:
            runtimes = {Runtime.FORTRAN} if Language.FORTRAN in languages else set()
            command = [*compiler.command, *words_of(line), *linker.runtimes(runtimes, line, settings)]
            linked = process.exit_code(process.run(command, capture=False, verbose=settings.verbose).returncode)
        return linked


def _plain_link(compiler: Compiler, line: CommandLine, words: Sequence[str], settings: Settings) -> int:
    """The compiler's own link; a process beside ours where there may be something to say about a failure."""
    command = [*compiler.command, *_as_written(words, line)]
    if not wants_runtime(line.words(Kind.BOTH)):
        process.replace(command, verbose=settings.verbose)
    return process.exit_code(process.run(command, capture=False, verbose=settings.verbose).returncode)


def _link_objects(linker: _Linker, line: CommandLine, settings: Settings) -> int | None:
    """Link a line without sources and give the exit code; None: no derivative is requested, so the line is right."""
    line = with_scripts_opened(line, bare=linker.compiler is None)
    inputs = {argument: path for argument in line.of(Kind.INPUT) if (path := input_path(argument, line))}
    if _product(line) is Product.RELOCATABLE:
        _warn_of_dropped_bitcode(linker, line, inputs.values())
    asked = any(mentions(path, REQUEST_NEEDLE.encode()) for path in set(inputs.values()))
    if not asked and not _exports(line):
        return None
    if any(not argument.text.startswith("-l") and not Path(argument.text).exists() for argument in line.of(Kind.INPUT)):
        return None  # the linker's own message is about the missing file, ours would be about missing functions
    if (compiler := linker.compiler) is not None:
        inputs |= exporting_libraries(line, inputs, lambda: [*settings.library_path, *library_folders(compiler)])
    with tempfile.TemporaryDirectory(prefix="enzyme-ld-") as folder:
        try:
            result = _run_job(linker, line, inputs, Path(folder, "enzyme.o"), settings)
        except EnzymeBuildError as refused:
            parts = refused.findings if isinstance(refused, FindingsError) else (refused,)
            without_code = [part for part in parts if part.code in _LACKS_CODE]
            if _product(line) is Product.RELOCATABLE and len(without_code) == len(parts):
                return None  # what is not here yet, the link has that takes the output
            if without_code and compiler is not None:
                lost = missing_libraries(line, inputs, library_folders(compiler))
                for part in without_code:
                    part.notes = (*part.notes, *(f"no library for '{word}' was found" for word in lost))
            raise
        if result.output is None:
            return None
        target = Path(line.output or "a.out")
        with process.completed_file(target) as unfinished:
            words = _final_words(line, inputs, result)
            words += [*linker.runtimes(result.runtimes, line, settings), "-o", str(unfinished)]
            done = process.run([*linker.command, *words], capture=False, verbose=settings.verbose)
            if done.returncode:
                unfinished.unlink(missing_ok=True)
        return process.exit_code(done.returncode)


_LACKS_CODE: Final = ("E0100", "E0309")


def _warn_of_dropped_bitcode(linker: _Linker, line: CommandLine, files: Iterable[Path]) -> None:
    """LLVM's linker leaves it out of what it makes with `-r`, which would be noticed late."""
    if "lld" in linker.name(line) and any(mentions(file, BITCODE_SECTION.encode()) for file in files):
        sys.stderr.write(
            f"warning: lld leaves the bitcode of its inputs out of '{line.output or 'a.out'}' with -r: functions in it "
            "cannot be differentiated\n  hint: use GNU ld there (-fuse-ld=bfd, or ENZYME_LD=ld.bfd for enzyme-ld)\n"
        )


def _run_job(
    linker: _Linker, line: CommandLine, inputs: dict[Argument, Path], output: Path, settings: Settings
) -> LinkResult:
    from enzyme_build import pipeline

    settings = _with_level(settings, line)
    job = pipeline.LinkJob(
        inputs=tuple(
            pipeline.LinkInput(inputs[one], one.whole, one.group, one.lazy)
            for one in line.of(Kind.INPUT)
            if one in inputs
        ),
        search=linker.search(line),
        wrapped=tuple(values_of_linker_option(line, "wrap")),
        assigned=tuple(value.partition("=")[0] for value in values_of_linker_option(line, "defsym")),
        first_counts=first_definition_counts(line),
        excluded=tuple(
            name for value in values_of_linker_option(line, "exclude-libs") for name in re.split("[,:]", value)
        ),
        output=output,
        product=_product(line),
        exports=tuple(symbols_named_by_linker_options(line)),
        ahead=_exports(line),
        **pipeline.job_options(settings),
    )
    return pipeline.link(job, settings)


def _with_level(settings: Settings, line: CommandLine) -> Settings:
    """The line's level of optimisation, where it has one."""
    level = optimisation_level(line.words(Kind.BOTH))
    return replace(settings, optimise={"0": 0, "1": 1, "g": 1}.get(level, 2)) if level else settings


def _product(line: CommandLine) -> Product:
    words = {"-" + word.lstrip("-") for word in (*line.words(Kind.LINK), *linker_words(line))}
    if "-r" in words or "-relocatable" in words:
        return Product.RELOCATABLE
    if words & {"-shared", "-Bshareable", "-rdynamic", "-export-dynamic", "-E"}:
        return Product.SHARED
    if any(word.startswith(("-dynamic-list", "-export-dynamic-symbol")) for word in words):
        return Product.SHARED  # which of the symbols are exported is left to the linker
    return Product.EXECUTABLE


def _final_words(line: CommandLine, inputs: dict[Argument, Path], result: LinkResult) -> list[str]:
    """The link line with our object in place of the first input that is inside it; the others are gone."""
    consumed = set(result.consumed)
    words: list[str] = []
    placed = False
    for argument in line.arguments:
        path = inputs.get(argument)
        if argument.kind is Kind.OUTPUT:
            continue
        if path is not None and path in consumed:
            if not placed:
                words.append(str(result.output))
            placed = True
        elif path is not None and str(path) in result.replaced:
            words += [result.replaced[str(path)]] if result.replaced[str(path)] else []
        else:
            words += argument.words
    return [*([] if placed else [str(result.output)]), *words]


def _with_own_options(settings: Settings, line: CommandLine) -> Settings:
    ours = line.ours
    return replace(
        settings,
        save_stages=Path(ours["save-stages"]).absolute() if "save-stages" in ours else settings.save_stages,
        veclib=_vector_library(line, settings.veclib),
        ad_before_opt=settings.ad_before_opt or "ad-before-opt" in ours,
        loose_types=settings.loose_types or "loose-types" in ours,
        warnings=(*settings.warnings, *ours.get("warnings", "").split()),
    )


def _vector_library(line: CommandLine, default: str) -> str:
    """What clang's option says last. Other libraries that it knows are for what it compiles, not for derivatives."""
    said = [word.partition("=")[2] for word in line.words(*Kind) if word.startswith("-fveclib=")]
    return default if not said else said[-1] if said[-1] == "libmvec" else ""


def _as_written(words: Sequence[str], line: CommandLine) -> list[str]:
    """The user's words exactly (response files included), unless options of ours have to go, or a response file is a
    pipe, which was read."""
    read = any(word.startswith("@") and not Path(word[1:]).is_file() and Path(word[1:]).exists() for word in words)
    return words_of(line) if line.ours or read else list(words)
