"""Who wrote a stream of bitcode, by the bitstream itself."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251
from typing import TYPE_CHECKING

import pytest

from enzyme_build.toolchain.bitcode import identification, producer

if TYPE_CHECKING:
    from pathlib import Path


class Bits:
    """Writes what the reader reads, by the description of the container."""

    def __init__(self) -> None:
        self.value = self.size = 0

    def fixed(self, value: int, width: int) -> Bits:
        self.value |= value << self.size
        self.size += width
        return self

    def vbr(self, value: int, width: int) -> Bits:
        more = 1 << (width - 1)
        while value >= more:
            self.fixed(value & more - 1 | more, width)
            value >>= width - 1
        return self.fixed(value, width)

    def stream(self) -> bytes:
        return b"BC\xc0\xde" + self.value.to_bytes(-(-self.size // 32) * 4 + 16, "little")


def block() -> Bits:
    bits = Bits().fixed(1, 2).vbr(13, 8).vbr(5, 4)
    return bits.fixed(0, -bits.size % 32).fixed(0, 32)


def test_an_unabbreviated_string() -> None:
    bits = block().fixed(3, 5).vbr(1, 6).vbr(7, 6)
    for character in b"LLVM9.0":
        bits.vbr(character, 6)
    assert identification(bits.stream()) == "LLVM9.0"


@pytest.mark.parametrize(("encoding", "width"), [(1, 8), (2, 6)])
def test_an_abbreviated_string(encoding: int, width: int) -> None:
    bits = block().fixed(2, 5).vbr(3, 5)
    bits.fixed(1, 1).vbr(1, 8)  # a literal: the record's kind
    bits.fixed(0, 1).fixed(3, 3)  # an array
    bits.fixed(0, 1).fixed(encoding, 3).vbr(width, 5)
    text = b"LLVM22.1.2-rust-1.95.0-stable"
    bits.fixed(4, 5).vbr(len(text), 6)
    for character in text:
        bits.fixed(character, width) if encoding == 1 else bits.vbr(character, width)
    assert identification(bits.stream()) == text.decode()
    assert producer(bits.stream() + b"rustc version 1.95.0 (59807616e)") == ("rustc version 1.95.0", 22)
    assert producer(bits.stream()) == ("a compiler with LLVM 22", 22)


@pytest.mark.parametrize("data", [b"", b"BC\xc0\xde", b"BC\xc0\xde" + bytes(40), b"BC\xc0\xde\x35\x14\0\0\5\0\0\0\x62"])
def test_what_says_nothing(data: bytes) -> None:
    assert identification(data) == ""


@pytest.mark.compile
def test_clangs_own(tmp_path: Path) -> None:
    clang = shutil.which("clang-22") or shutil.which("clang") or ""
    (tmp_path / "f.c").write_text("int f(void) { return 1; }\n")
    subprocess.run([clang, "-c", "-emit-llvm", "f.c"], cwd=tmp_path, check=True)
    data = (tmp_path / "f.bc").read_bytes()
    major = producer(data)[1]
    assert identification(data).startswith(f"LLVM{major}.")
