"""The compiler drivers `enzyme-cc` and `enzyme-c++`: clang's command line, with derivatives made at link time.

Compiling is clang with a few more flags: diagnostics and exit code are clang's own. Linking looks for derivative
requests in the bytes of all inputs; without any, the original line goes to clang as it is. Otherwise all bitcode is
merged, differentiated and emitted as one object that takes the place of the inputs it came from.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from enzyme_build import settings as settings_of
from enzyme_build.errors import EnzymeBuildError, ToolError
from enzyme_build.jobs import REQUEST_NEEDLE
from enzyme_build.toolchain import process
from enzyme_build.toolchain.arguments import (
    Argument,
    CommandLine,
    Kind,
    Step,
    is_assembly,
    is_c_family,
    is_header,
    linker_words,
    parse,
    symbols_named_by_linker_options,
)
from enzyme_build.toolchain.clang import ATTRIBUTE_FLAGS, optimisation_level, placement_flags
from enzyme_build.toolchain.find import Compiler, Language, find_compiler
from enzyme_build.toolchain.objects import is_linker_input, mentions
from enzyme_build.toolchain.sources import RulesNamed, keep_rules, rules_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.jobs import LinkResult, Product
    from enzyme_build.settings import Settings


def cc() -> NoReturn:
    """The console script `enzyme-cc`."""
    sys.exit(main(sys.argv[1:], Language.C))


def cxx() -> NoReturn:
    """The console script `enzyme-c++`."""
    sys.exit(main(sys.argv[1:], Language.CXX))


def main(words: Sequence[str], language: Language) -> int:
    """Run the driver; the exit code is clang's, or 1 with our message."""
    process.raise_interrupts()
    try:
        return drive(words, language, settings_of.from_environment())
    except ToolError as error:
        sys.stderr.write(f"{error}\n" + (f"{error.stderr.rstrip()}\n" if error.stderr else ""))
        return error.returncode or 1
    except EnzymeBuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except process.Interrupted as stop:
        return 128 + stop.signal


def drive(words: Sequence[str], language: Language, settings: Settings) -> int:
    line = parse(words)
    settings = _with_own_options(settings, line)
    compiler = find_compiler(language, settings.tools)
    if line.step is Step.OTHER or not line.of(Kind.SOURCE, Kind.INPUT):
        own = [] if list(words[:1]) in (["-cc1"], ["-cc1as"]) else _preprocessing_flags(line)
        process.replace([*compiler.command, *own, *_as_written(words, line)], verbose=settings.verbose)
    if line.step is Step.COMPILE:
        outputs = _outputs(line)
        named = _rules_named(line, line.of(Kind.SOURCE))
        return _compile(compile_command(compiler, line, settings), named, outputs, settings)
    return _link(compiler, line, words, settings)


def _preprocessing_flags(line: CommandLine) -> list[str]:
    """What other steps have in common with compiling; precompiled headers must fit the code that includes them."""
    sources = line.of(Kind.SOURCE)
    placement = placement_flags(line.words(Kind.COMPILE, Kind.BOTH)) if any(map(is_header, sources)) else []
    return [*_attributes(sources), *placement]


def _compile(command: Sequence[str], named: RulesNamed, outputs: Sequence[Path], settings: Settings) -> int:
    """Compile to outputs; once more where an object lacks what registered rules need."""
    done = process.run(command, capture=False, verbose=settings.verbose)
    if done.returncode:
        return process.exit_code(done.returncode)
    if not named.attributes and not any(mentions(output, REQUEST_NEEDLE.encode()) for output in outputs):
        return 0
    from enzyme_build import pipeline

    flags = [flag for output in outputs for flag in pipeline.flags_to_repeat(named, output)]
    if flags:
        process.run([*command, *flags], verbose=settings.verbose)
    return 0


def _outputs(line: CommandLine) -> list[Path]:
    """The objects that a `-c` line writes."""
    return [Path(line.output or f"{Path(source.text).stem}.o") for source in line.of(Kind.SOURCE)]


def _rules_named(line: CommandLine, sources: Sequence[Argument]) -> RulesNamed:
    return rules_named([Path(source.text) for source in sources], line.words(Kind.COMPILE, Kind.BOTH))


def compile_command(compiler: Compiler, line: CommandLine, settings: Settings) -> list[str]:
    """The `-c` line: the user's words in their order, and the flags that make objects fat."""
    sources = line.of(Kind.SOURCE)
    extra = _extra_flags(compiler, line, sources, settings)
    return [*compiler.command, *_attributes(sources), *_words(line), *extra, "-c"]


def _attributes(sources: Sequence[Argument]) -> Sequence[str]:
    """What makes clang know our attributes."""
    return ATTRIBUTE_FLAGS if any(is_c_family(source) for source in sources) else ()


def _extra_flags(compiler: Compiler, line: CommandLine, sources: Sequence[Argument], settings: Settings) -> list[str]:
    if all(is_assembly(source) for source in sources):
        return []
    fat = compiler.flags(line.words(Kind.COMPILE, Kind.BOTH, Kind.LINK), unoptimised=settings.ad_before_opt)
    return [*fat, *keep_rules(compiler.llvm_major, _rules_named(line, sources))]


