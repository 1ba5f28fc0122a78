"""Plans as one page that needs nothing else: annotated source, with plots of the tape by line and by reason."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jinja2
from markupsafe import Markup

from enzyme_build.commands.annotated import ASSUMED, Annotated, Sizes, notes, readable, times, total
from enzyme_build.commands.explained_text import about, activities, count, grows, human, line_of, title, where
from enzyme_build.differentiate.report import Storage
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from enzyme_build.commands.annotated import SourceFile, Sources
    from enzyme_build.differentiate.report import FunctionPlan

_TEMPLATE: Final = Path(__file__).with_name("explained.html.j2")
_WIDE: Final = 1000
_HIGH: Final = 160
_MOST_BARS: Final = 400
"""Lines of a plot: more than that are drawn together."""


def page(found: Sequence[Annotated], sources: Sources, sizes: Sizes, note: str = "") -> str:
    """The page, as text."""
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    asked = [one for one in found if one.plan.is_asked] or list(found)
    named = f"Tape of {', '.join(dict.fromkeys(readable(one.plan.name) for one in asked))}"
    assumed = ASSUMED if not all(one.is_known for one in found) else None
    functions = [_function(one, sources, sizes) for one in found]
    template = environment.from_string(_TEMPLATE.read_text())
    return template.render(title=named, note=note, assumed=assumed, functions=functions)


def _function(found: Annotated, sources: Sources, sizes: Sizes) -> dict[str, Any]:
    plan = found.plan
    reasons: dict[str, float] = {}
    for kept in plan.kept:
        reasons[kept.why.value] = reasons.get(kept.why.value, 0) + sizes.of(kept, plan)
    most = max((line.bytes for line in found.every_line()), default=0)
    return {
        "number": plan.number,
        "title": title(plan),
        "activities": activities(plan),
        "total": readable(total(plan)),
        "about": about(found),
        "calls": ", ".join(found.calls),
        "grows": grows(plan),
        "unknown": not found.files,
        "loops": _loops(plan),
        "reasons_plot": _reasons_plot(reasons) if most else "",
        "files": [_file(file, found, sources, most) for file in found.files.values()],
        "nowhere": notes(found.nowhere, found, sources),
    }


def _loops(plan: FunctionPlan) -> list[dict[str, str]]:
    return [
        {
            "at": line_of(loop),
            "count": count(loop),
            "size": f"{loop.bytes} B{times(plan, loop.number)}" if loop.bytes else "nothing",
            "where": where(loop, plan) if loop.storage is not Storage.NONE else "",
        }
        for loop in plan.loops
    ]


def _file(file: SourceFile, found: Annotated, sources: Sources, most: float) -> dict[str, Any]:
    return {
        "name": file.name,
        "tape_plot": _tape_plot(file),
        "work_plot": _work_plot(file),
        "stretches": [[_line(at, file, found, sources, most) for at in stretch] for stretch in file.shown(6)],
    }


def _line(at: int, file: SourceFile, found: Annotated, sources: Sources, most: float) -> dict[str, Any]:
    line = file.lines.get(at)
    size = line.bytes if line is not None else 0
    return {
        "number": at,
        "text": file.line(at),
        "kind": "" if line is None else {"+": "active", "-": "constant"}.get(line.mark, ""),
        "size": human(size) if size else "",
        "share": round(100 * size / most, 1) if most and size else 0,
        "notes": notes(line, found, sources) if line is not None else [],
    }


# Plots --------------------------------------------------------------------------------------------------------------


def _tape_plot(file: SourceFile) -> Markup | str:
    """One bar for each line that keeps something, as high as what it keeps."""
    sizes = {at: line.bytes for at, line in file.lines.items()}
    return _line_bars(file, "Tape by line", [_Series("bar", "", sizes)], human) if any(sizes.values()) else ""


def _work_plot(file: SourceFile) -> Markup | str:
    """How many operations of each line carry derivatives, how many do not, and how much of them is had again."""
    lines = file.lines.items()
    series = [
        _Series("active", "with derivatives", {at: line.active for at, line in lines}),
        _Series("constant", "without", {at: line.constant for at, line in lines}),
        _Series("again", "computed or read again", {at: len(line.again) for at, line in lines}),
    ]
    return _line_bars(file, "Operations by line", series, lambda number: f"{number:.0f}")


@dataclass(frozen=True)
class _Series:
    """Bars of one colour, by line."""

    kind: str
    name: str
    values: Mapping[int, float]


def _line_bars(file: SourceFile, label: str, series: Sequence[_Series], said: Callable[[float], str]) -> Markup:
    """Bars over the lines of a file, those of several series one upon another."""
    first, last = min(file.lines), max(file.lines)
    step = max(1, -(-(last - first + 1) // _MOST_BARS))
    columns = (last - first) // step + 1
    width = min(40.0, (_WIDE - 80) / columns)
    heights: dict[int, float] = {}
    for one in series:
        for at, value in one.values.items():
            heights[(at - first) // step] = heights.get((at - first) // step, 0) + value
    most = max(heights.values()) or 1
    base = float(_HIGH + 4)
    parts = [
        Markup('<line class="axis" x1="66" y1="{0}" x2="{1}" y2="{0}"/>').format(base, _WIDE),
        _text(0, 14, said(most)),
    ]
    below = dict.fromkeys(heights, base)
    for one in series:
        for at, value in sorted(one.values.items()):
            column = (at - first) // step
            if value:
                height = max(value / most * _HIGH, 1.0)
                below[column] -= height
                place = (70 + column * width, below[column], width * 0.8, height)
                parts.append(_bar(*place, f"line {at}: {said(value)} {one.name}".rstrip(), one.kind))
    every = max(1, -(-columns * 30 // (_WIDE - 80)))
    numbers = [column for column in sorted(heights) if heights[column] and column % every == 0]
    parts += [_text(70 + column * width, _HIGH + 20, str(first + column * step), "mute") for column in numbers]
    for number, one in enumerate(one for one in series if one.name):
        parts.append(_bar(70 + number * 200, _HIGH + 30, 10, 10, one.name, one.kind))
        parts.append(_text(86 + number * 200, _HIGH + 40, one.name, "mute"))
    return _svg(_HIGH + (48 if series[0].name else 28), f"{label} of {file.name}", parts)


def _reasons_plot(reasons: Mapping[str, float]) -> Markup:
    """One bar for each reason, as long as what is kept for it."""
    ordered = sorted(((size, why) for why, size in reasons.items() if size), reverse=True)
    most = ordered[0][0]
    parts = []
    for row, (size, why) in enumerate(ordered):
        y = row * 24
        length = size / most * (_WIDE - 360)
        parts += [
            _text(0, y + 16, why),
            _bar(220, y + 4, length, 16, f"{why}: {human(size)}"),
            _text(228 + length, y + 16, human(size), "mute"),
        ]
    return _svg(24 * len(ordered) + 6, "Tape by reason", parts)


def _svg(height: int, label: str, parts: Sequence[Markup]) -> Markup:
    head = Markup('<svg viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">')
    return head.format(_WIDE, height, _WIDE, height, label) + Markup("").join(parts) + Markup("</svg>\n")


def _bar(x: float, y: float, width: float, height: float, label: str, kind: str = "bar") -> Markup:  # noqa: PLR0913, PLR0917
    place = Markup('x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"').format(x, y, max(width, 1), max(height, 1))
    return Markup('<rect class="{}" {}><title>{}</title></rect>').format(kind, place, label)


def _text(x: float, y: float, words: str, kind: str = "") -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(kind, x, y, words)
