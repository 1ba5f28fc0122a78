"""Loads from tables of distances, as what they are: 32 bits, and the address so many bytes behind the table.

LLVM makes a constant table of pointers one of distances from the table itself, which needs no relocation, and reads it
by `llvm.load.relative` (language reference, "llvm.load.relative Intrinsic": the result is `table + *(i32 *)(table +
offset)`). For the analyses such an address is one somewhere in the table's memory. That is right as long as everything
that the table leads to is constant and leads nowhere else: such memory is its own shadow. Other tables are left as they
are.
"""

from __future__ import annotations

import re
from itertools import count
from typing import Final

_NAME: Final = r'[-\w.$]+|"[^"]*"'
_INTRINSIC: Final = "@llvm.load.relative."
_WORDS: Final = r"(?:\w+(?:\(\d+\))? )*"
_CALL: Final = re.compile(
    rf"(?m)^  (%(?:{_NAME})) = (?:tail |notail )?call {_WORDS}ptr @llvm\.load\.relative\.(i\d+)"
    rf"\(ptr {_WORDS}(@(?:{_NAME})), i\d+ {_WORDS}([^,)\s]+)\)(?: #\d+)?(?:(, !dbg !\d+)|, !\w+ !\d+)*$"
)
_GLOBAL: Final = re.compile(rf"(?m)^(@(?:{_NAME})) = [^\n]*?\b(constant|global|alias|ifunc) ([^\n]*)$")
_MENTIONED: Final = re.compile(rf"@(?:{_NAME})")


def with_plain_loads(text: str) -> str:
    """The module with its loads from constant tables of distances to constants as ordinary loads."""
    if f"ptr {_INTRINSIC}" not in text:
        return text
    found = {match[1]: (match[2], match[3]) for match in _GLOBAL.finditer(text)}
    constants = {name: value for name, (kind, value) in found.items() if kind == "constant"}
    leads_to = {name: {*_MENTIONED.findall(value)} - {name} for name, value in constants.items()}
    tables = {name for name, others in leads_to.items() if all(leads_to.get(other) == set() for other in others)}
    numbers = count()

    def plain(match: re.Match[str]) -> str:
        result, index, table, offset, debug = match.groups(default="")
        if table not in tables:
            return match[0]
        name = f"%relative.{next(numbers)}"
        return (
            f"  {name}.place = getelementptr i8, ptr {table}, {index} {offset}{debug}\n"
            f"  {name}.distance = load i32, ptr {name}.place, align 4{debug}\n"
            f"  {result} = getelementptr i8, ptr {table}, i32 {name}.distance{debug}"
        )

    return _CALL.sub(plain, text)
