"""What the building commands have in common: inputs of any kind to linkable objects and IR, and outputs of any kind.

Sources are compiled to fat objects; objects, archives and bitcode are taken as they are. `link_object` merges them with
wrapper IR and differentiates; `link_shared` makes a shared library that shows nothing but the names it is told to.
"""

from __future__ import annotations

import functools
import os
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from enzyme_build.bindings.candidates import named
from enzyme_build.bindings.discover import modules_in, resolve
from enzyme_build.commands.symbols import private
from enzyme_build.compilation import compile_sources, language_of, prerequisites
from enzyme_build.errors import EnzymeBuildError, InputError
from enzyme_build.pipeline import LinkInput, LinkJob, LinkResult, job_options, link
from enzyme_build.records import dataclass
from enzyme_build.shortcut import folder as cache_folder
from enzyme_build.toolchain import process
from enzyme_build.toolchain.clang import KEEP_INLINE, FrontEnd
from enzyme_build.toolchain.find import find_compiler, front_end
from enzyme_build.toolchain.languages import Language
from enzyme_build.toolchain.objects import is_archive, is_linker_input, objects_in, origins, read_object
from enzyme_build.toolchain.runtimes import Runtime, needed_runtimes, runtime_words
from enzyme_build.toolchain.rust import standard_library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from enzyme_build.bindings.derivative import Derivative
    from enzyme_build.bindings.native import NativeFunction
    from enzyme_build.bindings.signature import Signature
    from enzyme_build.ir.module import Module
    from enzyme_build.settings import Settings
    from enzyme_build.toolchain.objects import ObjectFile


@dataclass(frozen=True)
class CompileOptions:
    """Words for the compiler and the linker that the user adds."""

    compile_words: tuple[str, ...] = ()
    link_words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inputs:
    """Inputs ready to be linked."""

    linkable: tuple[LinkInput, ...]
    texts: tuple[str, ...]
    """Inputs that are LLVM text."""
    modules: list[Module]
    has_cxx: bool
    libraries: tuple[Path, ...] = ()
    """Static libraries that were made of sources: nobody else has them."""
    dependencies: tuple[Path, ...] = field(default=())
    """Every file that was read: sources, headers, objects."""

    def function(self, signature: Signature) -> tuple[NativeFunction, Signature]:
        """The function that a signature means; who compiled it without bitcode, if there is none."""
        try:
            return resolve(self.modules, signature)
        except InputError as error:
            objects = (found for given in self.linkable for found in _objects(given.path))
            if notes := origins([signature.name, f"{signature.name}_"], objects):
                error.notes = (*error.notes, *notes)
                error.hint = "compile it with enzyme-cc, enzyme-c++ or enzyme-fc, or give its source"
                if any(", compiled by rustc" in note for note in notes):
                    error.hint = "compile it with -C linker-plugin-lto, or give its source or Cargo.toml"
            raise


