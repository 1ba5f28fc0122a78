"""Plans laid beside their sources: which line keeps what, and how many bytes that is.

A place that was inlined counts for the innermost line of the user's own files. Sizes are texts, `8 B × n`, and
estimates: numbers that nobody gave are taken as the planner takes them.
"""

from __future__ import annotations

import ast
import contextlib
import math
import os
import re
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.demangle import demangle
from enzyme_build.differentiate.report import Frame, FunctionPlan, Kept, LoopPlan, What
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from enzyme_build.differentiate.report import Advice, Again, Chain

_LONG: Final = 60
ASSUMED: Final = 32
"""Iterations of a loop, and elements, where no number is given: what the planner weighs with."""
_MANGLED: Final = regex(r"\b_[ZQ][\w.$]+")
_NAME: Final = regex(r"[^\W\d]\w*")
_LIBRARIES: Final = ("/usr/", "/rustc/", "/opt/", "/lib/")
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b if b else 0,
}


def readable(text: str) -> str:
    """Words with the names in them as users wrote them."""
    return _MANGLED.sub(lambda found: _shortened(demangle(found[0])), text)


def _shortened(name: str) -> str:
    """A long C++ name without what its templates and functions are given."""
    if len(name) <= _LONG:
        return name
    depth, kept = 0, ""
    for letter in name:
        depth -= letter in ">)"
        kept += letter if not depth else ""
        if letter in "<(":
            kept += "" if depth else "…"
            depth += 1
    return kept + (">" if depth else "")


# Sizes --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sizes:
    """Numbers for the names in sizes."""

    values: Mapping[str, float] = field(default_factory=dict)

    def number(self, text: str | None) -> float:
        """What a factor is about: at least nothing."""
        if text is None:
            return ASSUMED
        # Names may be Python's own words: `in`, `lambda`.
        return max(0, self._evaluated(ast.parse(_NAME.sub(r"_\g<0>", text), mode="eval").body))

    def knows(self, plan: FunctionPlan) -> bool:
        """Are all numbers given that the tape of a function depends on?"""
        loops = [loop for kept in plan.kept if kept.bytes or kept.copied for loop in nest(plan, kept.loop)]
        texts = [text for loop in loops for text in (loop.iterations, loop.until or loop.iterations)]
        texts += [factor for kept in plan.kept for factor in kept.copied]
        return all(text is not None and set(_NAME.findall(text)) <= {*self.values, "max", "min"} for text in texts)

    def iterations(self, loop: LoopPlan) -> float:
        """Those of one entry of a loop, on average."""
        first = self.number(loop.iterations)
        return first if loop.until is None else (first + self.number(loop.until)) / 2

    def of(self, kept: Kept, plan: FunctionPlan) -> float:
        """Bytes in one call of the function."""
        times = math.prod(self.iterations(loop) for loop in nest(plan, kept.loop))
        copied = math.prod(map(self.number, kept.copied)) if kept.copied else 0
        return times * ((kept.bytes or 0) + copied)

    def _evaluated(self, node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name):
                return self.values.get(name[1:], ASSUMED)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._evaluated(operand)
            case ast.BinOp(left=left, op=operator, right=right):
                return _OPERATORS[type(operator)](self._evaluated(left), self._evaluated(right))
            case ast.Call(func=ast.Name(id=name), args=[one, other]):
                chosen = max if name == "_max" else min
                return chosen(self._evaluated(one), self._evaluated(other))
        raise AssertionError(ast.dump(node))


def nest(plan: FunctionPlan, number: int | None) -> list[LoopPlan]:
    """The loops around something, outermost first."""
    found: list[LoopPlan] = []
    while number is not None:
        found.insert(0, plan.loops[number])
        number = found[0].parent
    return found


def times(plan: FunctionPlan, number: int | None) -> str:
    """` × n × (k - 1)`, for what is there once in each iteration."""
    return "".join(f" × {iterations(loop)}" for loop in nest(plan, number))


def iterations(loop: LoopPlan) -> str:
    """A factor of a size."""
    if loop.iterations is None:
        return f"iterations of line {loop.place[-1].line}" if loop.place else "iterations"
    if loop.until is not None:
        return f"({spaced(loop.iterations)} to {spaced(loop.until)})"
    return bracketed(loop.iterations)


def spaced(text: str) -> str:
    """A number of iterations as people write it."""
    return text.replace("//", " / ").replace("*", "·")


def bracketed(text: str) -> str:
    """The same as a factor."""
    text = spaced(text)
    return f"({text})" if re.search(r" [-+/] ", re.sub(r"\([^()]*\)", "", text)) else text


