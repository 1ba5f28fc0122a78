"""LLVM bitcode as bytes: where streams begin and end, and who wrote them.

A stream is a row of top-level blocks. The first says which LLVM wrote it, whatever the language; the compiler's own
name is only in the metadata, as text.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

NEWEST_LLVM: Final = 22
"""The LLVM inside llvmlite; bitcode of a newer one cannot be read."""
BITCODE_MAGIC: Final = b"BC\xc0\xde"
WRAPPER_MAGIC: Final = b"\xde\xc0\x17\x0b"


def is_bitcode(data: bytes) -> bool:
    return data[:4] in (BITCODE_MAGIC, WRAPPER_MAGIC)


def split_streams(data: bytes) -> Iterator[bytes]:
    """The bitcode streams that stand one behind the other in `data`, zero padding between them skipped."""
    position = 0
    while position + 8 <= len(data):
        head = data[position : position + 4]
        if head == WRAPPER_MAGIC:
            offset, size = struct.unpack_from("<2I", data, position + 8)
            yield data[position + offset : position + offset + size]
            position += offset + size
        elif head == BITCODE_MAGIC:
            end = _stream_end(data, position)
            yield data[position:end]
            position = end
        elif head[0] == 0:
            position += 1
        else:
            raise InputError(f"damaged bitcode: no stream at byte {position}")


def _stream_end(data: bytes, start: int) -> int:
    """Behind the last top-level block: each is a word with abbreviation id and block id, and a word with its length."""
    position = start + 4
    while position + 8 <= len(data):
        head, words = struct.unpack_from("<2I", data, position)
        if head & 3 != 1 or data[position : position + 4] == BITCODE_MAGIC:  # 1: ENTER_SUBBLOCK
            break
        position += 8 + 4 * words
    return min(position, len(data))


_IDENTS: Final = (
    rb"(?:Debian |Ubuntu |Apple |Fedora )?(?:clang|flang)(?:-new)? version \d+(?:\.\d+)*",
    rb"rustc version \d+(?:\.\d+)*",
    rb"ldc version \d+(?:\.\d+)*",
    rb"Swift version \d+(?:\.\d+)*",
)


def producer(bitcode: bytes) -> tuple[str, int]:
    """The compiler that wrote the bitcode, by `!llvm.ident`, and the major version of its LLVM (0: unknown)."""
    found = next((match for ident in _IDENTS if (match := re.search(ident, bitcode))), None)
    name = found[0].decode() if found else ""
    own = re.search(r"[cf]lang(?:-new)? version (\d+)", name)
    version = re.match(r"LLVM(\d+)", identification(bitcode))
    major = int(version[1]) if version else int(own[1]) if own else 0
    return name or (f"a compiler with LLVM {major}" if major else "unknown compiler"), major


def identification(bitcode: bytes) -> str:
    """The string of the identification block, such as `LLVM22.1.8`; empty where there is none (before LLVM 3.8)."""
    if len(bitcode) < 12 or bitcode[:4] != BITCODE_MAGIC:
        return ""
    try:
        return _Bits(bitcode[4:204]).identification()
    except IndexError:
        return ""


_IDENTIFICATION_BLOCK, _STRING_RECORD = 13, 1
_END, _ENTER, _DEFINE, _UNABBREVIATED = 0, 1, 2, 3
_LITERAL, _FIXED, _VBR, _ARRAY = 0, 1, 2, 3
_CHAR6_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"


class _Bits:
    """A stream of bits, lowest first, read as LLVM's bitstream container."""

    def __init__(self, data: bytes) -> None:
        self.value = int.from_bytes(data, "little")
        self.end = 8 * len(data)
        self.at = 0

    def fixed(self, width: int) -> int:
        if self.at + width > self.end:
            raise IndexError
        result = self.value >> self.at & (1 << width) - 1
        self.at += width
        return result

    def vbr(self, width: int) -> int:
        """A number in chunks whose highest bit says that another follows."""
        result = shift = 0
        more = 1 << (width - 1)
        while True:
            chunk = self.fixed(width)
            result |= (chunk & more - 1) << shift
            if not chunk & more:
                return result
            shift += width - 1

    def identification(self) -> str:
        if self.fixed(2) != _ENTER or self.vbr(8) != _IDENTIFICATION_BLOCK:
            return ""
        width = self.vbr(4)
        self.at += -self.at % 32 + 32  # to the word boundary, and over the block's length
        abbreviations: list[list[tuple[int, int]]] = []
        while (code := self.fixed(width)) != _END:
            if code == _DEFINE:
                abbreviations.append(self._abbreviation())
                continue
            if code == _UNABBREVIATED:
                kind = self.vbr(6)
                values = [self.vbr(6) for _ in range(self.vbr(6))]
            else:
                kind, *values = self._record(abbreviations[code - _UNABBREVIATED - 1])
            if kind == _STRING_RECORD:
                return "".join(map(chr, values))
        return ""

    def _abbreviation(self) -> list[tuple[int, int]]:
        """(encoding, width) of each operand; a literal has encoding 0 and its value."""
        operands = []
        for _ in range(self.vbr(5)):
            if self.fixed(1):
                operands.append((_LITERAL, self.vbr(8)))
            else:
                encoding = self.fixed(3)
                operands.append((encoding, self.vbr(5) if encoding in {_FIXED, _VBR} else 0))
        return operands

    def _record(self, abbreviation: list[tuple[int, int]]) -> list[int]:
        values: list[int] = []
        operands = iter(abbreviation)
        for encoding, width in operands:
            if encoding == _ARRAY:
                element = next(operands, (_LITERAL, 0))
                values += [self._scalar(*element) for _ in range(self.vbr(6))]
            else:
                values.append(self._scalar(encoding, width))
        return values

    def _scalar(self, encoding: int, width: int) -> int:
        if encoding == _LITERAL:
            return width
        if encoding == _FIXED:
            return self.fixed(width)
        return self.vbr(width) if encoding == _VBR else ord(_CHAR6_ALPHABET[self.fixed(6)])


def check_producer(name: str, bitcode: bytes) -> None:
    """Refuse bitcode of a newer LLVM by name: it may parse, and fail in a later stage."""
    version, major = producer(bitcode)
    if major > NEWEST_LLVM:
        raise InputError(
            f"'{name}' was made by {version}, which is newer than LLVM {NEWEST_LLVM} of llvmlite",
            hint=f"compile it with clang-{NEWEST_LLVM} or older",
        )
