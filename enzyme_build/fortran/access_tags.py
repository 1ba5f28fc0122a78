"""Takes from Fortran code what its access tags say of names that do not outlive a call.

flang's tags (`!tbaa`) have a tree for each procedure, with leaves for its dummy arguments, its variables, and what is
allocated for them: two names are of different memory during one call. Where LLVM inlines a procedure twice, both copies
have the same tags, but a buffer may be the result of the first call and an argument of the second. The same goes for
procedures that call themselves, as LLVM makes loops of such calls, and for memory that `move_alloc` gives another name.
What stays tells data, descriptors, and variables with a place for the whole run (COMMON blocks among them) apart. The
drivers tell flang to add no others (`toolchain/clang.py`), as its own passes inline, too; this is for objects that were
compiled otherwise.
"""

from __future__ import annotations

import re
from typing import Final

_ROOT: Final = "Flang function root "
_DATA: Final = "any data access"
_STATIC: Final = "global data"
_NODE: Final = re.compile(r'^(!\d+) = !\{!"([^"\n]*)"(?:, (!\d+), i64 0)?\}$', re.MULTILINE)
_TAG: Final = re.compile(r"^(!\d+) = !\{(!\d+), \2, i64 0\}$", re.MULTILINE)


def without_names(text: str) -> str:
    """The module with one type for all data of a procedure of Fortran but its static variables."""
    if _ROOT not in text:
        return text
    nodes = {match[1]: (match[2], match[3]) for match in _NODE.finditer(text)}

    def general(match: re.Match[str]) -> str:
        data = _data_of(match[2], nodes)
        return match[0] if data == "" else f"{match[1]} = !{{{data}, {data}, i64 0}}"

    return _TAG.sub(general, text)


def _data_of(node: str, nodes: dict[str, tuple[str, str | None]]) -> str:
    """The type of all data in the tree that this is in; "" for static ones, descriptors and other languages."""
    data = ""
    at: str | None = node
    while at in nodes:
        name, above = nodes[at]
        if name == _STATIC:
            return ""
        if name == _DATA:
            data = at
        if above is None:
            return data if name.startswith(_ROOT) else ""
        at = above
    return ""
