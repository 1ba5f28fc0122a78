"""`enzyme-build module`: a Python extension module with compiled functions and their derivatives."""

from __future__ import annotations

import keyword
import sys
import sysconfig
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from enzyme_build.bindings.extension import Export, Extension, extension
from enzyme_build.bindings.interface import make_interface
from enzyme_build.bindings.methods import BATCH
from enzyme_build.bindings.project import FunctionConfig, ModuleConfig, Override, ProjectConfig, read_project
from enzyme_build.bindings.signature import Intent, parse_signature
from enzyme_build.bindings.wrappers import wrapper_module
from enzyme_build.commands.inputs import (
    CompileOptions,
    Inputs,
    check_writable,
    compile_c,
    compile_options,
    link_object,
    link_relocatable,
    link_shared,
    prepare,
    write_depfile,
    write_text,
)
from enzyme_build.commands.options import with_settings
from enzyme_build.errors import ConfigError, ToolError
from enzyme_build.records import dataclass
from enzyme_build.settings import project_overrides, with_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.bindings.interface import Interface
    from enzyme_build.settings import Settings


@dataclass(frozen=True)
class Outputs:
    """Where the files of a module go."""

    library: Path
    stub: Path
    depfile: Path | None = None


@click.command("module")
@click.argument("inputs", nargs=-1, type=click.Path(path_type=Path))
@click.option("--name", metavar="NAME", help="Name of the module, as it is imported: mypkg._core.")
@click.option("--function", "-f", "functions", multiple=True, metavar="SIGNATURE", help="'energy(x[n], n, k)'.")
@click.option("--wrt", multiple=True, metavar="[FUNCTION:]X,K", help="Differentiate with respect to these arguments.")
@click.option(
    "--modes", multiple=True, metavar="[FUNCTION:]MODES", help="Of reverse,forward,hvp,batch (reverse,forward)."
)
@click.option("--python-name", multiple=True, metavar="[FUNCTION:]NAME", help="Name of a function in Python.")
@click.option("--project", type=click.Path(path_type=Path), help="Read [tool.enzyme-build] of this pyproject.toml.")
@click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Counts instead of the project's own value."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="The module, the folder for it (default: here), or an object to link it from (.o).",
)
@click.option("--depfile", type=click.Path(path_type=Path), help="Write what the output depends on (Makefile syntax).")
@compile_options
@with_settings
def command(  # noqa: PLR0913
    *,
    inputs: tuple[Path, ...],
    name: str | None,
    functions: tuple[str, ...],
    wrt: tuple[str, ...],
    modes: tuple[str, ...],
    python_name: tuple[str, ...],
    project: Path | None,
    overrides: tuple[str, ...],
    output: Path | None,
    depfile: Path | None,
    words: CompileOptions,
    settings: Settings,
) -> int:
    """Build a Python extension module from INPUTS, or from the configuration of a project."""
    if project:
        if inputs or functions:
            raise ConfigError("--project already says what goes into the module: leave out inputs and --function")
        config, settings = _configured(project, name, overrides, settings)
        base = project.absolute().parent
    elif overrides:
        raise ConfigError("--set is for the values of a project", hint="add --project pyproject.toml")
    else:
        config, base = (
            _from_options(
                inputs=inputs, name=name, functions=functions, wrt=wrt, modes=modes, python_names=python_name
            ),
            Path(),
        )
    outputs = output_files(config.name, output or Path(), depfile)
    build_module(config, base, outputs, options=words, settings=settings)
    if not settings.quiet:
        click.echo(f"{outputs.library}")
    return 0


def output_files(module: str, output: Path, depfile: Path | None = None) -> Outputs:
    """The module's file and its stub; the file serves every CPython from 3.11 on."""
    stem = module.rpartition(".")[2]
    library = output / f"{stem}{module_suffix()}" if output.is_dir() else output
    if library.name.partition(".")[0] != stem:
        raise ConfigError(f"the module '{module}' must be in a file named '{stem}.…', not '{library.name}'")
    return Outputs(library, library.with_name(f"{stem}.pyi"), depfile)


