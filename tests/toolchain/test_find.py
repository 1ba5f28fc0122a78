"""Discovery, with compilers that are shell scripts."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from enzyme_build.errors import ToolError
from enzyme_build.toolchain import find
from enzyme_build.toolchain.clang import BitcodeStyle
from enzyme_build.toolchain.find import Candidate, ProbeCache, ToolSettings, candidates, find_compiler, probe
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from collections.abc import Callable


EMPTY_ELF = b"\x7fELF\x02\x01" + bytes(58)


def bitcode(ident: str) -> bytes:
    body = ident.encode().ljust((len(ident) + 3) // 4 * 4, b"\0")
    return b"BC\xc0\xde" + struct.pack("<2I", 1 | 8 << 2, len(body) // 4) + body


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Path]:
    """Make a compiler that answers with bitcode of `ident`, or fails."""

    def make(name: str, ident: str = "clang version 22.1.8", fails: str = "", refuses: str = "") -> Path:
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        answer = tmp_path / f"{name}.bc"
        answer.write_bytes(bitcode(ident) if ident else EMPTY_ELF)
        lines = [
            "#!/bin/sh",
            f'echo run >> "{tmp_path}/{name}.log"',
            f'case "$*" in *"{refuses}"*) echo "error: unknown {refuses}" >&2; exit 1;; esac' if refuses else "",
            f'echo "error: {fails}" >&2; exit 1' if fails else "",
            'while [ $# -gt 1 ]; do [ "$1" = -o ] && out="$2"; shift; done; [ "$1" ] || exit 1',
            f'cp "{answer}" "$out"',
        ]
        program.write_text("\n".join(lines) + "\n")
        program.chmod(0o755)
        return program

    return make


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ToolSettings]:
    monkeypatch.setattr(find, "_zig", lambda: None)
    monkeypatch.setattr(find, "_INSTALL_FOLDERS", ())

    def make(**fields: object) -> ToolSettings:
        search = f"{tmp_path / 'bin'}:/usr/bin:/bin" if "path" not in fields else str(fields.pop("path"))
        return ToolSettings(path=search, cache=tmp_path / "cache", **fields)  # type: ignore[arg-type]

    return make


def runs(tmp_path: Path, name: str) -> int:
    log = tmp_path / f"{name}.log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_an_explicit_compiler_is_used(fake: Callable[..., Path], tools: Callable[..., ToolSettings]) -> None:
    program = fake("mycc")
    found = find_compiler(Language.C, tools(cc=str(program)))
    assert found.command == (str(program),)
    assert (found.version, found.llvm_major, found.style) == ("clang version 22.1.8", 22, BitcodeStyle.FAT)


def test_words_behind_the_compiler_are_kept(fake: Callable[..., Path], tools: Callable[..., ToolSettings]) -> None:
    program = fake("mycc")
    assert find_compiler(Language.C, tools(cc="mycc -m64")).command == (str(program), "-m64")


def test_an_explicit_compiler_that_fails_is_an_error(
    fake: Callable[..., Path], tools: Callable[..., ToolSettings]
) -> None:
    fake("mycc", fails="no such option")
    fake("clang-22")
    with pytest.raises(ToolError, match="no usable C compiler found") as caught:
        find_compiler(Language.C, tools(cc="mycc"))
    assert "mycc (ENZYME_CC): error: no such option" in caught.value.message
    assert caught.value.hint
    assert "clang-22" in caught.value.hint


def test_cc_is_preferred_and_passed_over_when_it_fails(
    fake: Callable[..., Path], tools: Callable[..., ToolSettings]
) -> None:
    good, bad = fake("goodcc"), fake("badcc", ident="")
    order = [
        found.command for found in candidates(Language.C, tools(preferred=("goodcc", "", ""), path=str(good.parent)))
    ]
    assert order[0] == (str(good),)
    fake("clang-22")
    found = find_compiler(Language.C, tools(preferred=(str(bad), "", "")))
    assert Path(found.command[0]).name == "clang-22"


@pytest.mark.parametrize("value", ["enzyme-cc", "ccache enzyme-cc"])
def test_our_own_driver_is_never_our_compiler(
    value: str, fake: Callable[..., Path], tools: Callable[..., ToolSettings]
) -> None:
    fake("enzyme-cc")
    fake("ccache")
    clang = fake("clang-22")
    assert find_compiler(Language.C, tools(preferred=(value, "", ""))).command == (str(clang),)


def test_versioned_names_come_first(
    tmp_path: Path, fake: Callable[..., Path], tools: Callable[..., ToolSettings]
) -> None:
    for name in ("clang", "clang-22", "clang-19"):
        fake(name)
    found = [Path(item.command[0]).name for item in candidates(Language.C, tools(path=str(tmp_path / "bin")))]
    assert found == ["clang-22", "clang", "clang-19"]


@pytest.mark.parametrize(
    ("ident", "problem"),
    [
        ("clang version 23.0.1", "clang version 23.0.1 is newer than LLVM 22 of llvmlite"),
        ("clang version 9.0.0", "clang version 9.0.0 is older than LLVM 14"),
        ("", "its objects hold no LLVM bitcode"),
    ],
)
def test_a_compiler_that_cannot_be_used_says_why(
    ident: str, problem: str, tmp_path: Path, fake: Callable[..., Path]
) -> None:
    program = fake("clang", ident=ident)
    found = probe(Candidate((str(program),), "PATH"), Language.C, ProbeCache(tmp_path / "cache"))
    assert found.problem == problem


def test_an_older_clang_embeds_its_bitcode(fake: Callable[..., Path], tools: Callable[..., ToolSettings]) -> None:
    program = fake("mycc", ident="clang version 14.0.6", refuses="-ffat-lto-objects")
    assert find_compiler(Language.C, tools(cc=str(program))).style is BitcodeStyle.EMBEDDED


def test_a_compiler_is_probed_once(
    tmp_path: Path, fake: Callable[..., Path], tools: Callable[..., ToolSettings]
) -> None:
    program = fake("mycc")
    for _ in range(3):
        find_compiler(Language.C, tools(cc=str(program)))
    assert runs(tmp_path, "mycc") == 1
    program.write_text(program.read_text() + "# changed\n")
    find_compiler(Language.C, tools(cc=str(program)))
    assert runs(tmp_path, "mycc") == 2


def test_a_damaged_cache_counts_as_empty(
    tmp_path: Path, fake: Callable[..., Path], tools: Callable[..., ToolSettings]
) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "compilers.json").write_text("{ half")
    assert find_compiler(Language.C, tools(cc=str(fake("mycc")))).llvm_major == 22


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, fake: Callable[..., Path], tools: Callable[..., ToolSettings]
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert find_compiler(Language.C, tools(cc=str(fake("mycc")))).llvm_major == 22


def test_nothing_found_says_what_to_install(tools: Callable[..., ToolSettings]) -> None:
    with pytest.raises(ToolError, match="no usable C\\+\\+ compiler found") as caught:
        find_compiler(Language.CXX, tools(path="/nowhere"))
    assert caught.value.hint == "apt-get install clang-22 lld-22, or: pip install ziglang"


def test_fortran_is_found_like_the_others(fake: Callable[..., Path], tools: Callable[..., ToolSettings]) -> None:
    versioned = fake("flang-22", ident="flang version 22.1.8")
    assert find_compiler(Language.FORTRAN, tools()).command == (str(versioned),)
    other = fake("myfc", ident="flang version 22.1.8")
    found = find_compiler(Language.FORTRAN, tools(preferred=("", "", str(other))))
    assert (found.command, found.language) == ((str(other),), Language.FORTRAN)
    with pytest.raises(ToolError, match="no usable Fortran compiler found") as caught:
        find_compiler(Language.FORTRAN, tools(fc="/nowhere/flang"))
    assert caught.value.hint == "apt-get install flang-22"


def test_gfortran_is_passed_over(fake: Callable[..., Path], tools: Callable[..., ToolSettings], tmp_path: Path) -> None:
    gfortran = fake("gfortran", fails="unrecognized command-line option '-Xflang'")
    flang = fake("flang", ident="flang version 21.1.0")
    search = tools(preferred=("", "", str(gfortran)), path=str(tmp_path / "bin"))
    assert find_compiler(Language.FORTRAN, search).command == (str(flang),)


def test_rust_is_tried_with_its_own_flags(fake: Callable[..., Path], tools: Callable[..., ToolSettings]) -> None:
    rustc = fake("rustc", ident="rustc version 1.95.0", refuses="-flto")
    found = find_compiler(Language.RUST, tools(preferred=("", "", "", str(rustc))))
    assert (found.command, found.style) == ((str(rustc),), BitcodeStyle.BARE)
    assert "-Clinker-plugin-lto" in found.flags([])