def amount(kept: Kept, plan: FunctionPlan) -> str:
    """`8 B × n`, of one thing on the tape."""
    each = "" if kept.bytes is None else f"{kept.bytes} B"
    if kept.copied:
        known = [factor for factor in kept.copied if factor is not None]
        each += f" and {_bytes(known)}" if len(known) == len(kept.copied) else " and the copy"
    suffix = times(plan, kept.loop)
    return (f"({each})" if kept.copied and suffix else each or "of a size known at run time") + suffix


def _bytes(factors: Iterable[str]) -> str:
    """`24 B × n`, of a copied array."""
    size, rest = 1, []
    for factor in factors:
        found = re.fullmatch(r"(\d+)(?:\*(\w+))?", factor)
        size *= int(found[1]) if found else 1
        rest += [] if found and not found[2] else [found[2] if found else bracketed(factor)]
    return " × ".join([f"{size} B", *rest])


def total(plan: FunctionPlan) -> str:
    """The tape of one call of a function: sizes of one kind added up."""
    sums: dict[str, int] = {}
    others: dict[str, None] = {}
    for kept in plan.kept:
        if kept.copied or kept.bytes is None:
            others[amount(kept, plan) if kept.copied else _memory(kept)] = None
        if kept.bytes is not None and not kept.copied:
            suffix = times(plan, kept.loop)
            sums[suffix] = sums.get(suffix, 0) + kept.bytes
    parts = [f"{size} B{suffix}" for suffix, size in sorted(sums.items(), key=lambda item: -item[0].count("×"))]
    return " + ".join([*parts, *others]) or "nothing"


def _memory(kept: Kept) -> str:
    return kept.name if kept.name == "memory" else f"the memory of {kept.name}"


# Lines --------------------------------------------------------------------------------------------------------------


@dataclass
class Line:
    """What there is to say about a line; the numbers are of operations."""

    active: int = 0
    constant: int = 0
    kept: list[Kept] = field(default_factory=list)
    again: list[Again] = field(default_factory=list)
    advice: list[Advice] = field(default_factory=list)
    bytes: float = 0

    @property
    def mark(self) -> str:
        return "+" if self.active else "-" if self.constant else " "


@dataclass
class SourceFile:
    name: str
    text: list[str] | None
    """None where there is no such file here."""
    lines: dict[int, Line] = field(default_factory=dict)

    def line(self, number: int) -> str:
        return self.text[number - 1].rstrip().expandtabs(4) if self.text and number <= len(self.text) else ""

    def shown(self, context: int = 2) -> list[list[int]]:
        """Stretches of lines with something to say, and what is around them."""
        last = len(self.text) if self.text is not None else 0
        stretches: list[list[int]] = []
        for number in sorted(self.lines):
            around = range(number - context, number + context + 1) if self.text is not None else [number]
            for one in around:
                if (1 <= one <= last or one == number) and not (stretches and one <= stretches[-1][-1]):
                    if stretches and one <= stretches[-1][-1] + 1:
                        stretches[-1].append(one)
                    else:
                        stretches.append([one])
        return stretches


@dataclass
class Annotated:
    """One function with the lines of its files; `nowhere` is what has no line."""

    plan: FunctionPlan
    files: dict[str, SourceFile]
    nowhere: Line
    is_known: bool = True
    """Are the sizes known that `bytes` depends on, or assumed?"""
    calls: list[str] = field(default_factory=list)
    """Functions with tapes of their own that it calls."""

    @property
    def bytes(self) -> float:
        return sum(line.bytes for line in self.every_line())

    def every_line(self) -> Iterable[Line]:
        yield from (line for file in self.files.values() for line in file.lines.values())
        yield self.nowhere


class Sources:
    """Which places are the user's own, and the texts of their files."""

    def __init__(self, inputs: Sequence[Path]) -> None:
        self._inputs = inputs
        self._folders = list(dict.fromkeys([Path(), *(path.parent for path in inputs)]))
        self._texts: dict[str, list[str] | None] = {}

    def frame(self, chain: Chain, plan: FunctionPlan) -> Frame | None:
        """The innermost place in the user's own files; else in none of a library; else the outermost."""
        own = {os.path.normpath(path) for path in self._inputs} | {frame.file for frame in plan.place}
        for frame in chain:
            if frame.file in own or os.path.normpath(frame.file) in own:
                return frame
        return next((f for f in chain if not f.file.startswith(_LIBRARIES)), chain[-1] if chain else None)

    def text(self, file: str) -> list[str] | None:
        if file not in self._texts:
            self._texts[file] = None
            for folder in self._folders:
                with contextlib.suppress(OSError):
                    text = (folder / file).read_text(encoding="utf-8", errors="replace")
                    if "\0" not in text:  # a program may have its source's name
                        self._texts[file] = text.splitlines()
                        break
        return self._texts[file]


