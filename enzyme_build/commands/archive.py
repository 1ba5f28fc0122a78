"""A static archive of one object, with the index that linkers look symbols up in."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAGIC: Final = b"!<arch>\n"
_HEADER_SIZE: Final = 60


def archive(name: str, data: bytes, symbols: Sequence[str]) -> bytes:
    """The archive of the object `data`, which defines `symbols`; no times and owners: equal input, equal bytes."""
    long_names = f"{name}/\n".encode()
    names = b"".join(symbol.encode() + b"\0" for symbol in symbols)
    index_size = 4 * (1 + len(symbols)) + len(names)
    place = len(_MAGIC) + 2 * _HEADER_SIZE + _even(index_size) + _even(len(long_names))
    index = struct.pack(f">{1 + len(symbols)}I", len(symbols), *[place] * len(symbols)) + names
    return _MAGIC + _member("/", index) + _member("//", long_names) + _member("/0", data)


def _member(name: str, data: bytes) -> bytes:
    header = f"{name:16}{0:<12}{0:<6}{0:<6}{'100644':8}{len(data):<10}`\n"
    return header.encode() + data + b"\n" * (len(data) % 2)


def _even(size: int) -> int:
    return size + size % 2
