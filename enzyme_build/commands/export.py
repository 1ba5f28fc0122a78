"""`enzyme-build export`: units compiled together with derivatives of their functions, for links that have no more of
them than an object, archive or shared library."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from enzyme_build.bindings.exports import parse_activity, parse_specification
from enzyme_build.commands.archive import archive
from enzyme_build.commands.inputs import (
    CompileOptions,
    check_writable,
    compile_options,
    prepare,
    with_libraries,
    write_depfile,
)
from enzyme_build.commands.options import with_settings
from enzyme_build.errors import ConfigError
from enzyme_build.jobs import LinkJob, Product
from enzyme_build.pipeline import LinkInput, job_options, link
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler
from enzyme_build.toolchain.languages import Language
from enzyme_build.toolchain.objects import has_rust_runtime, is_archive, parse_object
from enzyme_build.toolchain.runtimes import Runtime, runtime_words
from enzyme_build.toolchain.rust import is_allocator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from enzyme_build.commands.inputs import Inputs
    from enzyme_build.jobs import LinkResult
    from enzyme_build.settings import Settings

_ENDINGS: Final = (".o", ".a", ".so")


@click.command("export")
@click.argument("units", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--function",
    "-f",
    "functions",
    multiple=True,
    required=True,
    metavar="NAME[:MODE[:ARG=ACTIVITY,…]]",
    help="Function, or pattern of names ('solver_*'); mode reverse, forward (default: both).",
)
@click.option(
    "--arg", "activities", multiple=True, metavar="NAME:ACTIVITY", help="const, dup, runtime or out, for all functions."
)
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), help="Ends in .o, .a or .so.")
@click.option("--depfile", type=click.Path(path_type=Path), help="Write what the output depends on (Makefile syntax).")
@compile_options
@with_settings
def command(  # noqa: PLR0913
    *,
    units: tuple[Path, ...],
    functions: tuple[str, ...],
    activities: tuple[str, ...],
    output: Path,
    depfile: Path | None,
    words: CompileOptions,
    settings: Settings,
) -> int:
    """Compile UNITS (sources, objects or archives) with derivatives of their functions."""
    if output.suffix not in _ENDINGS:
        raise ConfigError(f"cannot tell what '{output}' should be", hint=f"its name must end in {', '.join(_ENDINGS)}")
    ahead = _specifications(functions, activities)
    check_writable(output, depfile)
    with tempfile.TemporaryDirectory(prefix="enzyme-export-") as name:
        folder = Path(name)
        prepared = _with_rust_libraries(prepare(units, words, settings, folder))
        made = folder / f"{output.stem}.o"
        job = LinkJob(
            inputs=tuple(_unit(given, prepared) for given in prepared.linkable),
            output=made,
            product=Product.RELOCATABLE,
            exports=tuple(_visible(prepared)) if prepared.libraries else (),
            extra_ir=prepared.texts,
            ahead=ahead,
            **job_options(settings),
        )
        _write(output, made, prepared, link(job, settings), words, settings)
    if depfile:
        write_depfile(depfile, [output], prepared.dependencies)
    return 0


def _unit(given: LinkInput, inputs: Inputs) -> LinkInput:
    """All of an archive; of one that a compiler made of a source, with its standard library, what is needed."""
    return replace(given, whole=is_archive(given.path) and given.path not in inputs.libraries)


def _with_rust_libraries(inputs: Inputs) -> Inputs:
    """Of a static library that rustc made, too, what is not the crate's own is Rust's standard library."""
    archives = [given.path for given in inputs.linkable if is_archive(given.path)]
    found = [path for path in archives if path not in inputs.libraries and has_rust_runtime(path)]
    return replace(inputs, libraries=(*inputs.libraries, *found))


def _visible(inputs: Inputs) -> Iterator[str]:
    """What the units define for others. The choice of the allocator is not theirs: each program of Rust has one."""
    for module in inputs.modules:
        for function in module.functions:
            local = function.linkage.startswith(_LOCAL) or is_allocator(function.name)
            if not function.is_declaration and not local:
                yield function.name


_LOCAL: Final = ("internal", "private", "available_externally", "linkonce")


def _specifications(functions: Sequence[str], activities: Sequence[str]) -> tuple[str, ...]:
    """What `--function` says, with what `--arg` says for all of them."""
    pairs = [parse_activity(text, ":") for text in activities]
    more = ",".join(f"{name}={activity.value}" for name, activity in pairs)
    found = []
    for text in functions:
        given = parse_specification(text)
        modes = ",".join("forward" if mode.value == "forward" else "reverse" for mode in given.modes)
        own = ",".join(f"{name}={activity.value}" for name, activity in given.activities)
        found.append(f"{given.name}:{modes}:{','.join(part for part in (more, own) if part)}")
    return tuple(found)


def _write(  # noqa: PLR0913, PLR0917
    output: Path, made: Path, inputs: Inputs, result: LinkResult, options: CompileOptions, settings: Settings
) -> None:
    """The object with its derivatives, and inputs that are machine code only, in the form that is asked for."""
    done = {*result.consumed, *inputs.libraries}
    rest = [str(given.path) for given in inputs.linkable if given.path not in done]
    others = [result.replaced.get(path, path) for path in rest if result.replaced.get(path, path)]
    made = with_libraries(made, inputs.libraries, list(_visible(inputs)), settings)
    if output.suffix == ".so":
        cxx = inputs.has_cxx or not result.runtimes.isdisjoint((Runtime.LIBCXX, Runtime.LIBSTDCXX))
        compiler = find_compiler(Language.CXX if cxx else Language.C, settings.tools)
        with process.completed_file(output) as temporary:
            command = [*compiler.command, "-shared", "-o", str(temporary), str(made), *others, *options.link_words]
            command += [*runtime_words(result.runtimes, compiler, settings.tools), "-lm"]
            process.check(process.run(command, verbose=settings.verbose), command, f"linking '{output}'")
        return
    if others:
        compiler = find_compiler(Language.C, settings.tools)
        whole = made.with_name(f"{made.stem}.whole.o")
        command = [*compiler.command, "-r", "-nostdlib", str(made), "-Wl,--whole-archive", *others, "-o", str(whole)]
        process.check(process.run(command, verbose=settings.verbose), command, f"linking '{whole.name}'")
        made = whole
    data = made.read_bytes()
    with process.completed_file(output.absolute()) as temporary:
        found = parse_object(made.name, data)
        symbols = sorted(found.symbols.defined) if found and found.symbols else []
        temporary.write_bytes(data if output.suffix == ".o" else archive(f"{output.stem}.o", data, symbols))