def compile_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `-I`, `-D`, `-l`, `--compile-arg` and `--link-arg`, which the command gets as `words`."""

    @functools.wraps(function)
    def wrapper(
        include: tuple[Path, ...],
        define: tuple[str, ...],
        library: tuple[str, ...],
        compile_arg: tuple[str, ...],
        link_arg: tuple[str, ...],
        **arguments: Any,
    ) -> Any:
        words = CompileOptions(
            (*(f"-I{folder}" for folder in include), *(f"-D{name}" for name in define), *compile_arg),
            (*link_arg, *(f"-l{name}" for name in library)),
        )
        return function(words=words, **arguments)

    options = (
        click.option("-I", "include", multiple=True, type=click.Path(path_type=Path), metavar="DIR", help="Headers."),
        click.option("-D", "define", multiple=True, metavar="NAME[=VALUE]", help="Macro."),
        click.option("-l", "library", multiple=True, metavar="NAME", help="Library to link (.so)."),
        click.option(
            "--compile-arg", multiple=True, metavar="WORD", help="Word for the compiler (--compile-arg=-std=c11)."
        ),
        click.option("--link-arg", multiple=True, metavar="WORD", help="Word for the linker (.so)."),
    )
    for option in reversed(options):
        wrapper = option(wrapper)
    return wrapper


def prepare(
    paths: Sequence[Path], options: CompileOptions, settings: Settings, folder: Path, wanted: Sequence[Signature] = ()
) -> Inputs:
    """Compile the sources among `paths` into `folder`, and read what all of them define.

    Of the `wanted` functions, those that are `inline` or defined in a class may be gone where their compiler inlined
    them: then the sources are compiled without that, which the link step does anyway.
    """
    sources, linkable, texts = [], [], []
    for path in paths:
        if not path.exists():
            raise InputError(f"no such file: '{path}'")
        if path.suffix == ".ll":
            texts.append(path.read_text())
        elif is_linker_input(path):
            linkable.append(LinkInput(path))
        else:
            sources.append(path)
    library = standard_library([given.path for given in linkable], settings.tools, Path(cache_folder()))
    linkable += [] if library is None else [LinkInput(library)]
    languages = {language_of(source) for source in sources}
    objects = compile_sources(sources, options.compile_words, settings, folder)
    dependencies = [
        path
        for source, made in zip(sources, objects, strict=True)
        for path in prerequisites(source, made, options.compile_words)
    ]
    others = [*(given.path for given in linkable), *(path for path in paths if path.suffix == ".ll")]
    modules = list(modules_in([*objects, *others]))
    if Language.CXX in languages and not _are_defined(modules, wanted):
        kept = folder / "inline"
        kept.mkdir()
        again = compile_sources(sources, (*options.compile_words, *KEEP_INLINE), settings, kept)
        more = list(modules_in([*again, *others]))
        if _are_defined(more, wanted):
            objects, modules = again, more
    every = [*(LinkInput(made) for made in objects), *linkable]
    return Inputs(
        linkable=tuple(every),
        texts=tuple(texts),
        modules=modules,
        has_cxx=Language.CXX in languages,
        libraries=tuple(filter(is_archive, objects)),
        dependencies=tuple(dict.fromkeys([*paths, *dependencies])),
    )


def _are_defined(modules: Sequence[Module], signatures: Sequence[Signature]) -> bool:
    """Is there a function of each of these signatures?"""
    for signature in signatures:
        try:
            named(modules, signature.name, signature.overload, signature.listed)
        except InputError:
            return False
    return True


def link_object(  # noqa: PLR0913
    inputs: Inputs,
    wrappers: str,
    exports: Sequence[str],
    output: Path,
    settings: Settings,
    *,
    explain: bool = False,
) -> LinkResult:
    """Merge, differentiate and optimise into `output` (`.o`, `.ll` or `.bc`), keeping only `exports`; with `explain`
    nothing is written, and the plans are in the result."""
    job = LinkJob(
        explain=explain,
        inputs=inputs.linkable,
        output=output.absolute(),
        exports=tuple(dict.fromkeys(exports)),
        extra_ir=(*inputs.texts, *([wrappers] if wrappers else [])),
        **job_options(settings),
    )
    return link(job, settings)


def link_shared(  # noqa: PLR0913
    objects: Sequence[Path],
    output: Path,
    *,
    inputs: Inputs,
    result: LinkResult,
    exports: Iterable[str],
    options: CompileOptions,
    settings: Settings,
) -> None:
    """A shared library with `exports` as its only names, so that no other library's symbol can take their place."""
    native = _machine_code(inputs, result)
    needed = result.runtimes | needed_runtimes(name for path in [*objects, *native] for name in _undefined(path))
    cxx = inputs.has_cxx or not needed.isdisjoint((Runtime.LIBCXX, Runtime.LIBSTDCXX))
    compiler = find_compiler(Language.CXX if cxx else Language.C, settings.tools)
    script = objects[0].with_name("exports.map")
    script.write_text(f"{{ global: {' '.join(f'{name};' for name in exports)} local: *; }};\n")
    with process.completed_file(output) as temporary:
        command = [*compiler.command, "-shared", "-o", str(temporary), *map(str, [*objects, *native])]
        command += [f"-Wl,--version-script={script}", "-Wl,--gc-sections", *options.link_words]
        command += [*runtime_words(needed, compiler, settings.tools), "-lm"]
        done = process.run(command, verbose=settings.verbose)
        process.check(done, command, f"linking '{output}'")


def link_relocatable(
    objects: Sequence[Path], output: Path, *, inputs: Inputs, result: LinkResult, settings: Settings
) -> None:
    """One object of `objects` and what they need of inputs that are machine code only, without debug data."""
    with process.completed_file(output.absolute()) as temporary:
        _join([*objects, *_machine_code(inputs, result)], temporary, settings)


def _machine_code(inputs: Inputs, result: LinkResult) -> list[Path]:
    return [given.path for given in inputs.linkable if given.path not in result.consumed]


def link_words(needed: Iterable[Runtime], settings: Settings) -> list[str]:
    """What a link line of C needs for code that needs these runtimes."""
    compiler = find_compiler(Language.C, settings.tools)
    words = dict.fromkeys(runtime_words(frozenset(needed), compiler, settings.tools))
    return [word for word in words if word != "-lm"] + ["-lm"]


