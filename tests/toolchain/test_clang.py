"""Front-end flags by what the user gave."""

from __future__ import annotations

import pytest

from enzyme_build.toolchain.clang import BitcodeStyle, FrontEnd, bitcode_flags, optimisation_level


@pytest.mark.parametrize(
    ("line", "level"), [("", ""), ("-O", "1"), ("-O2", "2"), ("-O0 -O3", "3"), ("-Os -Og", "g"), ("-Ofast", "fast")]
)
def test_the_last_level_counts(line: str, level: str) -> None:
    assert optimisation_level(line.split()) == level


@pytest.mark.parametrize(
    ("user", "flag", "present"),
    [
        ("-O2", "-fPIC", True),
        ("-fPIE", "-fPIC", False),
        ("-fno-pic", "-fPIC", False),
        ("-static", "-fPIC", False),
        ("-static-libgcc", "-fPIC", True),
        ("", "-Rpass=^@", True),
        ("-g", "-Rpass=^@", False),
        ("-g0", "-Rpass=^@", True),
        ("-g -g0", "-Rpass=^@", True),
        ("-ggdb3", "-Rpass=^@", False),
        ("-gcc-toolchain", "-Rpass=^@", True),
        ("-Rpass=inline", "-Rpass=^@", False),
        ("-Rpass-missed=inline", "-Rpass=^@", True),
        ("-Rpass", "-Rpass=^@", False),
        ("-Reverything", "-Rpass=^@", False),
        ("", "-disable-O0-optnone", True),
        ("-O0", "-disable-O0-optnone", True),
        ("-O1", "-disable-O0-optnone", False),
        ("-O2", "-ffat-lto-objects", True),
    ],
)
def test_flags_follow_the_users(user: str, flag: str, *, present: bool) -> None:
    assert (flag in bitcode_flags(BitcodeStyle.FAT, user.split())) is present


@pytest.mark.parametrize(
    ("user", "major", "typed"),
    [
        ("-O0", 22, True),
        ("", 22, True),
        ("-O0", 19, False),
        ("-O1", 22, False),
        ("-O0 --coverage", 22, False),
        ("-O0 -fprofile-instr-generate", 22, False),
        ("-O0 -fpass-plugin=mine.so", 22, False),
        ("-O0 -Xclang -include-pch -Xclang all.pch", 22, False),
        ("-include all.h", 22, False),
        ("-fmodules", 22, False),
    ],
)
def test_types_are_told_without_optimisation(user: str, major: int, *, typed: bool) -> None:
    flags = bitcode_flags(BitcodeStyle.FAT, user.split(), major=major)
    assert ("-opt-bisect-limit=0" in flags) is typed
    assert ("-disable-O0-optnone" in flags) is (not typed and "-O1" not in user)


def test_machine_code_of_fat_objects_is_vectorised() -> None:
    assert "-fno-vectorize" not in bitcode_flags(BitcodeStyle.FAT, ["-O2"])


def test_older_compilers_embed() -> None:
    flags = bitcode_flags(BitcodeStyle.EMBEDDED, ["-O2"])
    assert "-fembed-bitcode=bitcode" in flags
    assert "-ffat-lto-objects" not in flags


@pytest.mark.parametrize(
    ("user", "embedded"),
    [
        ("-fsanitize=address", True),
        ("-fsanitize=undefined,thread -O2", True),
        ("-fsanitize=undefined", False),
        ("-fsanitize=address,undefined -fno-sanitize=address", False),
        ("-fsanitize=memory -fno-sanitize=all", False),
    ],
)
def test_bitcode_is_from_before_sanitizers(user: str, *, embedded: bool) -> None:
    flags = bitcode_flags(BitcodeStyle.FAT, user.split())
    assert ("-fembed-bitcode=bitcode" in flags) is embedded
    assert ("-ffat-lto-objects" in flags) is not embedded


def test_zig_is_told_to_be_like_clang() -> None:
    flags = bitcode_flags(BitcodeStyle.FAT, ["-O2"], FrontEnd.ZIG)
    assert {"-mcpu=baseline", "-fno-sanitize=undefined"} <= set(flags)
    flags = bitcode_flags(BitcodeStyle.FAT, ["-O2", "-march=native", "-fsanitize=address"], FrontEnd.ZIG)
    assert not {"-mcpu=baseline", "-fno-sanitize=undefined"} & set(flags)


def test_flang_gets_no_clang_options() -> None:
    assert "-Xclang" not in bitcode_flags(BitcodeStyle.FAT, ["-O0"], FrontEnd.FLANG)


def test_flang_does_not_tell_names_of_one_call_apart_and_works_in_order():
    flags = bitcode_flags(BitcodeStyle.FAT, ["-O2"], FrontEnd.FLANG)
    assert [flags[at + 1] for at, word in enumerate(flags) if word == "-mmlir"] == [
        "-dummy-arg-tbaa=false",
        "-local-alloc-tbaa=false",
        "-direct-tbaa=false",
        "--mlir-disable-threading",
    ]
    assert "-mmlir" not in bitcode_flags(BitcodeStyle.FAT, ["-O2"])