def _link(compiler: Compiler, line: CommandLine, words: Sequence[str], settings: Settings) -> int:
    """Compile the sources on the line, then link everything."""
    if not line.of(Kind.SOURCE):
        status = _link_objects(compiler, line, settings)
        if status is None:
            process.replace([*compiler.command, *_as_written(words, line)], verbose=settings.verbose)
        return status
    with tempfile.TemporaryDirectory(prefix="enzyme-cc-") as folder:
        arguments: list[Argument] = []
        for index, argument in enumerate(line.arguments):
            if argument.kind is not Kind.SOURCE:
                arguments.append(argument)
                continue
            output = Path(folder, f"{Path(argument.text).stem}-{index}.o")
            command = _one_source_command(compiler, line, argument, output, settings)
            status = _compile(command, _rules_named(line, [argument]), [output], settings)
            if status:
                return status
            arguments.append(Argument(Kind.INPUT, (str(output),)))
        line = replace(line, arguments=tuple(arguments))
        linked = _link_objects(compiler, line, settings)
        if linked is None:
            command = [*compiler.command, *_words(line)]
            linked = process.exit_code(process.run(command, capture=False, verbose=settings.verbose).returncode)
        return linked


def _one_source_command(
    compiler: Compiler, line: CommandLine, source: Argument, output: Path, settings: Settings
) -> list[str]:
    """Compile one of the sources of a compile-and-link line."""
    language = ["-x", source.language] if source.language else []
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


def _link_objects(compiler: Compiler, line: CommandLine, settings: Settings) -> int | None:
    """Link a line without sources and give the exit code; None: no derivative is requested, so the line is right."""
    inputs = {argument: path for argument in line.of(Kind.INPUT) if (path := _input_path(argument, line))}
    if not any(mentions(path, REQUEST_NEEDLE.encode()) for path in inputs.values()):
        return None
    with tempfile.TemporaryDirectory(prefix="enzyme-ld-") as folder:
        result = _run_job(line, inputs, Path(folder, "enzyme.o"), settings)
        if result.output is None:
            return None
        target = Path(line.output or "a.out")
        with process.completed_file(target) as unfinished:
            words = _final_words(line, inputs, result, unfinished)
            done = process.run([*compiler.command, *words], capture=False, verbose=settings.verbose)
            if done.returncode:
                unfinished.unlink(missing_ok=True)
        return process.exit_code(done.returncode)


def _run_job(line: CommandLine, inputs: dict[Argument, Path], output: Path, settings: Settings) -> LinkResult:
    from enzyme_build import pipeline

    level = optimisation_level(line.words(Kind.BOTH))
    if level:
        settings = replace(settings, optimise={"0": 0, "1": 1, "g": 1}.get(level, 2))
    job = pipeline.LinkJob(
        inputs=tuple(pipeline.LinkInput(path, argument.whole) for argument, path in inputs.items()),
        output=output,
        product=_product(line),
        exports=tuple(symbols_named_by_linker_options(line)),
        **pipeline.job_options(settings),
    )
    return pipeline.link(job, verbose=settings.verbose)


def _product(line: CommandLine) -> Product:
    from enzyme_build.jobs import Product

    words = {"-" + word.lstrip("-") for word in (*line.words(Kind.LINK), *linker_words(line))}
    if "-r" in words or "-relocatable" in words:
        return Product.RELOCATABLE
    if words & {"-shared", "-Bshareable", "-rdynamic", "-export-dynamic", "-E"}:
        return Product.SHARED
    return Product.EXECUTABLE


def _final_words(line: CommandLine, inputs: dict[Argument, Path], result: LinkResult, output: Path) -> list[str]:
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
    return [*([] if placed else [str(result.output)]), *words, "-o", str(output)]


def _input_path(argument: Argument, line: CommandLine) -> Path | None:
    """The file that an input names; None for libraries that only the linker's own search finds."""
    if not argument.text.startswith("-l"):
        path = Path(argument.text)
        return path if is_linker_input(path) else None
    name = argument.text[2:]
    static = argument.static or "-static" in line.words(Kind.LINK)
    names = [name[1:]] if name.startswith(":") else [f"lib{name}.a"] if static else [f"lib{name}.so", f"lib{name}.a"]
    for option in line.of(Kind.LINK):
        if option.text.startswith("-L"):
            folder = Path(option.words[1] if len(option.words) > 1 else option.text[2:])
            for candidate in (folder / file for file in names):
                if candidate.is_file():
                    return candidate if is_linker_input(candidate) else None
    return None


def _with_own_options(settings: Settings, line: CommandLine) -> Settings:
    ours = line.ours
    return replace(
        settings,
        save_stages=Path(ours["save-stages"]).absolute() if "save-stages" in ours else settings.save_stages,
        ad_before_opt=settings.ad_before_opt or "ad-before-opt" in ours,
        loose_types=settings.loose_types or "loose-types" in ours,
        warnings=(*settings.warnings, *ours.get("warnings", "").split()),
    )


def _as_written(words: Sequence[str], line: CommandLine) -> list[str]:
    """The user's words exactly (response files included), unless options of ours have to go."""
    return _words(line) if line.ours else list(words)


def _words(line: CommandLine) -> list[str]:
    return [word for argument in line.arguments for word in argument.spelled]