def all_annotated(plans: Iterable[FunctionPlan], sources: Sources, sizes: Sizes) -> list[Annotated]:
    """Plans, sorted by lines; what was asked for comes first."""
    found = [_annotated(plan, sources, sizes) for plan in plans]
    found.sort(key=lambda one: (not one.plan.is_asked, one.plan.number))
    with_arrays = {one.plan.number for one in found if one.plan.is_recursive or any(p.bytes for p in one.plan.loops)}
    names = {one.plan.number: readable(one.plan.name) for one in found}
    for one in found:
        callees = dict.fromkeys(kept.callee for kept in one.plan.kept if kept.callee in with_arrays)
        one.calls = [names[number] for number in callees if number is not None and number != one.plan.number]
    return found


def _annotated(plan: FunctionPlan, sources: Sources, sizes: Sizes) -> Annotated:
    found = Annotated(plan, {}, Line(), sizes.knows(plan))

    def line(chain: Chain) -> Line:
        frame = sources.frame(chain, plan)
        if frame is None:
            return found.nowhere
        file = found.files.get(frame.file)
        if file is None:
            file = found.files[frame.file] = SourceFile(frame.file, sources.text(frame.file))
        return file.lines.setdefault(frame.line, Line())

    for work in plan.work:
        at = line(work.place)
        at.active += work.active
        at.constant += work.constant
    for kept in plan.kept:
        at = line(kept.place)
        at.kept.append(kept)
        at.bytes += sizes.of(kept, plan)
    for again in plan.again:
        line(again.place).again.append(again)
    for advice in plan.advice:
        frame = sources.frame(advice.place, plan)
        if frame is None or frame.file.startswith(_LIBRARIES):
            continue  # nobody can follow it there
        line(advice.place).advice.append(advice)
    return found


# Words --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Note:
    """One thing to say about a line: `head` what happens to what, `text` why, `more` what needs it."""

    kind: str
    head: str
    text: str
    more: str = ""
    amount: str = ""


def notes(line: Line, found: Annotated, sources: Sources) -> list[Note]:
    """What to say about a line, equal things once."""
    plan = found.plan
    said: dict[Note, int] = {}
    for kept in line.kept:
        head = f"kept: {kept.name}"
        text = kept.reason + _where(kept.because, plan, sources)
        note = Note("kept", readable(head), readable(text), readable(_needs(kept, plan, sources)), amount(kept, plan))
        said[note] = said.get(note, 0) + 1
    for again in line.again:
        note = Note("again", readable(f"{again.how.value}: {again.name}"), readable(again.reason))
        said[note] = said.get(note, 0) + 1
    for advice in line.advice:
        said[Note("advice", "advice", readable(advice.text))] = 1
    return [
        note if number == 1 else Note(note.kind, f"{note.head} ({number} times)", note.text, note.more, note.amount)
        for note, number in said.items()
    ]


def _needs(kept: Kept, plan: FunctionPlan, sources: Sources) -> str:
    if kept.what in (What.BRANCH, What.COUNT):
        return ""  # the way back
    here = sources.frame(kept.place, plan)
    places: dict[str, dict[str, None]] = {}
    for need in kept.needs:
        at = sources.frame(need.place, plan)
        near = here is not None and at is not None and (here.file, here.line) == (at.file, at.line)
        places.setdefault(need.text, {})["" if near else _at(need.place, plan, sources)] = None
    texts = []
    for text, found in places.items():
        elsewhere = [place for place in found if place]
        texts.append(f"{text} ({'here and ' if '' in found else ''}{', '.join(elsewhere)})" if elsewhere else text)
    more = f" and {kept.more_needs} more" if kept.more_needs else ""
    return "; ".join(texts) + more


def _where(chain: Chain, plan: FunctionPlan, sources: Sources) -> str:
    """` (line 12)`."""
    place = _at(chain, plan, sources)
    return f" ({place})" if place else ""


def _at(chain: Chain, plan: FunctionPlan, sources: Sources) -> str:
    """`line 12`; with the file, where it is another than the function's."""
    frame = sources.frame(chain, plan)
    if frame is None:
        return ""
    own = {one.file for one in plan.place}
    return f"line {frame.line}" if frame.file in own or not own else f"{frame.file}:{frame.line}"
