"""Libraries with exported derivatives, and programs that only have their declarations."""

from __future__ import annotations

import os
import subprocess  # noqa: TID251 - libraries and programs are built as a user does
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import enzyme_build

PACKAGE = Path(enzyme_build.__file__).parents[1]
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Folder:
    """Runs programs in a folder."""

    path: Path

    def run(self, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "PYTHONPATH": str(PACKAGE), **environment}  # noqa: TID251
        return subprocess.run(
            list(map(str, words)), cwd=self.path, env=variables, capture_output=True, text=True, check=False
        )

    def good(self, *words: object, **environment: str) -> str:
        done = self.run(*words, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, *words: str) -> list[str]:
        """The command `enzyme-build`."""
        return [sys.executable, "-m", "enzyme_build", *words]

    def export(self, *words: str, **environment: str) -> None:
        assert self.good(*self.python("export", *words), **environment) == ""

    def driver(self, name: str) -> list[str]:
        return [sys.executable, "-c", f"from enzyme_build.drivers import {name}; {name}()"]

    def compiled(self, line: str, driver: str = "cc", **environment: str) -> None:
        self.good(*self.driver(driver), *line.split(), **environment)

    def rust_command(self, line: str) -> list[str]:
        """Of rustc, for a program that the driver links."""
        linker = self.path / "linker"
        name = "from enzyme_build.drivers import cc; cc()"
        linker.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{name}' \"$@\"\n")
        linker.chmod(0o755)
        words = ["-A", "warnings", "--edition=2021", "-Cpanic=abort", f"-Clinker={linker}", "-Clinker-plugin-lto"]
        return ["rustc", *words, *line.split()]

    def rust(self, line: str, **environment: str) -> None:
        self.good(*self.rust_command(line), **environment)

    def refused(self, line: str) -> str:
        """What the driver says against a line."""
        done = self.run(*self.driver("cc"), *line.split())
        assert done.returncode == 1
        return done.stderr

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """`solver.c` in every form of output, and the object of a program that uses it."""
    folder = Folder(tmp_path_factory.mktemp("library"))
    for name in ("solver.c", "solver.h", "use.c"):
        folder.write(name, (HERE / name).read_text())
    folder.export("solver.c", "--function", "s_*", "-o", "libsolver.so")
    folder.export("solver.c", "--function", "s_*", "-o", "libsolver.a")
    folder.compiled("-O2 -c -fenzyme-export=s_* solver.c -o solver.o")
    folder.compiled("-O2 -g -c use.c")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture(scope="module")
def common_folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """One for all tests of a file."""
    return Folder(tmp_path_factory.mktemp("common"))
