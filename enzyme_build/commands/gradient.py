"""`enzyme-build gradient`: the derivative of a function as an object, archive, shared library, LLVM text or bitcode."""

from __future__ import annotations

import functools
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from enzyme_build.bindings.derivative import SUFFIXES, Derivative, Mode
from enzyme_build.bindings.fortran_module import fortran_module as module_text
from enzyme_build.bindings.header import header
from enzyme_build.bindings.interface import Activity, Interface, make_interface, with_activities
from enzyme_build.bindings.rust_bindings import rust_bindings as bindings_text
from enzyme_build.bindings.signature import parse_signature
from enzyme_build.bindings.wrappers import wrapper_module
from enzyme_build.commands.archive import archive
from enzyme_build.commands.inputs import (
    CompileOptions,
    Inputs,
    check_writable,
    compile_options,
    describe_derivatives,
    link_object,
    link_shared,
    link_words,
    prepare,
    with_libraries,
    write_depfile,
    write_text,
)
from enzyme_build.commands.options import with_settings
from enzyme_build.commands.symbols import weakened
from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass
from enzyme_build.toolchain import process
from enzyme_build.toolchain.objects import parse_object

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from enzyme_build.ir.module import Module
    from enzyme_build.settings import Settings
    from enzyme_build.toolchain.runtimes import Runtime

_ENDINGS: Final = (".o", ".a", ".so", ".ll", ".bc")
_MODES: Final = {
    "reverse": (Mode.REVERSE,),
    "forward": (Mode.FORWARD,),
    "split": (Mode.AUGMENTED, Mode.BACKWARD),
    "hvp": (Mode.HVP,),
}
_BACKWARDS: Final = (Mode.REVERSE, Mode.AUGMENTED, Mode.BACKWARD)


@dataclass(frozen=True)
class Asked:
    """Which derivative of which function."""

    function: str
    mode: str
    activities: dict[str, Activity]
    width: int
    symbol: str | None
    seed: bool
    primal: bool

    def derivatives(self, inputs: Inputs) -> list[Derivative]:
        """The functions to build."""
        if self.symbol and not (self.symbol.isidentifier() and self.symbol.isascii()):
            raise ConfigError(f"--symbol '{self.symbol}' is no name of a function", hint="write letters, digits and _")
        interface = find_interface(inputs, self.function)
        if self.activities:
            interface = with_activities(interface, self.activities)
        found = [
            Derivative(
                interface,
                one,
                _symbol(self.symbol, self.mode, one),
                seed=self.seed,
                primal=self.primal,
                width=self.width,
            )
            for one in _MODES[self.mode]
        ]
        for derivative in found:
            _check(derivative)
            if any(_is_shown(module, derivative.name) for module in inputs.modules):
                raise ConfigError(
                    f"the inputs define '{derivative.name}' themselves",
                    hint=f"give the derivative another name: --symbol {derivative.name}_2",
                )
        return found


