"""Sources to objects with bitcode: one compiler call for each source, in the order that modules ask for."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build import repeated
from enzyme_build.errors import FindingsError, InputError, ToolError
from enzyme_build.fortran.interface import module_flags
from enzyme_build.records import dataclass
from enzyme_build.rules.registrations import MARKS
from enzyme_build.toolchain import arguments, process
from enzyme_build.toolchain.attributes import (
    check_command,
    late_attributes,
    lost_attributes,
    may_be_late,
    preprocess_command,
)
from enzyme_build.toolchain.bitcode import check_producer
from enzyme_build.toolchain.clang import ATTRIBUTE_FLAGS, PASSES_SKIPPED, anonymous_folder, optimisation_level
from enzyme_build.toolchain.find import find_compiler, front_end
from enzyme_build.toolchain.languages import (
    CRATE_MANIFEST,
    LANGUAGES,
    Language,
    by_ending,
    flags_for_ending,
    implied_name,
)
from enzyme_build.toolchain.modules import in_waves, module_files, module_folders
from enzyme_build.toolchain.objects import mentions, read_object
from enzyme_build.toolchain.rust import Crate, manifests, source_command
from enzyme_build.toolchain.sources import RulesNamed, include_folders, keep_rules, rules_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.settings import Settings


@dataclass(frozen=True)
class _Step:
    """One compiler call."""

    source: Path
    output: Path
    language: Language
    command: list[str]
    environment: dict[str, str]


def compile_sources(
    sources: Sequence[Path], language_flags: Sequence[str], settings: Settings, folder: Path
) -> list[Path]:
    """One fat object in `folder` for each source (of Rust: a static library), with a list of what it read beside it
    (`.d`); the compiler's diagnostics go straight to the user."""
    languages = {source: language_of(source) for source in sources}
    mixed = len({Language.C if one is Language.CXX else one for one in languages.values()}) > 1
    steps = {}
    for index, (source, language) in enumerate(languages.items()):
        if not source.exists():
            raise InputError(f"no such file: '{source}'")
        flags = _flags(language, language_flags, mixed=mixed)
        output = folder / f"{index}-{source.stem}.o"
        variables = repeated.environment(language.value, flags)
        command = _command(source, output, language, flags, settings)
        steps[source] = _Step(source, output, language, command, variables)
    for step in steps.values():
        if step.language in _C_FAMILY and rules_named([step.source], language_flags).may_be_lost:
            refuse_lost_attributes(step.command, verbose=settings.verbose)
    for wave in in_waves(list(steps)):
        _run_all([steps[source] for source in wave], settings)
    for step in steps.values():
        if step.language in _C_FAMILY and (
            flags := flags_to_repeat(rules_named([step.source], language_flags), step.output)
        ):
            process.run([*step.command, *flags], verbose=settings.verbose)
        elif step.source.name == CRATE_MANIFEST:
            crate = Crate(step.source, settings.tools)
            crate.collect(find_compiler(Language.RUST, settings.tools), step.output)
    return [steps[source].output for source in sources]


_C_FAMILY: Final = (Language.C, Language.CXX)


def refuse_lost_attributes(command: Sequence[str], *, verbose: bool) -> None:
    """Raise what a command that compiles would lose of our attributes."""
    done = process.run(preprocess_command(command), verbose=verbose)
    if done.returncode:
        return  # compiling will say what is wrong
    findings = lost_attributes(done.stdout)
    if may_be_late(done.stdout):
        findings += late_attributes(process.run(check_command(command), verbose=verbose).stderr)
    if findings:
        raise FindingsError(findings)


def _flags(language: Language, flags: Sequence[str], *, mixed: bool) -> list[str]:
    """Of flags for sources of several languages those that are for this one."""
    foreign = mixed and language not in _C_FAMILY
    options = arguments.parse(flags).arguments
    return [word for one in options if arguments.is_for(one.text, language, foreign=foreign) for word in one.words]


def _run_all(steps: Sequence[_Step], settings: Settings) -> None:
    """Run compilers side by side; the first that fails is an error when all have ended."""

    def run(step: _Step) -> process.Completed:
        return process.run(
            step.command, capture=settings.captured, environment=step.environment, verbose=settings.verbose
        )

    with repeated.FixedAddresses(*(step.language.value for step in steps)), ThreadPoolExecutor(settings.jobs) as pool:
        finished = list(pool.map(run, steps))
    for step, done in zip(steps, finished, strict=True):
        if done.returncode:
            code = process.exit_code(done.returncode)
            raise ToolError(
                f"'{step.source}' does not compile", command=step.command, stderr=done.stderr, returncode=code
            )
        sys.stderr.write(done.stderr)


