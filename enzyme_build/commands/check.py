"""`enzyme-build check`: finite differences, forward mode and reverse mode of a function against each other."""

from __future__ import annotations

import json
import math
import os
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from enzyme_build.bindings.compare import CANNOT_LOAD, Row, Trial, TrialArgument, to_json
from enzyme_build.bindings.derivative import Derivative, Mode
from enzyme_build.bindings.dimension import evaluate, names
from enzyme_build.bindings.interface import Argument, Interface, make_interface
from enzyme_build.bindings.methods import check_differentiable
from enzyme_build.bindings.signature import Intent, parse_signature
from enzyme_build.commands.gradient import build
from enzyme_build.commands.inputs import CompileOptions, compile_options, prepare
from enzyme_build.commands.options import with_settings
from enzyme_build.errors import ConfigError, ToolError
from enzyme_build.records import dataclass
from enzyme_build.toolchain import process

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from enzyme_build.settings import Settings

_TOLERANCES: Final = {"float32": (2e-2, 1e-4)}
_TOLERANCE: Final = (1e-6, 1e-9)
"""Relative: of differences against forward mode, and of reverse against forward mode."""


@dataclass(frozen=True)
class Point:
    """Where to compare."""

    values: Mapping[str, float]
    low: float
    high: float
    trials: int
    seed: int


@click.command("check")
@click.argument("inputs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--function", "-f", required=True, metavar="SIGNATURE", help="With shapes: 'energy(x[n], n, k)'.")
@click.option("--wrt", default="", metavar="X,K", help="Only these arguments (default: all floating-point ones).")
@click.option(
    "--value", "values", multiple=True, metavar="NAME=NUMBER", help="A length, or all elements of an argument."
)
@click.option("--range", "bounds", nargs=2, type=float, default=(0.5, 1.5), show_default=True, help="Of random inputs.")
@click.option("--trials", type=click.IntRange(min=1), default=3, show_default=True, help="Points to compare at.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random numbers.")
@click.option("--tolerance", type=float, help="Largest relative difference to finite differences (1e-6).")
@compile_options
@with_settings
def command(  # noqa: PLR0913
    *,
    inputs: tuple[Path, ...],
    function: str,
    wrt: str,
    values: tuple[str, ...],
    bounds: tuple[float, float],
    trials: int,
    seed: int,
    tolerance: float | None,
    words: CompileOptions,
    settings: Settings,
) -> int:
    """Compare the derivatives of a function with finite differences at random points. Exit code 1 if they disagree."""
    point = Point(given_values(values), *bounds, trials, seed)
    with tempfile.TemporaryDirectory(prefix="enzyme-check-") as name:
        folder = Path(name)
        prepared = prepare(inputs, words, settings, folder, [parse_signature(function)])
        native, signature = prepared.function(parse_signature(function))
        interface = make_interface(signature, native, wrt=[word.strip() for word in wrt.split(",") if word.strip()])
        check_differentiable(interface)
        reverse = Derivative(interface, Mode.REVERSE, "enzyme_build_check_reverse", seed=True)
        forward = Derivative(interface, Mode.FORWARD, "enzyme_build_check_forward")
        library = folder / "checked.so"
        chosen = make_trials(interface, library, reverse.name, forward.name, point)
        build([reverse, forward], prepared, library, folder=folder, options=words, settings=settings)
        rows = _run(chosen, folder, [path.absolute().parent for path in inputs if ".so" in path.suffixes])
    verdicts = [verdict(interface, row, tolerance) for row in rows]
    _print(rows, verdicts, quiet=bool(settings.quiet))
    return 0 if all(not problem for problem in verdicts) else 1


def make_trials(interface: Interface, library: Path, reverse: str, forward: str, point: Point) -> list[Trial]:
    """The points to compare at: lengths chosen at random, shapes computed from them."""
    for name in point.values:
        if name not in {*(a.name for a in interface.arguments), *interface.free_names}:
            raise ConfigError(f"--value {name}: '{interface.name}' has no argument and no length '{name}'")
    trials = []
    for index in range(point.trials):
        numbers = random.Random(point.seed * 1000 + index)  # noqa: S311 (test points, no secrets)
        # A length given by more than one name comes out right only if all of them are small and distinct.
        lengths = {name: int(point.values.get(name, numbers.randint(2, 6))) for name in _length_names(interface)}
        lengths |= _dense_strides(interface, lengths)
        trials.append(
            Trial(
                library=str(library),
                primal=interface.symbol,
                reverse=reverse,
                forward=forward,
                result=interface.result.name if interface.result else None,
                result_active=interface.has_active_result,
                arguments=[_trial_argument(interface, a, lengths, point) for a in interface.arguments],
                seed=point.seed * 1000 + index,
                low=point.low,
                high=point.high,
            )
        )
    return trials


def verdict(interface: Interface, row: Row, tolerance: float | None) -> str:
    """What is wrong with a row; empty when the three numbers agree."""
    element = interface.argument(row.argument).element.name
    against_differences, between_modes = _TOLERANCES.get(element, _TOLERANCE)
    if tolerance is not None:
        against_differences = tolerance
    if not all(map(math.isfinite, (row.differences, row.forward, row.reverse))):
        return "not finite: choose other inputs with --range or --value"
    scale = max(row.scale, abs(row.differences), 1e-300)
    # Where differences themselves cannot tell, they can only be trusted as far as their own estimate.
    allowed = against_differences * scale + 10 * row.uncertainty
    if abs(row.forward - row.reverse) > between_modes * scale:
        forward_right = abs(row.forward - row.differences) <= allowed
        return "reverse mode disagrees" if forward_right else "forward and reverse mode disagree"
    return "" if abs(row.forward - row.differences) <= allowed else "finite differences disagree"