def asked_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which derivative is meant, which the command gets as `asked`."""

    @functools.wraps(function)
    def wrapper(**arguments: Any) -> Any:
        names = ("function", "mode", "activities", "width", "symbol", "seed", "no_primal")
        given = {name: arguments.pop(name) for name in names}
        given |= {"activities": _activities(given["activities"]), "primal": not given.pop("no_primal")}
        return function(asked=Asked(**given), **arguments)

    options = (
        click.argument("inputs", nargs=-1, required=True, type=click.Path(path_type=Path)),
        click.option(
            "--function", "-f", required=True, metavar="NAME", help="Name or signature: 'energy(x[n], n, k)'."
        ),
        click.option("--mode", type=click.Choice(list(_MODES)), default="reverse", show_default=True),
        click.option(
            "--arg", "activities", multiple=True, metavar="NAME:ACTIVITY", help="const, dup, dupnoneed or out."
        ),
        click.option(
            "--width", type=click.IntRange(min=1), default=1, metavar="N", help="Tangents or adjoints at once."
        ),
        click.option("--symbol", metavar="NAME", help="Name of the derivative (default: f_grad, f_jvp)."),
        click.option("--seed", is_flag=True, help="Take the seed of the result as a last argument."),
        click.option("--no-primal", is_flag=True, help="Return nothing instead of the function's own result."),
    )
    for option in reversed(options):
        wrapper = option(wrapper)
    return wrapper


@click.command("gradient")
@asked_options
@click.option("--output", "-o", required=True, type=click.Path(path_type=Path), help="Ends in .o, .a, .so, .ll or .bc.")
@click.option("--header", "header_path", type=click.Path(path_type=Path), help="Write a C header.")
@click.option(
    "--fortran-module",
    type=click.Path(path_type=Path),
    help="Write a Fortran module of interfaces, named like the file.",
)
@click.option("--rust-bindings", type=click.Path(path_type=Path), help="Write Rust declarations.")
@click.option(
    "--link-flags",
    type=click.Path(path_type=Path),
    help="Write what a C link line needs besides the output (.o, .a): runtimes, one word on a line.",
)
@click.option("--depfile", type=click.Path(path_type=Path), help="Write what the output depends on (Makefile syntax).")
@click.option("--report", type=click.Path(path_type=Path), help="Write what was made (JSON).")
@compile_options
@with_settings
def command(  # noqa: PLR0913
    *,
    inputs: tuple[Path, ...],
    asked: Asked,
    output: Path,
    header_path: Path | None,
    fortran_module: Path | None,
    rust_bindings: Path | None,
    link_flags: Path | None,
    depfile: Path | None,
    report: Path | None,
    words: CompileOptions,
    settings: Settings,
) -> int:
    """Build the derivative of a function from INPUTS: sources, objects, archives or bitcode, in any mix."""
    if output.suffix not in _ENDINGS:
        raise ConfigError(f"cannot tell what '{output}' should be", hint=f"its name must end in {', '.join(_ENDINGS)}")
    check_writable(output, header_path, fortran_module, rust_bindings, link_flags, depfile, report)
    with tempfile.TemporaryDirectory(prefix="enzyme-gradient-") as name:
        folder = Path(name)
        prepared = prepare(inputs, words, settings, folder, [parse_signature(asked.function)])
        derivatives = asked.derivatives(prepared)
        texts = _interfaces(derivatives, header_path, fortran_module, rust_bindings)
        needed = build(derivatives, prepared, output, folder=folder, options=words, settings=settings)
    if link_flags:
        words_for_c = link_words(needed, settings) if output.suffix in {".o", ".a"} else []
        texts[link_flags] = "".join(f"{word}\n" for word in words_for_c)
    for path, text in texts.items():
        write_text(path, text)
    if depfile:
        write_depfile(depfile, [output], prepared.dependencies)
    if report:
        made = {"output": str(output), "derivatives": describe_derivatives(derivatives)}
        write_text(report, json.dumps(made, indent=2) + "\n")
    return 0


def _is_shown(module: Module, name: str) -> bool:
    """Does a module define a function of this name for others?"""
    return module.is_defined(name) and not module.function(name).is_local


def _symbol(given: str | None, mode: str, one: Mode) -> str:
    """The name of one of the functions of a mode: as given, or both passes with it before their endings."""
    return (given + SUFFIXES[one] if len(_MODES[mode]) > 1 else given) if given else ""


def _interfaces(
    derivatives: Sequence[Derivative], c_header: Path | None, fortran: Path | None, rust: Path | None
) -> dict[Path, str]:
    """The files that declare the derivatives for callers."""
    texts = {}
    if c_header:
        texts[c_header] = header(derivatives, c_header.name)
    if fortran:
        texts[fortran] = module_text(derivatives, fortran.stem)
    if rust:
        texts[rust] = bindings_text(derivatives)
    return texts


def find_interface(inputs: Inputs, function: str) -> Interface:
    """The interface of a function given by name or signature."""
    native, signature = inputs.function(parse_signature(function))
    return make_interface(signature, native)


def build(  # noqa: PLR0913
    derivatives: Sequence[Derivative],
    inputs: Inputs,
    output: Path,
    *,
    folder: Path,
    options: CompileOptions,
    settings: Settings,
) -> frozenset[Runtime]:
    """Write the derivatives and their primals to `output`, in the form that its ending names; the runtimes that the
    code then needs."""
    exports = [*(d.name for d in derivatives), *(name for d in derivatives for name in d.interface.symbols)]
    made = output if output.suffix in {".ll", ".bc"} else folder / f"{output.stem}.o"
    result = link_object(inputs, wrapper_module(derivatives), exports, made, settings)
    if output.suffix == ".so":
        link_shared([made], output, inputs=inputs, result=result, exports=exports, options=options, settings=settings)
    elif output.suffix in {".o", ".a"}:
        data = with_libraries(made, inputs.libraries, exports, settings).read_bytes()
        data = weakened(data, _defined(data) - {d.name for d in derivatives})
        with process.completed_file(output.absolute()) as temporary:
            temporary.write_bytes(data if output.suffix == ".o" else archive(made.name, data, exports))
    return result.runtimes


def _defined(data: bytes) -> frozenset[str]:
    """What a program may have from elsewhere as well: the primals, and parts of libraries."""
    found = parse_object("the object with derivatives", data)
    return found.symbols.defined if found and found.symbols else frozenset()


def _activities(given: Sequence[str]) -> dict[str, Activity]:
    found: dict[str, Activity] = {}
    for text in given:
        name, separator, word = text.partition(":")
        try:
            found[name] = Activity(word)
        except ValueError:
            known = ", ".join(a.value for a in Activity)
            problem = f"'{word}' is no activity" if separator else "the activity is missing"
            raise ConfigError(f"--arg {text}: {problem}", hint=f"write name:activity with one of {known}") from None
    return found


def _check(derivative: Derivative) -> None:
    interface = derivative.interface
    if derivative.mode is Mode.HVP and not interface.has_active_result:
        raise ConfigError(f"'{interface.name}' has no Hessian: it returns no float")
    if derivative.mode is Mode.HVP and derivative.width > 1:
        raise ConfigError("--width goes with the modes reverse, forward and split", hint="call the function repeatedly")
    if derivative.width > 1 and interface.has_active_result and not derivative.seed and derivative.mode in _BACKWARDS:
        raise ConfigError(
            f"{derivative.width} adjoints of '{interface.name}' need as many adjoints of its result",
            hint="say --seed: they are passed in an array behind the arguments",
        )
    if not any(a.is_active for a in interface.arguments):
        raise ConfigError(f"'{interface.name}' has no active argument to differentiate with respect to")
    if not interface.has_active_result and not any(a.is_pointer and a.is_active for a in interface.arguments):
        raise ConfigError(f"'{interface.name}' has no active result: it returns no float and takes no active pointer")