def with_libraries(made: Path, libraries: Sequence[Path], exports: Sequence[str], settings: Settings) -> Path:
    """The object with what it needs of static libraries that nobody else has, as one object that still defines
    `exports`; `made` if that is nothing.

    Debug data and bitcode of a standard library would be most of it, and are left out."""
    members = [
        found.symbols
        for library in libraries
        for _, _, found in objects_in(library)
        if found and not found.bitcode and found.symbols
    ]
    shared = {name for symbols in members for name in symbols.defined}
    output = made.with_name(f"{made.stem}.whole.o")
    if not shared.isdisjoint(_undefined(made)):
        _join([made, *libraries], output, settings)
    elif members:
        output.write_bytes(made.read_bytes())
    else:
        return made
    # What the object itself has for the libraries is the choice of the allocator: programs have their own.
    shared |= {name for symbols in members for name in symbols.undefined}
    output.write_bytes(private(output.read_bytes(), shared - set(exports), f"{exports[0]}."))
    return output


def _join(objects: Sequence[Path], output: Path, settings: Settings) -> None:
    compiler = find_compiler(Language.C, settings.tools)
    script = objects[0].with_name(f"{objects[0].stem}.ld")
    script.write_text("SECTIONS { /DISCARD/ : { *(.llvmbc) *(.llvmcmd) *(.debug_*) } }\n")
    words = ["-r", "-nostdlib", "-Wl,-S", f"-Wl,-T,{script}"]
    command = [*compiler.command, *words, *map(str, objects), "-o", str(output)]
    process.check(process.run(command, verbose=settings.verbose), command, f"linking '{output.name}'")


def compile_c(source: Path, output: Path, words: Sequence[str], settings: Settings) -> None:
    """Ordinary machine code of a C file of ours."""
    compiler = find_compiler(Language.C, settings.tools)
    # Zig would otherwise make code for this machine only.
    words = [*words, *(["-mcpu=baseline"] if front_end(compiler.command, Language.C) is FrontEnd.ZIG else [])]
    command = [*compiler.command, "-O2", "-fPIC", "-fvisibility=hidden", *words, "-c", str(source), "-o", str(output)]
    process.check(process.run(command, verbose=settings.verbose), command, f"compiling '{source.name}'")


def write_depfile(depfile: Path, targets: Sequence[Path], dependencies: Iterable[Path]) -> None:
    """A Makefile rule that says which files `targets` were made from."""
    made = " ".join(_escaped(target) for target in targets)
    needed = " \\\n  ".join(_escaped(path) for path in dict.fromkeys(dependencies))
    write_text(depfile, f"{made}: {needed}\n")


def check_writable(*paths: Path | None) -> None:
    """Refuse what could not be written in the end, before any work is done."""
    for path in paths:
        if path is None:
            continue
        folder = path.absolute().parent
        if not folder.is_dir():
            raise InputError(f"cannot write '{path}': there is no folder '{folder}'")
        if path.is_dir():
            raise InputError(f"cannot write '{path}': it is a folder")
        if not os.access(folder, os.W_OK):
            raise InputError(f"cannot write '{path}': no permission to write to '{folder}'")


def write_text(path: Path, text: str) -> None:
    """Write the whole file or nothing."""
    with process.completed_file(path.absolute()) as temporary:
        temporary.write_text(text)


def describe_derivatives(derivatives: Iterable[Derivative]) -> list[dict[str, Any]]:
    """What was made, as JSON."""
    from enzyme_build.bindings.derivative import parameters
    from enzyme_build.bindings.header import declaration

    return [
        {
            "function": derivative.interface.name,
            "symbol": derivative.interface.symbol,
            "derivative": derivative.name,
            "mode": derivative.mode.value,
            "declaration": declaration(derivative),
            "parameters": [p.name for p in parameters(derivative)],
            "arguments": [
                {
                    "name": a.name,
                    "activity": a.activity.value,
                    "type": a.dtype.name if a.dtype else None,
                    "pointer": a.is_pointer,
                    "shape": None if a.shape is None else [str(d) for d in a.shape],
                    "intent": a.intent.value,
                }
                for a in derivative.interface.arguments
            ],
        }
        for derivative in derivatives
    ]


def _objects(path: Path) -> Iterable[ObjectFile]:
    found = [item for _, _, item in objects_in(path)] if is_archive(path) else [read_object(path)]
    return (item for item in found if item is not None)


def _undefined(path: Path) -> Iterable[str]:
    try:
        found = read_object(path)
    except EnzymeBuildError:
        return ()
    return found.symbols.undefined if found and found.symbols else ()


def _escaped(path: Path) -> str:
    return str(path).replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")
