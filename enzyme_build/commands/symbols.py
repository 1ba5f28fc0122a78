"""Change symbols of an object, so that it can be linked beside other objects that have them as well.

The object of a derivative also holds the function itself, which a program may have linked already from its own object:
such symbols become *weak*. And it may hold parts of a standard library that only it needs: their symbols become
*private*, hidden under names of their own. Were they shared with another copy, calls between parts would go to both,
and memory of one copy's allocator would be freed by the other's.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_ELF64_LITTLE: Final = b"\x7fELF\x02\x01"
_SYMTAB: Final = 2
_GLOBAL, _WEAK = 1, 2
_HIDDEN: Final = 2
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_OFFSET_AND_SIZE: Final = struct.Struct("<QQ")
_PLACE_OF_OFFSET: Final = 24
_SYMBOL: Final = struct.Struct("<IBBHQQ")


def weakened(data: bytes, names: Collection[str]) -> bytes:
    """The object with the global symbols `names` weak; other formats than 64-bit ELF are returned as they are."""
    changed = bytearray(data)
    for symbol in _definitions(data):
        if symbol.binding == _GLOBAL and symbol.name in names:
            changed[symbol.place + 4] = (_WEAK << 4) | symbol.kind
    return bytes(changed)


def private(data: bytes, names: Collection[str], prefix: str) -> bytes:
    """The object with the symbols `names` hidden, their names behind `prefix`; other formats as they are."""
    changed = bytearray(data)
    added: dict[int, bytearray] = {}
    for symbol in _definitions(data):
        if symbol.binding not in {_GLOBAL, _WEAK} or symbol.name not in names:
            continue
        start, size = _OFFSET_AND_SIZE.unpack_from(data, symbol.strings + _PLACE_OF_OFFSET)
        strings = added.setdefault(symbol.strings, bytearray(data[start : start + size]))
        struct.pack_into("<I", changed, symbol.place, len(strings))
        changed[symbol.place + 5] = _HIDDEN
        strings += f"{prefix}{symbol.name}\0".encode()
    for header, strings in added.items():
        _OFFSET_AND_SIZE.pack_into(changed, header + _PLACE_OF_OFFSET, len(changed), len(strings))
        changed += strings
    return bytes(changed)


class _Symbol(NamedTuple):
    name: str
    place: int
    """Where its entry is."""
    strings: int
    """Where the header of the section with its name is."""
    kind: int
    binding: int


def _definitions(data: bytes) -> Iterator[_Symbol]:
    """What the object defines. References stay as they are: a weak one may stay unresolved."""
    if data[: len(_ELF64_LITTLE)] != _ELF64_LITTLE:
        return
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    count = count or _SECTION.unpack_from(data, start)[5]  # too many for its field
    for index in range(count):
        fields = _SECTION.unpack_from(data, start + index * size)
        if fields[1] != _SYMTAB:
            continue
        strings = start + fields[6] * size
        text = _SECTION.unpack_from(data, strings)[4]
        for place in range(fields[4], fields[4] + fields[5], _SYMBOL.size):
            name, info, _, section, _, _ = _SYMBOL.unpack_from(data, place)
            if section:
                yield _Symbol(_string(data, text + name), place, strings, info & 0xF, info >> 4)


def _string(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode(errors="replace")
