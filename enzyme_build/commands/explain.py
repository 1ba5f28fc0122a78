"""`enzyme-build explain`: what a derivative keeps on its tape, what it computes again, and why; nothing is built.

The plan is that of the pass itself, for the same inputs and options as those of `enzyme-build gradient`.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from enzyme_build.bindings.signature import parse_signature
from enzyme_build.bindings.wrappers import wrapper_module
from enzyme_build.commands.annotated import Sizes, Sources, all_annotated
from enzyme_build.commands.check import given_values
from enzyme_build.commands.explained_text import text_of
from enzyme_build.commands.gradient import Asked, asked_options
from enzyme_build.commands.inputs import (
    CompileOptions,
    check_writable,
    compile_options,
    describe_derivatives,
    link_object,
    prepare,
    write_text,
)
from enzyme_build.commands.options import with_settings
from enzyme_build.differentiate.report import to_json

if TYPE_CHECKING:
    from enzyme_build.settings import Settings


_SECOND_ORDER: Final = "Forward mode goes over this reverse mode: the tape is there twice, with its tangents."


@click.command("explain")
@asked_options
@click.option("--value", "values", multiple=True, metavar="NAME=NUMBER", help="A length, for sizes as numbers.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page: the annotated source, with plots.")
@click.option("--report", type=click.Path(path_type=Path), help="Write the plan (JSON).")
@compile_options
@with_settings
def command(  # noqa: PLR0913
    *,
    inputs: tuple[Path, ...],
    asked: Asked,
    values: tuple[str, ...],
    html: Path | None,
    report: Path | None,
    words: CompileOptions,
    settings: Settings,
) -> int:
    """Show what the derivative of a function keeps on its tape, what it computes again, and why."""
    sizes = Sizes(given_values(values))
    check_writable(html, report)
    with tempfile.TemporaryDirectory(prefix="enzyme-explain-") as name:
        folder = Path(name)
        prepared = prepare(inputs, words, settings, folder, [parse_signature(asked.function)])
        derivatives = asked.derivatives(prepared)
        exports = [*(d.name for d in derivatives), derivatives[0].interface.symbol]
        made = link_object(
            prepared, wrapper_module(derivatives), exports, folder / "explained.o", settings, explain=True
        )
    sources = Sources(inputs)
    note = _SECOND_ORDER if asked.mode == "hvp" else ""
    found = all_annotated(made.plans, sources, sizes)
    if not settings.quiet:
        click.echo(text_of(found, sources, note))
    if html:
        from enzyme_build.commands.explained_html import page

        write_text(html, page(found, sources, sizes, note))
    if report:
        said = {"derivatives": describe_derivatives(derivatives), "plans": [to_json(one.plan) for one in found]}
        write_text(report, json.dumps(said, indent=2) + "\n")
    return 0
