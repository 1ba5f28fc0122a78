"""Which links are handed on at once, and when the compiler found last time still counts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from enzyme_build import shortcut

if TYPE_CHECKING:
    from pathlib import Path

ELF = b"\x7fELF" + bytes(60)


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("plain.o", "libplain.a", "libplain.so", "liboff.so"):
        (tmp_path / name).write_bytes(b"!<arch>\n" if name.endswith(".a") else ELF)
    for name in ("asks.o", "libasks.a", "liboff.a"):
        (tmp_path / name).write_bytes(ELF + b"__enzyme_autodiff")
    (tmp_path / "libthin.a").write_bytes(b"!<thin>\n")
    (tmp_path / "libscript.so").write_text("INPUT(libasks.a)")
    (tmp_path / "plain.c").write_text("int main(void) { return 0; }")
    (tmp_path / "plain.rsp").write_text("plain.o -o\nprog")
    (tmp_path / "asks.rsp").write_text("plain.o asks.o")
    (tmp_path / "quoted.rsp").write_text('"plain.o"')


@pytest.mark.parametrize(
    "line",
    [
        "plain.o -o prog",
        "-O2 plain.o libplain.a -lm -o asks.o",
        "plain.o -L. -lplain -Wl,-rpath,/x -Wl,-soname,libasks.so",
        "plain.o -shared -Wl,-soname=libasks.so -Wl,--gc-sections,-z,now",
        "plain.o -Wl,--whole-archive,libplain.a",
        "-L . plain.o -l plain",
        "@plain.rsp",
    ],
)
def test_handed_on(line: str) -> None:
    assert shortcut.is_plain(line.split())


@pytest.mark.parametrize(
    "line",
    [
        "",
        "-v",
        "asks.o",
        "plain.o libasks.a",
        "plain.o -L. -lasks",
        "plain.o -loff -L.",
        "plain.o -L. -l:libasks.a",
        "plain.o -Wl,--whole-archive,libasks.a",
        "plain.o -Wl,-lasks -L.",
        "plain.o -Wl,-L. -lasks",
        "plain.o -Wl,--library-path=. -lasks",
        "plain.o --library-path=. --library=asks",
        "plain.o -Xlinker asks.o",
        "plain.o libthin.a",
        "plain.o libscript.so",
        "plain.o plain.c",
        "-c plain.o",
        "plain.o -x c plain.c",
        "plain.o missing.o",
        "plain.o --save-stages x -fenzyme-loose-types",
        "@asks.rsp",
        "@quoted.rsp",
        "@missing.rsp",
        "-",
    ],
)
def test_looked_at_with_more_care(line: str) -> None:
    assert not shortcut.is_plain(line.split())


def test_a_compiler_is_recalled_until_something_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "clang"
    program.write_text("")
    monkeypatch.setenv("ENZYME_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(folder))
    for name in ("CC", "ENZYME_CC", "ENZYME_VERBOSE", "ENZYME_SAVE_STAGES"):
        monkeypatch.delenv(name, raising=False)
    assert shortcut.recalled("c") == []
    shortcut.remember("c", [str(program), "-m64"])
    assert shortcut.recalled("c") == [str(program), "-m64"]
    assert shortcut.recalled("c++") == []
    monkeypatch.setenv("CC", "gcc")
    assert shortcut.recalled("c") == []
    monkeypatch.delenv("CC")
    monkeypatch.setenv("ENZYME_VERBOSE", "1")
    assert shortcut.recalled("c") == []
    monkeypatch.delenv("ENZYME_VERBOSE")
    os.utime(program, ns=(1, 1))
    assert shortcut.recalled("c") == []
    shortcut.remember("c", [str(program)])
    os.utime(folder, ns=(2, 2))
    assert shortcut.recalled("c") == []


def test_what_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    (folder / "kept" / "taken").mkdir(parents=True)
    shortcut.write(str(folder / "kept"), ["word"])
    assert [path.name for path in folder.iterdir()] == ["kept"]
