"""Fortran's examples as their users build them: by make and by CMake; each program checks itself."""

from __future__ import annotations

import os
import shutil
import subprocess  # noqa: TID251 - as a user does
import sys
from pathlib import Path

import pytest

import enzyme_build

EXAMPLES = Path(__file__).parents[2] / "fortran_examples"
PACKAGE = Path(enzyme_build.__file__).parents[1]
PLOTTED = {
    "least_squares": "fit",
    "source_term": "source",
    "predator_prey": "counts",
    "molecular_dynamics": "energy",
    "hanging_chain": "chain",
}
BUILT = (*PLOTTED, "three_languages")
RUSTC = shutil.which("rustc") or str(Path.home() / ".cargo/bin/rustc")

pytestmark = [
    pytest.mark.compile,
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("flang-22"), reason="flang not found"),
]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The drivers of this repository, installed or not."""
    scripts = tmp_path_factory.mktemp("bin")
    for name, entry in {"enzyme-cc": "cc", "enzyme-fc": "fc"}.items():
        code = f"import sys; from enzyme_build.drivers import {entry}; sys.exit({entry}())"
        (scripts / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -c "{code}" "$@"\n')
        (scripts / name).chmod(0o755)
    path = os.pathsep.join([str(scripts), str(Path(RUSTC).parent), os.environ["PATH"]])  # noqa: TID251
    return {**os.environ, "PATH": path, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}  # noqa: TID251


@pytest.fixture(params=BUILT)
def example(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of an example, so that nothing is built in the source folder."""
    if request.param == "three_languages" and not Path(RUSTC).exists():
        pytest.skip("rustc not found")
    return Path(shutil.copytree(EXAMPLES / request.param, tmp_path / request.param))


def run(command: list[str], environment: dict[str, str], cwd: Path) -> str:
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_plain_commands(example: Path, environment: dict[str, str]) -> None:
    said = run(["make", "test"], environment, example)
    shown = (example / "README.md").read_text().rsplit("```\n", 2)[1].splitlines()
    assert shown[0].split(":")[0].split("  ")[0] in said
    if example.name in PLOTTED:
        pytest.importorskip("matplotlib")
        table = f"{PLOTTED[example.name]}.csv"
        run([sys.executable, "plot.py", table, "plot.png"], environment, example)
        assert (example / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(not shutil.which("cmake"), reason="cmake not found")
def test_cmake(example: Path, environment: dict[str, str]) -> None:
    compilers = ["-DCMAKE_Fortran_COMPILER=enzyme-fc"]
    if "LANGUAGES C Fortran" in (example / "CMakeLists.txt").read_text():
        compilers.append("-DCMAKE_C_COMPILER=enzyme-cc")
    run(["cmake", "-B", "build", *compilers], environment, example)
    run(["cmake", "--build", "build"], environment, example)
    assert "100% tests passed" in run(["ctest", "--test-dir", "build"], environment, example)


def test_least_squares_by_lapack(tmp_path: Path, environment: dict[str, str]) -> None:
    """The system's own library, which has no bitcode: the example's rule stands for it."""
    if not list(Path("/usr/lib").glob("*/liblapack.so")):
        pytest.skip("liblapack not found")
    example = Path(shutil.copytree(EXAMPLES / "least_squares", tmp_path / "least_squares"))
    said = run(["make", "test", "LAPACK=-llapack"], environment, example)
    assert "liblapack" in said or "-llapack" in said
    assert "gradient against finite differences" in said
    assert not (example / "qr.o").exists()
