"""Packages of the Fortran package manager (fpm): its lines for compilers, and the example by the manual's commands."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.support.commands import ROOT, run, scripts

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not shutil.which("flang-22"), reason="flang not found"),
]

SECTION = (ROOT / "docs" / "fortran.md").read_text().partition("\n## fpm\n")[2].partition("\n## ")[0]
EXAMPLE = ROOT / "examples" / "fpm"
FILES = ("src/chain.f90", "app/main.f90", "fpm.toml")
COMPILE = "-c {source} -O2 -module build/m -Ibuild/m -o build/chain/{object}"
LINK = "-O2 build/chain/app_main.f90.o build/chain/libchain.a -o build/app/chain"
SAID = " -1.00  1.00  0.00\n"


@pytest.fixture
def package(tmp_path):
    """The example."""
    return shutil.copytree(EXAMPLE, tmp_path / "chain")


@pytest.fixture
def commands(tmp_path):
    return scripts(tmp_path / "bin")


def test_the_manual_shows_the_example():
    shown = re.findall(r"(?ms)^```(?:fortran|toml)\n(.*?)^```$", SECTION)
    assert shown == [(EXAMPLE / name).read_text() for name in FILES]


def test_lines_of_fpm_for_a_compiler_that_it_does_not_know(package, commands, monkeypatch):
    flang = package / "recording-flang"
    flang.write_text(f'#!/bin/sh\necho "$*" >>"{package}/lines"\nexec flang-22 "$@"\n')
    flang.chmod(0o755)
    monkeypatch.setenv("ENZYME_FC", str(flang))
    for name in ("m", "chain", "app"):
        (package / "build" / name).mkdir(parents=True)
    for source, made in (("././src/chain.f90", "src_chain.f90.o"), ("app/main.f90", "app_main.f90.o")):
        run(f"enzyme-fc {COMPILE.format(source=source, object=made)}", package, commands)
    run("ar -rs build/chain/libchain.a build/chain/src_chain.f90.o", package)
    run(f"enzyme-fc {LINK}", package, commands)
    assert run("build/app/chain", package) == SAID
    assert (package / "build" / "m" / "chain.mod").exists()
    compiled = [line for line in (package / "lines").read_text().splitlines() if "src/chain.f90" in line]
    assert compiled
    assert all("-module-dir build/m -Ibuild/m -o build/chain/src_chain.f90.o" in line for line in compiled)


@pytest.mark.skipif(not shutil.which("fpm"), reason="fpm not found")
def test_the_example_by_the_manual(package, commands):
    *settings, built = re.findall(r"(?m)^\$ (.*)$", SECTION)
    shell = " && ".join(settings)
    assert run(f"{shell} && {built}", package, commands).endswith(SAID)
    again = run(f"{shell} && {built} --verbose", package, commands)
    assert "enzyme-fc -c" not in again
    assert again.endswith(SAID)
