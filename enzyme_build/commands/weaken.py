"""Make symbols of an object weak: it can then be linked with and without the object that defines them as well.

The object of a derivative also holds the function itself, which a program may have linked already from its own object.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_ELF64_LITTLE: Final = b"\x7fELF\x02\x01"
_SYMTAB: Final = 2
_GLOBAL, _WEAK = 1, 2
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")


def weakened(data: bytes, names: Collection[str]) -> bytes:
    """The object with the global symbols `names` weak; other formats than 64-bit ELF are returned as they are."""
    if data[:6] != _ELF64_LITTLE:
        return data
    changed = bytearray(data)
    sections = list(_sections(data))
    for kind, offset, size, link in sections:
        if kind != _SYMTAB:
            continue
        strings = sections[link][1]
        for place in range(offset, offset + size, _SYMBOL.size):
            name, info, _, section, _, _ = _SYMBOL.unpack_from(data, place)
            # Only definitions: a weak reference may stay unresolved.
            if section and info >> 4 == _GLOBAL and _string(data, strings + name) in names:
                changed[place + 4] = (_WEAK << 4) | (info & 0xF)
    return bytes(changed)


def _sections(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """(type, offset, size, link) of each section."""
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for index in range(count):
        fields = _SECTION.unpack_from(data, start + index * size)
        yield fields[1], fields[4], fields[5], fields[6]


def _string(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode(errors="replace")
