"""Procedures of Fortran's modules that other languages call: what the source calls them.

Of a procedure with `bind(C)` flang's debug information tells the symbol alone, neither the module that it is in nor the
name that it has there. The source tells both.

Source: Fortran 2018 (ISO/IEC 1539-1), 18.10.2 (binding labels: the name in small letters, unless NAME= says another).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TEXT: Final = regex(r"""'[^']*'|"[^"]*"|!.*""")
_BOUND: Final = regex(
    r"(?i)^(?:[\w\s(),=*]*?\s)?(?:function|subroutine)\s+(\w+)\s*(?:\([^()]*\))?.*?\bbind\s*\(\s*c\s*"
    r"(?:,\s*name\s*=\s*(['\"])(?P<label>.*?)\2\s*)?\)"
)
_MODULE: Final = regex(r"(?i)^(?:module\s+(?!procedure\b|function\b|subroutine\b)|submodule\s*\([^)]*\)\s*)(\w+)\s*$")
_END_OF_MODULE: Final = regex(r"(?i)^end\s*(?:sub)?module\b")
_INTERFACE: Final = regex(r"(?i)^(?:abstract\s+)?interface\b")
_END_OF_INTERFACE: Final = regex(r"(?i)^end\s*interface\b")
_FIXED: Final = frozenset((".f", ".for", ".ftn", ".f77"))


def bound_names(source: Path) -> dict[str, str]:
    """The procedures with `bind(C)` that modules in a source define, `module::name`, by their symbols."""
    found: dict[str, str] = {}
    scope = ""
    interfaces = 0
    for statement in _statements(source.read_text("utf-8", "replace"), fixed=source.suffix.lower() in _FIXED):
        if match := _MODULE.match(statement):
            scope = match[1].lower()
        elif _END_OF_MODULE.match(statement):
            scope = ""
        elif _END_OF_INTERFACE.match(statement):
            interfaces -= 1
        elif _INTERFACE.match(statement):
            interfaces += 1
        elif scope and not interfaces and (match := _BOUND.match(statement)):
            name = match[1].lower()
            found[name if match["label"] is None else match["label"].strip()] = f"{scope}::{name}"
    return found


def _statements(text: str, *, fixed: bool) -> Iterator[str]:
    """Whole statements, without comments."""
    whole = ""
    for line in text.splitlines():
        if fixed:
            if line[:1] in ("c", "C", "*", "!", "d", "D") or not line.strip():
                continue
            part = _without_comment(line[6:] if len(line) > 6 else "")
            if len(line) > 5 and line[5] not in " 0" and not line[:5].strip():
                whole += part
                continue
            yield whole.strip()
            whole = part
            continue
        part = _without_comment(line).strip()
        if not part:
            continue
        whole += part.removeprefix("&") if whole else part
        if whole.endswith("&"):
            whole = whole[:-1]
            continue
        yield whole
        whole = ""
    yield whole.strip()


def _without_comment(line: str) -> str:
    return _TEXT.sub(lambda match: "" if match[0].startswith("!") else match[0], line)
