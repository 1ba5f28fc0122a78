"""What `doctor` reports, and its exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from enzyme_build.__main__ import cli
from enzyme_build.toolchain import find

if TYPE_CHECKING:
    from pathlib import Path


def doctor(*words: str, **environment: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["doctor", *words], env=environment, standalone_mode=False)
    assert result.exception is None, result.exception
    return int(result.return_value), result.output


@pytest.mark.compile
def test_all_is_well_here() -> None:
    code, output = doctor()
    assert code == 0
    for tool in (
        "C compiler",
        "C++ compiler",
        "Fortran compiler",
        "Rust compiler",
        "linker",
        "OpenMP runtime",
        "llvmlite",
        "LLVM library",
        "Python headers",
    ):
        assert tool in output
    assert "used)" in output


def test_llvm_as_it_was_chosen(tmp_path: Path) -> None:
    code, output = doctor(ENZYME_LLVM="llvmlite")
    assert code == 0
    assert "left out by ENZYME_LLVM" in output
    other = tmp_path / "libLLVM.so.22.1"
    other.write_text("no library")
    code, output = doctor(ENZYME_LLVM=str(other))
    assert code == 1
    assert "LLVM library (cannot be used): set ENZYME_LLVM=llvmlite" in output


def test_without_a_c_compiler_it_fails_and_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "_zig", lambda: None)
    monkeypatch.setattr(find, "_INSTALL_FOLDERS", ())
    code, output = doctor(PATH=str(tmp_path), ENZYME_CC="", CC="", ENZYME_CACHE_DIR=str(tmp_path))
    assert code == 1
    assert "C compiler (not found): apt-get install clang-22 lld-22, or: pip install ziglang" in output
    assert "linker (not found): apt-get install lld-22, or binutils" in output


def test_a_compiler_that_fails_says_why(tmp_path: Path) -> None:
    program = tmp_path / "cc"
    program.write_text("#!/bin/sh\necho 'error: no licence' >&2\nexit 1\n")
    program.chmod(0o755)
    code, output = doctor(ENZYME_CC=str(program), ENZYME_CACHE_DIR=str(tmp_path))
    assert code == 1
    assert "error: no licence" in output
    assert "C compiler (none works)" in output


@pytest.mark.compile
def test_what_is_needed_is_there() -> None:
    assert doctor("--need", "C", "--need", "c++", "--need", "Python") == (0, "")


def test_only_what_is_needed_is_looked_for(tmp_path: Path) -> None:
    missing = {"ENZYME_FC": "/no/such/flang", "ENZYME_CACHE_DIR": str(tmp_path)}
    assert doctor("--need", "Fortran", "--need", "fortran", **missing) == (
        1, "Fortran compiler (none works): apt-get install flang-22\n"
    )  # fmt: skip
