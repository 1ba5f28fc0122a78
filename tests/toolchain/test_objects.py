"""Objects, archives and bitcode streams, from the tools that write them."""

from __future__ import annotations

import shutil
import struct
import subprocess  # noqa: TID251
from typing import TYPE_CHECKING

import pytest

from enzyme_build.errors import InputError
from enzyme_build.toolchain.bitcode import producer, split_streams
from enzyme_build.toolchain.objects import (
    archive_members,
    is_archive,
    is_linker_input,
    mentions,
    objects_in,
    parse_object,
    read_object,
    write_archive,
)

if TYPE_CHECKING:
    from pathlib import Path


def stream(*blocks: bytes) -> bytes:
    """A bitcode stream of empty-looking top-level blocks."""
    body = b"".join(struct.pack("<2I", 1 | 8 << 2, len(block) // 4) + block for block in blocks)
    return b"BC\xc0\xde" + body


def test_streams_one_behind_the_other_are_split() -> None:
    first, second = stream(b"abcd", b"efghijkl"), stream(b"")
    assert list(split_streams(first + second)) == [first, second]


def test_a_stream_that_looks_like_magic_inside_a_block_is_not_split() -> None:
    only = stream(b"BC\xc0\xde")
    assert list(split_streams(only)) == [only]


def test_padding_between_streams_is_skipped() -> None:
    first = stream(b"abcd")
    assert list(split_streams(first + b"\0\0\0\0" + first)) == [first, first]


def test_garbage_behind_a_stream_is_an_error() -> None:
    with pytest.raises(InputError, match="damaged bitcode"):
        list(split_streams(stream(b"") + b"garbage!"))


def test_wrapped_bitcode_is_unwrapped() -> None:
    inner = stream(b"abcd")
    wrapper = struct.pack("<5I", 0x0B17C0DE, 0, 20, len(inner), 7)
    assert list(split_streams(wrapper + inner)) == [inner]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"xDebian clang version 22.1.8 (1~deb)", ("Debian clang version 22.1.8", 22)),
        (b"..clang version 17.0.6Dwarf", ("clang version 17.0.6", 17)),
        (b"..flang version 22.1.8", ("flang version 22.1.8", 22)),
        (b"..rustc version 1.95.0..", ("rustc version 1.95.0", 0)),
        (b"nothing", ("unknown compiler", 0)),
    ],
)
def test_producer(text: bytes, expected: tuple[str, int]) -> None:
    assert producer(text) == expected


def test_what_is_no_object_is_left_to_the_linker(tmp_path: Path) -> None:
    script = tmp_path / "libc.so"
    script.write_text("GROUP ( /lib/libc.so.6 )")
    assert read_object(script) is None
    assert not is_linker_input(script)
    assert parse_object("empty", b"") is None


def test_a_cut_off_object_is_an_error() -> None:
    with pytest.raises(InputError, match="damaged object"):
        parse_object("cut.o", b"\x7fELF\x02\x01" + bytes(20))


def test_names_of_all_lengths_survive_an_archive(tmp_path: Path) -> None:
    members = [("a.o", b"first"), ("a-name-much-longer-than-sixteen-characters.o", b"second!"), ("a.o", b"")]
    archive = tmp_path / "lib.a"
    write_archive(archive, members)
    assert is_archive(archive)
    assert list(archive_members(archive)) == members


@pytest.mark.skipif(not shutil.which("ar"), reason="no ar was found")
@pytest.mark.parametrize("flags", ["rcs", "rcsT"], ids=["plain", "thin"])
def test_archives_of_binutils(tmp_path: Path, flags: str) -> None:
    names = ["short.o", "a-name-much-longer-than-sixteen-characters.o"]
    for index, name in enumerate(names):
        (tmp_path / name).write_bytes(b"content %d" % index)
    subprocess.run(["ar", flags, "lib.a", *names], cwd=tmp_path, check=True)
    assert list(archive_members(tmp_path / "lib.a")) == [(names[0], b"content 0"), (names[1], b"content 1")]
    assert mentions(tmp_path / "lib.a", b"content 1")


def test_bsd_archives(tmp_path: Path) -> None:
    body = b"name-of-20-characters\0\0\0" + b"data"
    header = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (b"#1/24", 0, 0, 0, b"644", len(body))
    (tmp_path / "lib.a").write_bytes(b"!<arch>\n" + header + body)
    assert list(archive_members(tmp_path / "lib.a")) == [("name-of-20-characters", b"data")]


def test_a_damaged_archive_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "lib.a").write_bytes(b"!<arch>\n" + b"x" * 60)
    with pytest.raises(InputError, match="damaged archive"):
        list(archive_members(tmp_path / "lib.a"))


@pytest.mark.parametrize("content", [b"", b"nothing here"])
def test_files_that_mention_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.o").write_bytes(content)
    assert not mentions(tmp_path / "x.o", b"__enzyme_")
    assert not mentions(tmp_path / "missing.o", b"__enzyme_")


@pytest.mark.compile
def test_bitcode_beside_rusts_standard_library_does_not_count(tmp_path: Path) -> None:
    clang = shutil.which("clang-22") or shutil.which("clang") or ""
    (tmp_path / "f.c").write_text("int f(void) { return 1; }\n")
    subprocess.run([clang, "-c", "-Xclang", "-fembed-bitcode=bitcode", "f.c"], cwd=tmp_path, check=True)
    object_file = (tmp_path / "f.o").read_bytes()
    names = ["mine-0123456789abcdef.mine.0123456789abcdef-cgu.0.rcgu.o", "std-0123456789abcdef.std.o", "core.o"]
    write_archive(tmp_path / "lib.a", [(name, object_file) for name in names])
    assert [bool(found and found.bitcode) for _, _, found in objects_in(tmp_path / "lib.a")] == [True, False, True]
