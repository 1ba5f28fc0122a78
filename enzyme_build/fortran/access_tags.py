"""Takes from access tags what is not so in Fortran: names that do not outlive a call, and types of elements.

flang's tags (`!tbaa`) have a tree for each procedure, with leaves for its dummy arguments, its variables, and what is
allocated for them: two names are of different memory during one call. Where LLVM inlines a procedure twice, both copies
have the same tags, but a buffer may be the result of the first call and an argument of the second. The same goes for
procedures that call themselves, as LLVM makes loops of such calls, and for memory that `move_alloc` gives another name.
What stays tells data, descriptors, and variables with a place for the whole run (COMMON blocks among them) apart. The
drivers tell flang to add no others (`toolchain/clang.py`), as its own passes inline, too; this is for objects that were
compiled otherwise.

The bodies of the library's functions are written in C, where memory of one type is never read as another. Arrays of
Fortran may be: by TRANSFER, EQUIVALENCE and argument association. So tags say nothing of elements there; that some are
numbers or text, as a descriptor says, is noted for the pass alone.
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.analysis.copied import FORTRAN_TEXT
from enzyme_build.llvm.text import next_metadata
from enzyme_build.regex import regex

_ROOT: Final = "Flang function root "
_DATA: Final = "any data access"
_STATIC: Final = "global data"
_NODE: Final = regex(r'^(!\d+) = !\{!"([^"\n]*)"(?:, (!\d+), i64 0)?\}$', re.MULTILINE)
_TAG: Final = regex(r"^(!\d+) = !\{(!\d+), \2, i64 0\}$", re.MULTILINE)


def without_names(text: str) -> str:
    """The module with one type for all data of a procedure of Fortran but its static variables."""
    if _ROOT not in text:
        return text
    nodes = {match[1]: (match[2], match[3]) for match in _NODE.finditer(text)}

    def general(match: re.Match[str]) -> str:
        data = _data_of(match[2], nodes)
        return match[0] if data == "" else f"{match[1]} = !{{{data}, {data}, i64 0}}"

    return _TAG.sub(general, text)


_SCALAR: Final = regex(r'^(!\d+) = !\{!"([^"\n]*)", !\d+, i64 0\}$', re.MULTILINE)
_ACCESS: Final = regex(r"^(!\d+) = !\{(!\d+), (!\d+), i64 \d+\}$", re.MULTILINE)
_USED: Final = regex(r", !tbaa (!\d+)")
_NUMBERS: Final = frozenset(("float", "double", "long double"))
_INTEGERS: Final = frozenset(("short", "int", "long"))
_MOVED_TEXT: Final = regex(r"call void @enzyme_fortran_move_text\((ptr [^)\n]*)\)[^\n]*")

_MEMMOVE: Final = "\ndeclare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"


def without_types(bodies: str) -> str:
    """Bodies of library functions, whose accesses to elements LLVM must not tell apart by their types; but what is a
    number or text is noted for the pass. (Integers may be the bits of numbers.)"""
    names = {match[1]: match[2] for match in _SCALAR.finditer(bodies)}
    accesses = [(tag, names.get(access), base == access) for tag, base, access in _ACCESS.findall(bodies)]
    numbers = {tag for tag, name, _ in accesses if name in _NUMBERS}
    integers = {tag for tag, name, is_scalar in accesses if name in _INTEGERS and is_scalar}

    def for_pass(match: re.Match[str]) -> str:
        if match[1] in numbers:
            return f", !enzyme.member {match[1]}"
        return "" if match[1] in integers else match[0]

    bodies = _USED.sub(for_pass, bodies)
    free = next_metadata(bodies)
    bodies, moves = _MOVED_TEXT.subn(rf"call void @llvm.memmove.p0.p0.i64(\1, i1 false), !tbaa !{free}", bodies)
    if not moves:
        return bodies
    # In a tree of its own: to LLVM it is anything.
    declared = "" if "declare void @llvm.memmove.p0.p0.i64(" in bodies else _MEMMOVE
    return f"""{bodies}{declared}
!{free} = !{{!{free + 1}, !{free + 1}, i64 0}}
!{free + 1} = !{{!"{FORTRAN_TEXT}", !{free + 2}, i64 0}}
!{free + 2} = !{{!"Fortran's library"}}
"""


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