def _command(source: Path, output: Path, language: Language, flags: Sequence[str], settings: Settings) -> list[str]:
    """Like a driver's compile line, but optimised and with full debug data: it names arguments and their types."""
    compiler = find_compiler(language, settings.tools)
    level = optimisation_level(flags)
    if language is Language.RUST:
        level = "0" if settings.ad_before_opt else level or "2"
        words = [*compiler.flags(flags), f"-Copt-level={level}", "-g", *flags]
        if source.name == CRATE_MANIFEST:
            return Crate(source, settings.tools).command(compiler, words, settings.tools)
        # As with C, debug data that nobody asked for name no folder: equal sources make equal outputs everywhere.
        remapped = [f"--remap-path-prefix={folder}=." for folder in (source.absolute().parent, Path.cwd())]
        return source_command(compiler, source, output, [*remapped, *words])
    folder = anonymous_folder(flags, front_end(compiler.command, language))
    flags = [*([] if level else ["-O2"]), "-g", *folder, *flags]
    fat = compiler.flags(flags, unoptimised=settings.ad_before_opt)
    files = ["-c", str(source), "-o", str(output)]
    if language is Language.FORTRAN:
        # Modules that other sources of the same job use; a folder that the user names does as well.
        own = ["-J", str(output.parent)] if not module_folders(flags) else []
        own += module_flags([source], compiler, settings.tools)
        name = ["-x", implied_name(source)] if implied_name(source) else []
        return [*compiler.command, *flags, *fat, *own, *flags_for_ending(source), *name, *files]
    fat += keep_rules(compiler.llvm_major, rules_named([source], flags))
    return [*compiler.command, *ATTRIBUTE_FLAGS, *flags, *fat, "-MD", *files]


def prerequisites(source: Path, made: Path, language_flags: Sequence[str]) -> list[Path]:
    """The files that `compile_sources` read to make an object of a source."""
    if language_of(source) is Language.FORTRAN:
        # Not what this job itself compiles, which is listed as an input.
        return module_files(source, [*include_folders(language_flags), *module_folders(language_flags)])
    depfile = made.with_suffix(".d")
    text = depfile.read_text().replace("\\\n", " ").partition("\n")[0].partition(": ")[2] if depfile.exists() else ""
    words = re.findall(r"(?:\\ |\S)+", text)
    read = [Path(word.replace("\\ ", " ").replace("\\#", "#").replace("$$", "$")) for word in words]
    return [*read, *manifests([source, *read])] if source.name == CRATE_MANIFEST else read


def flags_to_repeat(named: RulesNamed, output: Path) -> list[str]:
    """Flags with which to compile a source once more, so that its object has what registered rules need.

    The compiler does not know what the names of variables tell: it inlined functions with rules where it could, or
    concluded what they return. And it leaves out static functions that only attributes name. Nearly every object needs
    no flags, and is not even read. `named` is what the sources say.
    """
    if not any(mentions(output, mark.encode()) for mark in MARKS) and not named.attributes:
        return []
    from enzyme_build.analysis.annotations import annotations_of
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.parser import parse_module
    from enzyme_build.llvm.context import parse_bitcode
    from enzyme_build.llvm.unoptimised import with_skipped_passes

    found = read_object(output)
    names: dict[str, None] = {}
    left_out = False
    for stream in found.bitcode if found is not None else ():
        check_producer(str(output), stream)
        text = str(parse_bitcode(stream, str(output)))
        module = parse_module(text)
        unoptimised = "!DISubprogram(" in text and "DISPFlagOptimized" not in with_skipped_passes(text, PASSES_SKIPPED)
        told = annotations_of(module)
        for name in sorted(told.kept_as_calls()):
            function = module.globals.get(name)
            known = not isinstance(function, Function) or "optnone" in module.attributes_of(function)
            if not known and not unoptimised:
                names[name] = None
        left_out = left_out or any(part.is_declaration for rule in told.rules.values() for part in rule.functions())
    words = ("noinline", "optnone")
    flags = [flag for name in names for word in words for flag in ("-mllvm", f"-force-attribute={name}:{word}")]
    return [*flags, "-femit-all-decls"] if left_out and named.attributes else flags


def language_of(source: Path) -> Language:
    """The language that a source's ending stands for, by its compiler's own rules."""
    language = by_ending(source)
    if language is None:
        endings = [f"{row.title}: {', '.join(sorted(row.suffixes))}" for row in LANGUAGES.values()]
        raise InputError(f"cannot tell the language of '{source}'", hint="; ".join(endings))
    return language
