"""Loads from tables of distances, as loads from tables of addresses, which they were in the source.

LLVM makes a constant table of pointers one of distances from the table itself, which needs no relocation, and reads it
by `llvm.load.relative` (language reference, "llvm.load.relative Intrinsic": the result is `table + *(i32 *)(table +
offset)`). Analyses follow pointers that are loaded, and not those computed from such distances.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

if TYPE_CHECKING:
    import re

_NAME: Final = r'@(?:[-\w.$]+|"[^"]*")'
_INTRINSIC: Final = "@llvm.load.relative."
_WORDS: Final = r"(?:\w+(?:\(\d+\))? )*"
_CALL: Final = regex(
    rf'(?m)^  (%(?:[-\w.$]+|"[^"]*")) = (?:tail |notail )?call {_WORDS}ptr @llvm\.load\.relative\.(i\d+)'
    rf"\(ptr {_WORDS}({_NAME}), i\d+ {_WORDS}([^,)\s]+)\)(?: #\d+)?(?:(, !dbg !\d+)|, !\w+ !\d+)*$"
)
_TABLE: Final = regex(rf"(?m)^({_NAME}) = [^\n]*?\bconstant \[\d+ x i32\] \[([^\n]*)\](?:, [^\n\]]*)?$")
_ADDRESS: Final = rf"{_NAME}|getelementptr [\w ]*\([^()]*\)"
_DISTANCE: Final = regex(
    rf"i32 trunc \(i64 sub \(i64 ptrtoint \(ptr ({_ADDRESS}) to i64\), "
    rf"i64 ptrtoint \(ptr ({_NAME}) to i64\)\) to i32\)(?:, |$)"
)


def with_plain_loads(text: str) -> str:
    """The module with its loads from constant tables of distances as loads of pointers."""
    if f"ptr {_INTRINSIC}" not in text:
        return text
    tables = {name: found for name, distances in _TABLE.findall(text) if (found := _addresses(name, distances))}
    numbers = count()

    def plain(match: re.Match[str]) -> str:
        result, index, table, offset, debug = match.groups(default="")
        if table not in tables:
            return match[0]
        name = f"%relative.{next(numbers)}"
        return (
            f"  {name}.offset = shl {index} {offset}, 1{debug}\n"
            f"  {name}.place = getelementptr i8, ptr {_renamed(table)}, {index} {name}.offset{debug}\n"
            f"  {result} = load ptr, ptr {name}.place, align 8{debug}"
        )

    def with_addresses(match: re.Match[str]) -> str:
        found = tables.get(match[1])
        if not found:
            return match[0]
        elements = ", ".join(f"ptr {address}" for address in found)
        return f"{match[0]}\n{_renamed(match[1])} = private constant [{len(found)} x ptr] [{elements}], align 8"

    return _CALL.sub(plain, _TABLE.sub(with_addresses, text))


def _addresses(table: str, distances: str) -> list[str]:
    """What a table's distances lead to; nothing where one of them is something else."""
    found = _DISTANCE.findall(distances)
    whole = not _DISTANCE.sub("", distances)
    return [address for address, _ in found] if whole and all(start == table for _, start in found) else []


def _renamed(table: str) -> str:
    bare = table.removeprefix("@").strip('"')
    return f'@"{bare}.addresses"'
