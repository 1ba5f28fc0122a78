"""Functions that were compiled without optimisation, which debug data tells, and what the front end did to them."""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.regex import regex

from .text import ATTRIBUTES, EMPTY_GROUP

_PROGRAM: Final = regex(r"(?m)^!\d+ = distinct !DISubprogram\([^\n]*\bunit: (!\d+)[^\n]*")
_OPTIMISED: Final = regex(r"DISPFlagOptimized \| | \| DISPFlagOptimized|, spFlags: DISPFlagOptimized(?=[,)])")


def with_skipped_passes(text: str, mark: str) -> str:
    """The module, whose debug data says that code is not optimised which comes from a compiler that was told to skip
    all passes: what it was told is noted in its debug data, with this `mark`."""
    if mark not in text:
        return text
    unit = re.compile(rf'(?m)^(!\d+) = distinct !DICompileUnit\([^\n]*?(, flags: "[^"\n]*{mark}[^"\n]*")')
    units = {match[1] for match in unit.finditer(text)}
    text = unit.sub(lambda match: match[0][: -len(match[2])].replace("isOptimized: true", "isOptimized: false"), text)
    return _PROGRAM.sub(lambda match: _OPTIMISED.sub("", match[0]) if match[1] in units else match[0], text)


def unoptimised_programs(text: str) -> set[str]:
    """The debug data (`!5`) of functions that were compiled without optimisation."""
    return {
        match[1]
        for match in re.finditer(r"(?m)^(!\d+) = distinct !DISubprogram\(([^\n]*)", text)
        if "DISPFlagOptimized" not in match[2]
    }


def allow_inlining_of_unoptimised(text: str) -> str:
    """Remove the `noinline` that the front end puts on every function at -O0.

    Debug data tells such functions (no `DISPFlagOptimized`); a `noinline` that a user wrote in such a file goes too.
    """
    unoptimised = unoptimised_programs(text)
    if not unoptimised:
        return text
    uses = re.findall(r"(?m)^define [^\n]*? #(\d+) (?:[^\n]*!dbg (!\d+))?", text)
    kept = {group for group, program in uses if program not in unoptimised}
    affected = {group for group, program in uses if program in unoptimised} - kept

    def edit(match: re.Match[str]) -> str:
        if match[1] not in affected:
            return match[0]
        body = " ".join(word for word in match[2].split(" ") if word not in {"noinline", "optnone"})
        return f"attributes #{match[1]} = {{ {body or EMPTY_GROUP} }}"

    return ATTRIBUTES.sub(edit, text)
