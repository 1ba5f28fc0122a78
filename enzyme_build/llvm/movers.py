"""Functions that move bytes of which only their callers know what they are: to swap, push or sort by address and size.

What bytes are is told by accesses to them, wherever these are. Where one function moves objects of several types, what
one holds at some place would be taken for what the others hold there. Such functions are inlined before
differentiation, so that every call is told apart, whatever inlining costs; recursive and long ones are left.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from .text import NAME, inlined

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEFINED: Final = re.compile(rf"(?ms)^define ([^\n]*?)@({NAME})\(([^\n]*)\n(.*?)^\}}")
_DERIVED: Final = re.compile(
    rf"(?m)^  (%{NAME}) = (?:getelementptr [^\n]*?i8, ptr (%{NAME})|phi ptr ([^\n]*)|select i1 [^\n]*?, ptr ([^\n]*))"
)
_COPY: Final = re.compile(r"(?m)^ [^\n=]*call void @llvm\.mem(?:cpy|move)\.[^\n(]*\(([^\n]*)")
_CALL: Final = re.compile(rf"(?:call|invoke) [^\n]*?@({NAME})\(")
_LOCAL: Final = re.compile(rf"%{NAME}")
_LONGEST: Final = 100
"""Lines of a function that is inlined."""
_MOST: Final = 24
"""Calls of it."""


def inlined_movers(text: str) -> str | None:
    """The module with its functions that move bytes of their arguments marked, to be inlined; None if it has none."""
    bodies: dict[str, str] = {}
    found: set[str] = set()
    for linkage, name, head, body in _DEFINED.findall(text):
        bodies[name] = body
        if linkage.startswith("internal ") and body.count("\n") <= _LONGEST and _moves(head, body):
            found.add(name)
    if not found:
        return None
    calls = {name: set(_CALL.findall(body)) for name, body in bodies.items()}
    times = Counter(name for body in bodies.values() for name in _CALL.findall(body) if name in found)
    found = {name for name in found if 1 < times[name] <= _MOST and not _is_recursive(name, calls)}
    return inlined(text, found) if found else None


def _moves(head: str, body: str) -> bool:
    """Are bytes copied from or to where an argument points, by their number only?"""
    if "..." in head:
        return False
    copies = [line for line in _COPY.findall(body) if "!tbaa.struct" not in line]
    if not copies:
        return False
    given = set(_LOCAL.findall(head))
    while True:
        more = {
            name for name, *parts in _DERIVED.findall(body) if not given.isdisjoint(_LOCAL.findall(" ".join(parts)))
        }
        if more <= given:
            break
        given |= more
    return any(not given.isdisjoint(_LOCAL.findall(line)) for line in copies)


def _is_recursive(name: str, calls: Mapping[str, set[str]]) -> bool:
    seen: set[str] = set()
    pending = [*calls[name]]
    while pending:
        at = pending.pop()
        if at not in seen:
            seen.add(at)
            pending += calls.get(at, ())
    return name in seen
