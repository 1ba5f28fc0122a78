"""The lines by which a driver has sources compiled: the user's words, and the flags that make objects fat.

Diagnostics and exit code are the compiler's. A source of another language than the driver's is compiled by the
compiler of its own.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from enzyme_build import repeated
from enzyme_build.rules.registrations import MARKS
from enzyme_build.toolchain import process
from enzyme_build.toolchain.arguments import (
    Argument,
    CommandLine,
    Kind,
    is_assembly,
    is_c_family,
    is_for,
    is_header,
    language_of,
)
from enzyme_build.toolchain.clang import ATTRIBUTE_FLAGS, placement_flags
from enzyme_build.toolchain.languages import Language, flags_for_ending
from enzyme_build.toolchain.objects import mentions
from enzyme_build.toolchain.sources import RulesNamed, keep_rules, rules_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.settings import Settings
    from enzyme_build.toolchain.find import Compiler


def preprocessing_flags(line: CommandLine) -> list[str]:
    """What other steps have in common with compiling; precompiled headers must fit the code that includes them."""
    sources = line.of(Kind.SOURCE)
    placement = placement_flags(line.words(Kind.COMPILE, Kind.BOTH)) if any(map(is_header, sources)) else []
    return [*_attributes(sources), *placement]


def compile_to(
    command: Sequence[str],
    named: RulesNamed,
    outputs: Sequence[Path],
    settings: Settings,
    variables: Mapping[str, str],
) -> int:
    """Compile to outputs; once more where an object lacks what registered rules need."""
    if named.may_be_lost:
        from enzyme_build.compilation import refuse_lost_attributes

        refuse_lost_attributes(command, verbose=settings.verbose)
    done = process.run(command, capture=False, verbose=settings.verbose, environment=variables)
    if done.returncode:
        return process.exit_code(done.returncode)
    if not named.attributes and not any(mentions(output, mark.encode()) for output in outputs for mark in MARKS):
        return 0
    from enzyme_build.compilation import flags_to_repeat

    flags = [flag for output in outputs for flag in flags_to_repeat(named, output)]
    if flags:
        process.run([*command, *flags], verbose=settings.verbose, environment=variables)
    return 0


def variables_of(compiler: Compiler, line: CommandLine) -> dict[str, str]:
    """The environment of a compiler."""
    return repeated.environment(compiler.language.value, line.words(Kind.COMPILE, Kind.BOTH))


@contextmanager
def spared(output: str) -> Iterator[str]:
    """Another name for a device or pipe (`-o /dev/null`): flang replaces it by a file, where it may."""
    if not repeated.is_device(output):
        yield output
        return
    with process.completed_file(Path(output)) as written:
        yield str(written)


def outputs_of(line: CommandLine) -> list[Path]:
    """The objects that a `-c` line writes."""
    return [Path(line.output or f"{Path(source.text).stem}.o") for source in line.of(Kind.SOURCE)]


def named_rules(line: CommandLine, sources: Sequence[Argument]) -> RulesNamed:
    named = [Path(source.text) for source in sources if language_of(source) is not Language.FORTRAN]
    return rules_named(named, line.words(Kind.COMPILE, Kind.BOTH)) if named else RulesNamed()


def compile_command(compiler: Compiler, line: CommandLine, settings: Settings) -> list[str]:
    """The `-c` line: the user's words in their order, and the flags that make objects fat."""
    before, after = words_around(compiler, line, settings)
    return [*before, *words_of(line), *after]


def words_around(compiler: Compiler, line: CommandLine, settings: Settings) -> tuple[list[str], list[str]]:
    """What stands before and behind the user's words of a `-c` line."""
    sources = line.of(Kind.SOURCE)
    return [*compiler.command, *_attributes(sources)], [*_extra_flags(compiler, line, sources, settings), "-c"]


def _attributes(sources: Sequence[Argument]) -> Sequence[str]:
    """What makes clang know our attributes."""
    return ATTRIBUTE_FLAGS if any(is_c_family(source) for source in sources) else ()


def _extra_flags(compiler: Compiler, line: CommandLine, sources: Sequence[Argument], settings: Settings) -> list[str]:
    if all(is_assembly(source) for source in sources):
        return []
    fat = compiler.flags(line.words(Kind.COMPILE, Kind.BOTH, Kind.LINK), unoptimised=settings.ad_before_opt)
    forms = dict.fromkeys(flag for source in sources for flag in flags_for_ending(source.text))
    modules = module_flags_of(compiler, sources, settings)
    return [*forms, *fat, *modules, *keep_rules(compiler.llvm_major, named_rules(line, sources))]


def module_flags_of(compiler: Compiler, sources: Sequence[Argument], settings: Settings) -> list[str]:
    """What makes flang find the module `enzyme`."""
    if compiler.language is not Language.FORTRAN or not sources:
        return []
    from enzyme_build.fortran.interface import module_flags

    return module_flags([Path(source.text) for source in sources], compiler, settings.tools)


def one_source_command(  # noqa: PLR0913
    compiler: Compiler, line: CommandLine, source: Argument, output: Path, settings: Settings, *, own: bool
) -> list[str]:
    """Compile one of the sources of a compile-and-link line, by the driver's `own` compiler or another's."""
    language = ["-x", source.language] if source.language else []
    if not own:
        taken = (one for one in line.arguments if is_for(one.text, compiler.language, foreign=True))
        line = replace(line, arguments=tuple(taken))
    flags = line.words(Kind.COMPILE, Kind.BOTH)
    return [
        *compiler.command,
        *_attributes([source]),
        *flags,
        *_dependency_flags(flags, line, source),
        *_extra_flags(compiler, line, [source], settings),
        *("-c", *language, source.text, "-o", str(output)),
    ]


def _dependency_flags(flags: Sequence[str], line: CommandLine, source: Argument) -> list[str]:
    """`-MD` names its file after the output, which is temporary here: name it as clang would have."""
    if not {"-MD", "-MMD"} & set(flags):
        return []
    stem = Path(line.output).with_suffix("") if line.output else Path(Path(source.text).stem)
    named = [] if any(flag.startswith("-MF") for flag in flags) else ["-MF", f"{stem}.d"]
    target = [] if any(flag.startswith(("-MT", "-MQ")) for flag in flags) else ["-MQ", line.output or f"{stem}.o"]
    return [*named, *target]


def words_of(line: CommandLine) -> list[str]:
    words: list[str] = []
    language = ""
    for argument in line.arguments:
        if argument.kind in {Kind.SOURCE, Kind.INPUT} and argument.language != language:
            language = argument.language
            words += ["-x", language or "none"]
        words += argument.words
    return words
