"""Where a finding is shown: the user's own line that leads to it, and the calls around it.

Code of a library of templates (C++'s own, Rust's) is compiled into the user's: the instruction that cannot be
differentiated is often many calls below the line that a user can change. That line comes first; the place in the
library is a note.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enzyme_build.errors import EnzymeBuildError, SourceLocation

Frames = list[tuple["SourceLocation", str]]
"""Places of calls and the functions that they are in, innermost first."""

_FRAMES = 8
"""Calls of a chain that a message shows."""
_LIBRARIES = re.compile(r"/usr/(local/)?(include|lib\w*)/|/rustc/|.*/lib/rustlib/src/|.*/\.cargo/registry/")
"""Files that come with a compiler or a package."""


def in_library(place: SourceLocation) -> bool:
    """Is it in a file that a user does not change? Such as `/usr/lib/gcc/…/../include/c++/12/variant`."""
    return _LIBRARIES.match(place.file) is not None


def show(error: EnzymeBuildError, frames: Frames, function: str) -> None:
    """Give an error that has a location, in `function`, the nearest place in the user's own code, and notes about how
    it comes there. Notes that it has already stay."""
    notes: list[str] = []
    inside = error.location
    if inside is not None and in_library(inside):
        depth = next((at for at, (place, _) in enumerate(frames) if place.line and not in_library(place)), None)
        if depth is not None:
            error.location, error.inside = frames[depth][0], inside
            below = f", {depth + 1} calls below this line" if depth else ""
            notes.append(f"in a library, at {inside}" + (f", in '{function}'" if function else "") + below)
            frames = frames[depth + 1 :]
    error.notes = error.notes or (*notes, *_calls(frames))


def _calls(frames: Frames) -> tuple[str, ...]:
    """The calls that lead somewhere, innermost first; of many some."""
    shown = frames if len(frames) <= _FRAMES else [*frames[: _FRAMES - 2], frames[-1]]
    notes = [f"called from {place}" + (f", in '{name}'" if name else "") for place, name in shown if place.file]
    if len(shown) < len(frames):
        notes.insert(-1, f"({len(frames) - len(shown)} more calls)")
    return tuple(notes)
