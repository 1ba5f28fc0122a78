"""`enzyme-ld`: the link step behind a compiler or alone."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Shell

pytestmark = pytest.mark.compile
ANSWER = "42 8\n"


@pytest.fixture
def objects(shell: Shell) -> Shell:
    for name in ("main", "grad", "f"):
        shell.built(f"-O2 -c {name}.c -o {name}.o", program="")
    return shell


@pytest.fixture
def linker(shell: Shell) -> Path:
    program = shell.folder.parent / "enzyme-ld"
    name, *words = shell.driver("ld")
    program.write_text(f"#!/bin/sh\nexec {name} {words[0]} '{words[1]}' \"$@\"\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("real", ["ld", "ld.lld-22"])
def test_as_the_linker_of_a_compiler(objects: Shell, linker: Path, real: str) -> None:
    if not shutil.which(real):
        pytest.skip(f"{real} not found")
    objects.run("ar", "rcs", "libgrads.a", "grad.o", "f.o")
    clang = shutil.which("clang-22") or shutil.which("clang") or ""
    line = [f"--ld-path={linker}", "main.o", "-L.", "-lgrads", "-o", "prog"]
    done = objects.run(clang, *line, ENZYME_LD=real)
    assert (done.returncode, done.stderr) == (0, "")
    assert objects.run(objects.folder / "prog").stdout == ANSWER


def test_a_relocatable_output(objects: Shell, linker: Path) -> None:
    done = objects.run(linker, "-r", "main.o", "grad.o", "f.o", "-o", "all.o")
    assert (done.returncode, done.stderr) == (0, "")
    assert "__enzyme" not in objects.run("nm", "all.o").stdout
    clang = shutil.which("clang-22") or shutil.which("clang") or ""
    assert objects.run(clang, "all.o", "-o", "prog").returncode == 0
    assert objects.run(objects.folder / "prog").stdout == ANSWER


def test_bitcode_stays_in_a_relocatable_output(objects: Shell, linker: Path) -> None:
    """By GNU's linker, which is taken for that; LLVM's own is only asked for by its name, and warned of."""
    assert objects.run(linker, "-r", "f.o", "-o", "all.o").stderr == ""
    done = objects.run(linker, "-r", "main.o", "grad.o", "-o", "asking.o")  # what it asks for comes later
    assert (done.returncode, done.stderr) == (0, "")
    objects.built("-O2 asking.o all.o -o prog", program="prog")
    for words in ([linker], [*objects.driver("cc"), "-fuse-ld=lld"]):
        done = objects.run(*words, "-r", "f.o", "-o", "bare.o", ENZYME_LD="ld.lld-22")
        assert done.returncode == 0
        assert done.stderr.startswith("warning: lld leaves the bitcode of its inputs out of 'bare.o' with -r")


def test_requests_without_bitcode_are_named(objects: Shell, linker: Path) -> None:
    """Those of another compiler, and what LLVM's linker joined: the linker would find functions missing."""
    clang = shutil.which("clang-22") or shutil.which("clang") or ""
    assert objects.run(clang, "-c", "grad.c", "-o", "machine.o").returncode == 0
    assert objects.run("ld.lld-22", "-r", "grad.o", "-o", "joined.o").returncode == 0
    for name in ("machine.o", "joined.o"):
        for words in (objects.driver("cc"), [str(linker)]):
            done = objects.run(*words, "main.o", name, "f.o", "-o", "prog", ENZYME_LD="ld")
            assert done.returncode == 1
            assert done.stderr.startswith(f"error: '{name}' asks for derivatives (by '__enzyme_autodiff')")
            assert "[E0316]\n  hint: compile it with enzyme-cc" in done.stderr
            assert not (objects.folder / "prog").exists()


RUST = """
extern "C" { fn __enzyme_autodiff(f: *const (), ...) -> f64; }
extern "C" fn f(x: f64) -> f64 { x * x }
fn main() { println!("{}", unsafe { __enzyme_autodiff(f as *const (), 3.0f64) }) }
"""


def test_requests_of_rust_without_bitcode_name_the_option(objects: Shell, linker: Path) -> None:
    (objects.folder / "asks.rs").write_text(RUST)
    words = ["-Cpanic=abort", f"-Clinker={linker}"]
    if linker.name == "enzyme-ld":
        words += ["-Clinker-flavor=ld"]
    done = objects.run("rustc", *words, "asks.rs", "-o", "asks")
    assert done.returncode == 1
    assert "[E0316]" in done.stderr
    assert "hint: compile it with rustc -C linker-plugin-lto" in done.stderr


def test_a_shared_library(objects: Shell, linker: Path) -> None:
    line = "-shared --whole-archive libgrads.a --no-whole-archive -soname libsh.so -o libsh.so"
    objects.run("ar", "rcs", "libgrads.a", "grad.o", "f.o")
    assert objects.run(linker, *line.split()).returncode == 0
    names = objects.run("nm", "-D", "--defined-only", "libsh.so").stdout.split()[2::3]
    assert names == ["counter", "f", "grad", "unused"]


def test_without_requests_it_is_the_linker(objects: Shell, linker: Path) -> None:
    done = objects.run(linker, "--version", ENZYME_LD="ld")
    assert "GNU ld" in done.stdout
    objects.built("-O2 -c plain.c", program="")
    done = objects.run(linker, "-r", "plain.o", "-o", "copy.o")
    assert (done.returncode, done.stderr) == (0, "")
    done = objects.run(linker, "missing.o", "-o", "prog", ENZYME_LD="ld")
    assert done.returncode == 1
    assert "missing.o" in done.stderr