def module_suffix() -> str:
    """`.abi3.so`; a free-threaded Python has no stable ABI and needs its own."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return str(sysconfig.get_config_var("EXT_SUFFIX"))
    return ".abi3.so"


def build_module(
    config: ModuleConfig, base: Path, outputs: Outputs, *, options: CompileOptions, settings: Settings
) -> None:
    """Compile, differentiate and link the module; the sources of `config` are relative to `base`."""
    check_writable(outputs.library, outputs.stub, outputs.depfile)
    options = with_words(options, config, base)
    _python_include()
    with tempfile.TemporaryDirectory(prefix="enzyme-module-") as name:
        folder = Path(name)
        wanted = [one.parsed for one in config.function]
        inputs = prepare([base / source for source in config.sources], options, settings, folder, wanted)
        exports = [Export(_named_interface(one, inputs), one.modes) for one in config.function]
        made = link_module(
            config.name, exports, inputs, outputs.library, folder=folder, options=options, settings=settings
        )
    write_text(outputs.stub, made.stub)
    if outputs.depfile:
        write_depfile(outputs.depfile, [outputs.library, outputs.stub], inputs.dependencies)


def link_module(  # noqa: PLR0913
    name: str,
    exports: Sequence[Export],
    inputs: Inputs,
    output: Path,
    *,
    folder: Path,
    options: CompileOptions,
    settings: Settings,
) -> Extension:
    """Differentiate and link the module `name` into a file, with what lies between in `folder`."""
    made = extension(name, exports)
    glue, native = folder / "extension.o", folder / "native.o"
    write_text(folder / "extension.c", made.source)
    compile_c(folder / "extension.c", glue, [f"-I{_python_include()}"], settings)
    ours = [one.interface for one in exports if one.interface.by_address]
    symbols = [native.symbol for native in made.natives] + [name for interface in ours for name in interface.symbols]
    wrappers = wrapper_module(made.derivatives, ours) if made.derivatives or ours else ""
    result = link_object(inputs, wrappers, symbols, native, settings)
    if output.suffix == ".o":
        link_relocatable([glue, native], output, inputs=inputs, result=result, settings=settings)
        return made
    if any(BATCH in export.modes for export in exports):
        # Its own library where the C library is older than 2.34.
        options = replace(options, link_words=(*options.link_words, "-pthread"))
    link_shared(
        [glue, native],
        output,
        inputs=inputs,
        result=result,
        exports=[f"PyInit_{name.rpartition('.')[2]}"],
        options=options,
        settings=settings,
    )
    return made


def _named_interface(function: FunctionConfig, inputs: Inputs) -> Interface:
    """The interface of a function that a module has as its attribute."""
    interface = python_interface(function, inputs)
    if keyword.iskeyword(interface.name):
        raise ConfigError(
            f"'{interface.name}' is a word of Python's own, and no name of a function there",
            hint=f"give another one with python-name: {interface.name}_",
        )
    return interface


def python_interface(function: FunctionConfig, inputs: Inputs) -> Interface:
    """The interface of a function that Python is to call, all of whose shapes have to be known."""
    native, signature = inputs.function(function.parsed)
    interface = make_interface(signature, native, wrt=function.wrt, name=function.python_name or None)
    for argument in interface.arguments:
        if argument.is_pointer and argument.shape is None:
            raise ConfigError(
                f"argument '{argument.name}' of '{signature.name}' is a pointer of unknown shape",
                hint=f"write the signature with shapes: '{signature.base_name}({argument.name}[n], …)'",
            )
        if argument.is_array and argument.intent is Intent.IN and not argument.read_only:
            sys.stderr.write(
                f"warning: '{signature.name}' may write to '{argument.name}': "
                "make it const in the source, or 'inout' in the signature\n"
            )
    return interface


def _configured(
    project: Path, name: str | None, overrides: Sequence[str], settings: Settings
) -> tuple[ModuleConfig, Settings]:
    config = _read(project, overrides)
    modules = {module.name: module for module in config.module}
    if name is None and len(modules) == 1:
        (name,) = modules
    if name not in modules:
        raise ConfigError(
            f"'{project}' has no module '{name}'" if name else f"which module of '{project}'?",
            hint=f"--name with one of {', '.join(modules) or '(none are configured)'}",
        )
    on_the_line = click.get_current_context().params
    given = {key: getattr(config, key) or None for key in ("target_cpu", "veclib", "ad_before_opt", "loose_types")}
    given["optimise"] = config.optimise
    unsaid = {key: value for key, value in given.items() if on_the_line.get(key) is None}
    return modules[name], with_options(settings, **unsaid)


def _read(project: Path, overrides: Sequence[str]) -> ProjectConfig:
    set_here = [Override(*text.partition("=")[::2], f"--set {text}") for text in overrides]
    told = [Override(*one) for one in project_overrides()]
    try:
        return read_project(tomllib.loads(project.read_text("utf-8")), [*told, *set_here])
    except OSError as error:
        raise ConfigError(f"cannot read '{project}': {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"'{project}' is not valid TOML: {error}") from error


def _from_options(  # noqa: PLR0913
    *,
    inputs: Sequence[Path],
    name: str | None,
    functions: Sequence[str],
    wrt: Sequence[str],
    modes: Sequence[str],
    python_names: Sequence[str],
) -> ModuleConfig:
    if not inputs or not functions or name is None:
        missing = "inputs" if not inputs else "--function" if not functions else "--name"
        raise ConfigError(f"{missing} missing", hint="or give --project pyproject.toml")
    names = [parse_signature(text).name for text in functions]
    wrts, chosen = _by_function("--wrt", wrt, names), _by_function("--modes", modes, names)
    renamed = _by_function("--python-name", python_names, names)
    from enzyme_build.bindings.project import read

    return read(
        ModuleConfig,
        {
            "name": name,
            "sources": [str(path) for path in inputs],
            "function": [
                {
                    "signature": text,
                    "wrt": _listed(wrts.get(own, "")),
                    **({"modes": _listed(chosen[own])} if own in chosen else {}),
                    "python-name": renamed.get(own, ""),
                }
                for text, own in zip(functions, names, strict=True)
            ],
        },
        "the command line",
    )


def _listed(text: str) -> list[str]:
    return [word for word in text.replace(" ", "").split(",") if word]


def _by_function(option: str, given: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Values given as `function:value`, or as `value` where there is only one function."""
    found: dict[str, str] = {}
    for text in given:
        owners = [name for name in names if text.startswith(f"{name}:")]
        # 'forces' is also how 'forces::energy' begins.
        owner = max(owners, key=len, default=names[0] if len(names) == 1 else None)
        if owner is None:
            raise ConfigError(f"{option} {text}: for which function?", hint=f"write {option} {names[0]}:…")
        found[owner] = text.removeprefix(f"{owner}:")
    return found


def with_words(options: CompileOptions, config: ModuleConfig, base: Path) -> CompileOptions:
    """The words of `options` and of a module."""
    return replace(
        options,
        compile_words=(
            *(f"-I{base / folder}" for folder in config.include_dirs),
            *(f"-D{name}" for name in config.defines),
            *config.compile_args,
            *options.compile_words,
        ),
        link_words=(*config.link_args, *options.link_words, *(f"-l{name}" for name in config.libraries)),
    )


def _python_include() -> Path:
    include = Path(sysconfig.get_path("include"))
    if not (include / "Python.h").exists():
        raise ToolError(f"Python.h is not in '{include}'", hint="apt-get install python3-dev")
    return include