def _run(trials: list[Trial], folder: Path, libraries: Sequence[Path]) -> list[Row]:
    """Compare, where shared libraries among the inputs are found."""
    job = folder / "trials.json"
    job.write_text(to_json(trials))
    output = folder / "rows.json"
    command_line = [sys.executable, "-m", "enzyme_build.bindings.compare", str(job), str(output)]
    done = process.run(command_line, environment=_with_libraries(libraries))
    if done.returncode == CANNOT_LOAD:
        missing = re.search(r"undefined symbol: (\S+)", done.stderr)
        raise ToolError(
            f"the compiled function needs '{missing[1]}', which no input defines" if missing else done.stderr,
            hint="give the file that has it, or its library: -l NAME, or --link-arg=/path/to/libNAME.so",
        )
    if done.returncode:
        raise ToolError(
            f"the compiled function stopped with {process.describe_exit(done.returncode)}",
            command=command_line,
            stderr=done.stderr,
            hint="are the shapes in the signature right? give lengths and integers with --value",
        )
    return [Row(**row) for rows in json.loads(output.read_text()) for row in rows]


def _with_libraries(folders: Sequence[Path]) -> dict[str, str]:
    own = dict(os.environ)  # noqa: TID251
    searched = [*map(str, folders), *filter(None, [own.get("LD_LIBRARY_PATH")])]
    return {**own, "LD_LIBRARY_PATH": os.pathsep.join(searched)} if folders else own


def _length_names(interface: Interface) -> list[str]:
    in_shapes = [name for a in interface.arguments for d in a.shape or () for name in names(d)]
    return list(dict.fromkeys(in_shapes))


def _elements(argument: Argument, lengths: Mapping[str, int]) -> int:
    """How many elements there are from the first to the last, with gaps."""
    shape = [evaluate(dimension, lengths) for dimension in argument.shape or ()]
    strides = argument.strides or (None,) * len(shape)
    last, dense = 0, 1
    for axis in argument.inner_first:
        name = strides[axis]
        step = dense if name is None else lengths[name]
        last += (shape[axis] - 1) * step
        dense = step * shape[axis]
    return min(shape, default=1) if min(shape, default=1) <= 0 else last + 1


def _dense_strides(interface: Interface, lengths: Mapping[str, int]) -> dict[str, int]:
    """Strides with which all arrays that share them have room: the greatest of those without a gap."""
    found = {}
    for name, axes in interface.strides.items():
        inside = []
        for argument, axis in axes:
            inner = argument.inner_first[: argument.inner_first.index(axis)]
            inside.append(math.prod(evaluate((argument.shape or ())[one], lengths) for one in inner))
        found[name] = max(inside)
    return found


def _trial_argument(
    interface: Interface, argument: Argument, lengths: Mapping[str, int], point: Point
) -> TrialArgument:
    if argument.is_pointer and argument.shape is None:
        raise ConfigError(
            f"argument '{argument.name}' of '{interface.name}' is a pointer of unknown shape",
            hint=f"give the signature with shapes: --function '{interface.name}({argument.name}[n], …)'",
        )
    # Of complex numbers the parts are compared.
    parts = argument.element.size // argument.element.part.size
    count = _elements(argument, lengths) * parts
    if count < 0:
        raise ConfigError(f"'{argument.name}' would have a negative size", hint="give lengths with --value")
    values = None
    if argument.name in lengths:
        values = [float(lengths[argument.name])]
    elif argument.name in point.values:
        values = [point.values[argument.name]]
    return TrialArgument(
        name=argument.name,
        dtype=argument.element.part.name,
        pointer=argument.is_pointer,
        count=count,
        active=argument.is_active,
        written=argument.intent is not Intent.IN,
        read=argument.intent is not Intent.OUT,
        moved=argument.name in interface.wrt,
        values=values,
    )


def given_values(given: Iterable[str]) -> dict[str, float]:
    """What `--value NAME=NUMBER` says."""
    found = {}
    for text in given:
        name, _, number = text.partition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise ConfigError(f"--value {text}: not a number", hint="write --value name=number") from None
    return found


def _print(rows: Sequence[Row], verdicts: Sequence[str], *, quiet: bool) -> None:
    if quiet and not any(verdicts):
        return
    width = max(8, *(len(row.argument) for row in rows))
    click.echo(f"{'argument':{width}}  {'differences':>22}  {'forward':>22}  {'reverse':>22}  verdict")
    for row, problem in zip(rows, verdicts, strict=True):
        numbers = "  ".join(f"{number:22.14g}" for number in (row.differences, row.forward, row.reverse))
        click.echo(f"{row.argument:{width}}  {numbers}  {problem or 'ok'}")
    wrong = sum(map(bool, verdicts))
    click.echo(f"{len(rows)} comparisons, {wrong or 'none'} wrong")
