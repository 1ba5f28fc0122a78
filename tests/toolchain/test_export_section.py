"""Sections of exported derivatives, as linkers leave them."""

from __future__ import annotations

import pytest

from enzyme_build.errors import InputError
from enzyme_build.toolchain.export_section import packed, unpacked

ENTRIES = [b"one", b"", b"\x89" * 40]


def test_what_is_packed_is_unpacked() -> None:
    assert list(unpacked(packed(ENTRIES))) == ENTRIES


def test_sections_in_a_row_with_zeros_between_them() -> None:
    assert list(unpacked(packed([b"one"]) + bytes(24) + packed([b"two"]) + bytes(8))) == [b"one", b"two"]


def test_entries_before_damage_are_read() -> None:
    section = bytearray(packed([b"one", b"two", b"three"]))
    section[section.index(b"two")] ^= 1
    entries = unpacked(bytes(section))
    assert next(entries) == b"one"
    with pytest.raises(InputError, match="it is damaged"):
        next(entries)


def test_every_cut_is_noticed() -> None:
    whole = packed([b"some content"]).rstrip(b"\0")
    for length in range(1, len(whole)):
        with pytest.raises(InputError, match="cut off"):
            list(unpacked(whole[:length]))


@pytest.mark.parametrize("other", [b"text", b"\x89ELF" + bytes(60)])
def test_what_others_wrote(other: bytes) -> None:
    with pytest.raises(InputError, match="another program"):
        list(unpacked(other))
