"""Programs do the same with our bodies of flang's runtime functions as with the library's own."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251 - to run compilers and their programs
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.compile, pytest.mark.skipif(not shutil.which("flang-22"), reason="flang not found")]

PROGRAM = Path(__file__).parent / "library.f90"
MAIN = """
void everything(void);
int main(void) { everything(); return 0; }
"""
REQUEST = """
void __enzyme_autodiff(void *, ...);
void square(double *x) { x[0] *= x[0]; }
void asks(double *x, double *x_bar) { __enzyme_autodiff(square, x, x_bar); }
"""


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def driver(entry: str) -> list[str]:
    return [sys.executable, "-P", "-c", f"import sys; from enzyme_build.drivers import {entry}; sys.exit({entry}())"]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_bodies_do_what_the_library_does(tmp_path: Path, level: str) -> None:
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "request.c").write_text(MAIN + REQUEST)
    run(tmp_path, "clang-22", "-c", "main.c", "-o", "main.o")
    run(tmp_path, "flang-22", level, "-c", str(PROGRAM), "-o", "plain.o")
    library = f"-L{run(tmp_path, 'flang-22', '-print-resource-dir').strip()}/lib/x86_64-pc-linux-gnu"
    run(tmp_path, "clang-22", "main.o", "plain.o", library, "-lflang_rt.runtime", "-lm", "-lstdc++", "-o", "plain")
    run(tmp_path, *driver("fc"), level, "-g", "-c", str(PROGRAM), "-o", "fat.o")
    run(tmp_path, *driver("cc"), level, "--save-stages=stages", "request.c", "fat.o", "-lm", "-o", "ours")
    assert run(tmp_path, "./ours") == run(tmp_path, "./plain")

    final = (tmp_path / "stages" / "final.ll").read_text()
    for function in ("Assign", "Pack", "Reshape", "MoveAlloc", "CopyInAssign", "Norm2_8"):
        assert f"@_FortranA{function}(" not in final
        assert f" U _FortranA{function}\n" in run(tmp_path, "nm", "plain.o")
