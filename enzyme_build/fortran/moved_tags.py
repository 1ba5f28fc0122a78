"""Access tags of memory that moves from one allocatable variable to another.

flang tags accesses to the memory of each allocatable variable with a type of its own, below one of all such memory, as
if these never shared any. That is right as long as the library's `move_alloc` is a call of which nothing is known; its
body in sight shows that the same memory is accessed under two names, which the tags deny. Where a program calls it, all
accesses to allocated memory have the common type.
"""

from __future__ import annotations

import re
from typing import Final

_MOVES: Final = "@_FortranAMoveAlloc("
_NAMED: Final = re.compile(r'(?m)^(!\d+) = !\{!"allocated data/[^"\n]*", (!\d+), i64 0\}$')
_TAG: Final = re.compile(r"(?m)^(!\d+) = !\{(!\d+), \2, i64 0\}$")


def without_moved_names(merged: str) -> str:
    """`merged` without tags that tell apart what allocatable variables of Fortran hold, if some is moved."""
    if _MOVES not in merged:
        return merged
    above = {match[1]: match[2] for match in _NAMED.finditer(merged)}

    def general(match: re.Match[str]) -> str:
        type_ = above.get(match[2])
        return match[0] if type_ is None else f"{match[1]} = !{{{type_}, {type_}, i64 0}}"

    return _TAG.sub(general, merged)
