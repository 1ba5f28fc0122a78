"""The options that every command which builds something shares, and the settings they give."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from enzyme_build import settings as settings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")

_OPTIONS = (
    click.option("-O", "optimise", type=click.IntRange(0, 3), help="Optimisation level (default 2)."),
    click.option("--target-cpu", metavar="CPU", help="CPU to generate code for, as in -march= (native: this one)."),
    click.option("--veclib", type=click.Choice(["libmvec"]), help="Vector functions for loops with exp, sin …"),
    click.option("--ad-before-opt", is_flag=True, default=None, help="Differentiate unoptimised code (a baseline)."),
    click.option("--loose-types", is_flag=True, default=None, help="Guess types that cannot be proved, and warn."),
    click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Compilers running at once."),
    click.option("--verbose", "-v", is_flag=True, default=None, help="Print each command that is run."),
    click.option("--quiet", "-q", is_flag=True, default=None, help="Print errors only."),
    click.option(
        "--save-stages",
        type=click.Path(file_okay=False, path_type=Path),
        hidden=True,
        help="Write the module after each stage into this folder.",
    ),
)


def with_settings(function: Callable[..., R]) -> Callable[..., R]:
    """Add the common options to a command, which gets them as `settings`."""

    @functools.wraps(function)
    def wrapper(**arguments: Any) -> R:
        return function(settings=_settings(arguments), **arguments)

    for option in reversed(_OPTIONS):
        wrapper = option(wrapper)
    return wrapper


def _settings(arguments: dict[str, Any]) -> Settings:
    """Take the common options out of a command's arguments."""
    names = (
        "optimise",
        "target_cpu",
        "veclib",
        "ad_before_opt",
        "loose_types",
        "jobs",
        "verbose",
        "quiet",
        "save_stages",
    )
    return settings_of.with_options(settings_of.from_environment(), **{name: arguments.pop(name) for name in names})
