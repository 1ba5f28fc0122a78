"""Plans as text: per function its size, its loops, and its source with notes below the lines."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from enzyme_build.commands.annotated import (
    ASSUMED,
    Annotated,
    nest,
    notes,
    readable,
    spaced,
    times,
    total,
)
from enzyme_build.differentiate.report import Storage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from enzyme_build.commands.annotated import Line, SourceFile, Sources
    from enzyme_build.differentiate.report import FunctionPlan, LoopPlan

_WIDTH = 110
_COLOURS = {"kept": "yellow", "again": "green", "advice": "cyan"}


def text_of(found: Sequence[Annotated], sources: Sources, note: str = "") -> str:
    """All functions, those that were asked for first."""
    lines = [note, ""] if note else []
    lines += [line for one in found for line in (*_function(one, sources), "")]
    return "\n".join([*lines, "+ numbers with derivatives, - numbers without"])


def _function(found: Annotated, sources: Sources) -> Iterator[str]:
    plan = found.plan
    yield click.style(title(plan), bold=True)
    yield from _wrapped(f"  {activities(plan)}", "    ")
    if plan.mode.startswith("forward"):
        yield "  no tape: forward mode keeps nothing"
    else:
        yield from _wrapped(f"  tape: {readable(total(plan))}{about(found)}", "        ")
        if found.calls:
            yield from _wrapped(f"  and, for each call, what is kept by {', '.join(found.calls)}", "    ")
        if grows(plan):
            yield "  arrays that grow use up to twice that, with those they grew out of, and reserve up to ten times"
        if plan.is_recursive:
            yield "  each call that it makes of itself has a tape of its own, in memory"
    if plan.loops:
        yield ""
        yield "  loops"
        for loop in plan.loops:
            yield from _wrapped(f"    {loop_text(loop, plan)}", "      ")
    for file in found.files.values():
        yield ""
        yield f"  {file.name}"
        yield from _file(file, found, sources)
    if found.nowhere.kept or found.nowhere.again:
        yield ""
        yield "  in no line that is known"
        yield from _notes(found.nowhere, found, sources, "    ")
    if not found.files:
        yield "  (no debug information: lines are not known; compile with -g)"


def title(plan: FunctionPlan) -> str:
    """`energy (model.c:2), reverse mode`."""
    at = f" ({plan.place[-1].file}:{plan.place[-1].line})" if plan.place else ""
    return f"{readable(plan.name)}{at}, {plan.mode}"


def activities(plan: FunctionPlan) -> str:
    """Which arguments take part."""
    active = [one.name for one in plan.arguments if one.activity != "const"]
    constant = [one.name for one in plan.arguments if one.activity == "const"]
    parts = [f"with derivatives: {', '.join(active) or 'no argument'}"]
    parts += [f"constant: {', '.join(constant)}"] if constant else []
    parts += (
        ["its result is differentiated" if plan.result != "const" else "its result has no derivative"]
        if plan.result
        else []
    )
    return "; ".join(parts)


def about(found: Annotated) -> str:
    """The size as a number, where that says more than the text."""
    if not found.bytes or not any(loop.bytes for loop in found.plan.loops):
        return ""
    assumed = "" if found.is_known else f", where a number that is not given is {ASSUMED}"
    return f" (about {human(found.bytes)}{assumed})"


def grows(plan: FunctionPlan) -> bool:
    """Are there arrays whose size is not known at once?"""
    return any(loop.storage in (Storage.ENTRY, Storage.GROWING) for loop in plan.loops)


def human(size: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            return f"{size:.3g} {unit}"
        size /= 1000
    raise AssertionError(size)


def loop_text(loop: LoopPlan, plan: FunctionPlan) -> str:
    """How often it is run, and where what it keeps lies."""
    around = nest(plan, loop.parent)
    inside = f" in that of {line_of(around[-1])}" if around else ""
    text = f"{line_of(loop)}: {count(loop)}{inside}"
    if not loop.is_reversed:
        return f"{text}; nothing in it has a derivative: the reverse sweep passes it by"
    if loop.is_upward:
        text += ", also in the reverse sweep from the first to the last"
    if loop.storage is Storage.NONE:
        return f"{text}; keeps nothing in an iteration"
    size = f"{loop.bytes} B{times(plan, loop.number)}"
    return f"{text}; keeps {size}, {where(loop, plan)}"


def line_of(loop: LoopPlan) -> str:
    return f"line {loop.place[-1].line}" if loop.place else "a line that is not known"


def count(loop: LoopPlan) -> str:
    """How often a loop is run whenever it is entered."""
    if loop.iterations is not None:
        until = f" to {spaced(loop.until)}" if loop.until is not None else ""
        return f"{spaced(loop.iterations)}{until} times"
    return "a number of times that is known before it" if loop.is_counted else "as often as it turns out"


def where(loop: LoopPlan, plan: FunctionPlan) -> str:
    """Where the arrays of a loop lie, and why they grow."""
    why = f", since {loop.why}" if loop.why else ""
    match loop.storage:
        case Storage.STACK:
            return "on the stack"
        case Storage.EXACT:
            return "taken at once, of exactly this size"
        case Storage.ENTRY:
            assert loop.known_at is not None
            at = line_of(plan.loops[loop.known_at])
            return f"in arrays that grow where the loop of {at} is entered{why}"
        case _:
            return f"in arrays that grow as the loop goes on{why}"


def _file(file: SourceFile, found: Annotated, sources: Sources) -> Iterator[str]:
    digits = len(str(max(file.lines, default=1) + 2))
    for number, stretch in enumerate(file.shown()):
        if number and file.text is not None:
            yield click.style(f"  {'⋮':>{digits}}", dim=True)
        for at in stretch:
            line = file.lines.get(at)
            mark = line.mark if line is not None else " "
            yield f"  {click.style(f'{at:>{digits}}', dim=True)} {mark} {file.line(at)}".rstrip()
            if line is not None:
                yield from _notes(line, found, sources, " " * (digits + 7))


def _notes(line: Line, found: Annotated, sources: Sources, indent: str) -> Iterator[str]:
    for note in notes(line, found, sources):
        size = f", {note.amount}" if note.amount else ""
        first, *rest = _wrapped(f"{indent}{note.head}{size}: {note.text}", f"{indent}  ")
        yield click.style(first, fg=_COLOURS[note.kind])
        yield from (click.style(one, fg=_COLOURS[note.kind]) for one in rest)
        if note.more:
            yield from _wrapped(f"{indent}  needed for {note.more}", f"{indent}    ")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
