"""Drivers as programs of their own, in a folder of C files, with a fake or a real compiler below them."""

from __future__ import annotations

import os
import subprocess  # noqa: TID251
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import enzyme_build

PACKAGE = Path(enzyme_build.__file__).parents[1]
FIXED_ANSWER = Path(__file__).parent / "fixed_answer"

SOURCES = {
    "main.c": """
        #include <stdio.h>
        double grad(double);
        extern int counter;
        int main(void) { double g = grad(2.0); printf("%g %d\\n", g, counter); return 0; }""",
    "grad.c": """
        double f(double);
        double __enzyme_autodiff(void *, ...);
        double grad(double x) { return f(x) > 0 ? __enzyme_autodiff((void *)f, x) : 0; }""",
    "f.c": """
        int counter = 7;
        static double helper(double x) { return x * x; }
        double f(double x) { counter++; return helper(x) + x; }
        double unused(double x) { return x; }""",
    "plain.c": """
        #include <math.h>
        #include <stdio.h>
        int main(int argc, char **argv) { (void)argv; printf("%.3f\\n", sin(argc)); return 3; }""",
    "broken.c": "int main(void) { return x; }",
}


@dataclass(frozen=True)
class Shell:
    """Runs programs in the test's folder."""

    folder: Path
    environment: dict[str, str]

    def with_real_derivatives(self) -> Shell:
        return Shell(self.folder, self.environment | {"PYTHONPATH": str(PACKAGE)})

    def run(self, *words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def driver(self, name: str) -> list[str]:
        return [sys.executable, "-c", f"from enzyme_build.drivers import {name}; {name}()"]

    def cc(self, line: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run(*self.driver("cc"), *line.split(), **environment)

    def cxx(self, line: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.run(*self.driver("cxx"), *line.split(), **environment)

    def built(self, line: str, program: str = "a.out") -> str:
        """Compile or link, which must succeed silently, and the output of the program made."""
        done = self.cc(line)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return self.run(self.folder / program).stdout if program else ""

    def left(self) -> set[str]:
        """Files that were not there at the start."""
        return {path.name for path in self.folder.iterdir()} - set(SOURCES)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "work"
    folder.mkdir()
    for name, text in SOURCES.items():
        (folder / name).write_text(text + "\n")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "CI") if name in os.environ}  # noqa: TID251
    # Answers that are fixed must not be kept as those of real links.
    own = {"PYTHONPATH": f"{PACKAGE}:{FIXED_ANSWER}", "TMPDIR": str(temporary), "LC_ALL": "C", "ENZYME_CACHE_SIZE": "0"}
    return Shell(folder, keep | own)
