"""Lines of a shape that was seen before: which they are, and when they are left to the driver all the same."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess  # noqa: TID251
import sys
import time
from pathlib import Path

import pytest

import enzyme_build
from enzyme_build import repeated, shortcut

PACKAGE = Path(enzyme_build.__file__).parent
COMPILER = """#!/bin/sh
echo "$@" >> log
output=f.o
while [ $# -gt 0 ]; do [ "$1" = -o ] && output=$2; shift; done
cp answer "$output"
exit $(cat status)
"""


@pytest.fixture(autouse=True)
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiler that writes its words down, in the current folder with a source and a header."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ENZYME_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("ENZYME_VERBOSE", "ENZYME_SAVE_STAGES"):
        monkeypatch.delenv(name, raising=False)
    program = tmp_path / "clang"
    program.write_text(COMPILER)
    program.chmod(0o755)
    for name, text in {
        "status": "0",
        "answer": "object",
        "f.c": '#include "f.h"\n',
        "g.c": "",
        "g.o": "object",
        "f.h": "",
    }.items():
        (tmp_path / name).write_text(text)
    return program


def seen(line: str, compiler: Path, *, makes_object: bool = True) -> None:
    repeated.remember("c", line.split(), [str(compiler), "-before"], ["-after"], makes_object=makes_object)


def run(line: str) -> int | None:
    return repeated.run("c", line.split())


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("-O2 -c f.c", "-O2 -c f.c"),
        ("-O2 -c f.c -o f.o", "-O2 -c ./g.c -o g.lo"),
        ("-c -MD -MF f.d -MT f.o f.c", "-c -MD -MF g.d -MT g.o g.c"),
        ("-I inc -c -o f.o f.c", "-I inc -c -o g.o g.c"),
    ],
)
def test_only_the_names_of_files_may_differ(compiler: Path, first: str, then: str) -> None:
    seen(first, compiler)
    assert run(then) == 0
    assert Path("log").read_text() == f"-before {then} -after\n"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("-O2 -c f.c", "-O1 -c f.c"),
        ("-c f.c", "-c f.c -g"),
        ("-c f.c -o f.o", "-c f.c"),
        ("-c f.c", "-c f.cpp"),
        ("-c f.c", "-c f.c g.c"),
        ("-c f.c g.c", "-c f.c g.c"),
        ("-c f.o", "-c f.o"),
        ("-c -x c f.c", "-c -x c f.c"),
        ("-c f.c -of.o", "-c f.c -of.o"),
        ("-c f.c -fenzyme-loose-types", "-c f.c -fenzyme-loose-types"),
        ("-c f.c @words", "-c f.c @words"),
    ],
)
def test_all_else_is_left_to_the_driver(compiler: Path, first: str, then: str) -> None:
    seen(first, compiler)
    assert run(then) is None
    assert not Path("log").exists()


def test_the_exit_code_is_the_compilers(compiler: Path) -> None:
    seen("-c f.c", compiler)
    Path("status").write_text("3")
    assert run("-c f.c") == 3


@pytest.mark.parametrize("name", ["f.c", "f.h"])
def test_a_source_that_speaks_of_enzyme_is_looked_at(compiler: Path, name: str) -> None:
    seen("-c f.c", compiler)
    Path(name).write_text(Path(name).read_text() + "// __enzyme_register_gradient_f\n")
    assert run("-c f.c") is None
    assert run("-c g.c") == 0


@pytest.mark.parametrize("text", ["USE ENZYME", "      Include 'uses_enzyme.inc'"])
def test_a_fortran_source_that_may_use_our_module_is_looked_at(compiler: Path, text: str) -> None:
    Path("f.f").write_text("      end")
    repeated.remember("f95", ["-c", "f.f"], [str(compiler)], [], makes_object=False)
    assert repeated.run("f95", ["-c", "f.f"]) == 0
    Path("f.f").write_text(f"{text}\n      end")
    assert repeated.run("f95", ["-c", "f.f"]) is None


def test_what_a_source_that_concerns_us_needs_is_not_kept(compiler: Path) -> None:
    Path("g.c").write_text("// __enzyme_autodiff\n")
    seen("-c g.c", compiler)
    assert run("-c f.c") is None


@pytest.mark.parametrize("line", ["-c f.c", "-c f.c -o other.o"])
def test_an_object_that_speaks_of_enzyme_is_looked_at(compiler: Path, line: str) -> None:
    seen(line, compiler)
    Path("answer").write_text("__enzyme_register_gradient_f")
    assert run(line) is None


@pytest.mark.parametrize("text", [None, ""])
def test_an_object_that_is_not_there_says_nothing(compiler: Path, text: str | None) -> None:
    seen("-c f.c", compiler)
    compiler.write_text("#!/bin/sh\n" if text is None else "#!/bin/sh\n: > f.o\n")
    os.utime(compiler, ns=(1, 1))
    seen("-c f.c", compiler)
    assert run("-c f.c") == 0


def test_lines_that_make_no_object_write_nothing_to_look_at(compiler: Path) -> None:
    seen("-E -c f.c", compiler, makes_object=False)
    Path("answer").write_text("__enzyme_register_gradient_f")
    assert run("-E -c f.c") == 0


@pytest.mark.parametrize("changed", ["compiler", "package", "version", "ENZYME_CC", "ENZYME_VERBOSE"])
def test_what_is_known_counts_until_something_changes(
    compiler: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    package = tmp_path / "package"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(repeated, "__file__", str(package / "repeated.py"))
    seen("-c f.c", compiler)
    assert run("-c f.c") == 0
    match changed:
        case "compiler":
            os.utime(compiler, ns=(1, 1))
        case "package":
            monkeypatch.setattr(repeated, "__file__", str(PACKAGE / "repeated.py"))
        case "version":
            os.utime(package / "toolchain/clang.py", ns=(1, 1))
        case _:
            monkeypatch.setenv(changed, "1")
    assert run("-c f.c") is None


def test_lines_of_one_slot_replace_each_other(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated, "_KEPT", 1)
    for line in ("-O1 -c f.c", "-O2 -c f.c"):
        seen(line, compiler)
        assert run(line) == 0
    assert run("-O1 -c f.c") is None
    assert len(list((Path(shortcut.folder()) / "lines").iterdir())) == 1


def test_the_compiler_is_killed_when_we_are_told_to_stop(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))
    compiler.write_text("#!/bin/sh\necho $$ > pid\nsleep 20\n")
    seen("-c f.c", compiler)
    code = "import sys; from enzyme_build import repeated; sys.exit(repeated.run('c', ['-c', 'f.c']))"
    child = subprocess.Popen([sys.executable, "-c", code])
    while not (Path("pid").exists() and Path("pid").read_text()):
        time.sleep(0.02)
    child.send_signal(signal.SIGTERM)
    assert child.wait(timeout=10) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(int(Path("pid").read_text()), 0)
