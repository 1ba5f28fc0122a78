"""The section of objects and shared libraries that describes exported derivatives.

A sequence of entries: 16 bytes that begin each, the version of this format, the length and the CRC-32 of the content,
all as 32-bit numbers in little-endian order, four bytes of zero, then the content. Linkers put sections of one name one
behind the other, with zeros between them for alignment; so entries begin at multiples of eight and zeros mean nothing.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SECTION: Final = ".enzyme_export"
_MAGIC: Final = b"\x89EnzymeExport\r\n\x1a"
MARK: Final = _MAGIC
"""Bytes that are in every file with such a section."""
_VERSION: Final = 1
_HEADER: Final = struct.Struct("<16sIII4x")
ALIGNMENT: Final = 8


def packed(contents: Iterable[bytes]) -> bytes:
    """A section of these entries."""
    section = b""
    for content in contents:
        section += _HEADER.pack(_MAGIC, _VERSION, len(content), zlib.crc32(content)) + content
        section += b"\0" * (-len(section) % ALIGNMENT)
    return section


def unpacked(section: bytes) -> Iterator[bytes]:
    """The entries; InputError where something else is found."""
    at = 0
    while at < len(section):
        if not section[at]:
            at += 1
            continue
        if section[at : at + len(_MAGIC)] != _MAGIC[: len(section) - at]:
            raise InputError("it was written by another program")
        if len(section) - at < _HEADER.size:
            raise InputError("it is cut off")
        _, version, length, checksum = _HEADER.unpack_from(section, at)
        if version != _VERSION:
            raise InputError(f"its format has version {version}, known is {_VERSION}")
        at += _HEADER.size
        content = section[at : at + length]
        if len(content) < length:
            raise InputError("it is cut off")
        if zlib.crc32(content) != checksum:
            raise InputError("it is damaged")
        yield content
        at += length
