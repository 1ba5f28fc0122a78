"""The examples and the demo, as their users run them: pip install, then the script that uses the result."""

from __future__ import annotations

import os
import subprocess  # noqa: TID251 - as a user does
import sys
from pathlib import Path

import pytest

import enzyme_build

EXAMPLES = Path(__file__).parents[2] / "examples"
FORTRAN_EXAMPLES = EXAMPLES.parent / "fortran_examples"
PACKAGE = Path(enzyme_build.__file__).parents[1]
COMMANDS = {
    "enzyme-cc": "enzyme_build.drivers:cc",
    "enzyme-c++": "enzyme_build.drivers:cxx",
    "enzyme-build": "enzyme_build.__main__:main",
}

pytestmark = [pytest.mark.compile, pytest.mark.slow]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The package of this repository, installed or not, and its commands."""
    scripts = tmp_path / "bin"
    scripts.mkdir()
    for name, entry in COMMANDS.items():
        module, function = entry.split(":")
        code = f"import sys; from {module} import {function}; sys.exit({function}())"
        (scripts / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
        (scripts / name).chmod(0o755)
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"  # noqa: TID251
    return {**os.environ, "PATH": path, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}  # noqa: TID251


def run(command: list[str], environment: dict[str, str], cwd: Path) -> str:
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(example: str, environment: dict[str, str], folder: Path) -> dict[str, str]:
    """Install an example into a folder; the environment in which it can be imported."""
    target = folder / "installed"
    flags = ["--no-build-isolation", "--no-deps", "--no-index", "--target", str(target)]
    run([sys.executable, "-m", "pip", "install", *flags, str(EXAMPLES / example)], environment, folder)
    return {**environment, "PYTHONPATH": f"{target}{os.pathsep}{PACKAGE}"}


def test_fortran_example(environment: dict[str, str], tmp_path: Path) -> None:
    environment = installed("../fortran_examples/heat", environment, tmp_path)
    plot = tmp_path / "plot.png"
    said = run([sys.executable, str(FORTRAN_EXAMPLES / "heat" / "fit.py"), "--plot", str(plot)], environment, tmp_path)
    assert plot.read_bytes().startswith(b"\x89PNG")
    error, misfit = (line.split()[place] for line, place in zip(said.splitlines(), (4, 3), strict=True))
    assert float(error) < 1e-6
    assert float(misfit) < 1e-4


@pytest.mark.parametrize(("example", "script"), [("nbody", "sensitivity.py"), ("gmm", "fit.py")])
def test_example_with_plot(example: str, script: str, environment: dict[str, str], tmp_path: Path) -> None:
    environment = installed(example, environment, tmp_path)
    plot = tmp_path / "plot.png"
    run([sys.executable, str(EXAMPLES / example / script), "--plot", str(plot)], environment, tmp_path)
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_relu3(environment: dict[str, str], tmp_path: Path) -> None:
    said = run([sys.executable, str(EXAMPLES / "relu3" / "compare.py")], environment, tmp_path)
    assert "instructions by hand" in said
    environment = installed("relu3", environment, tmp_path)
    code = "import relu3; print(relu3.relu3_grad(1.5), relu3.relu3_grad(-1.5))"
    assert run([sys.executable, "-c", code], environment, tmp_path) == "(3.375, (6.75,)) (0.0, (0.0,))\n"


def test_normalize(environment: dict[str, str], tmp_path: Path) -> None:
    plot = tmp_path / "plot.png"
    said = run([sys.executable, str(EXAMPLES / "normalize" / "scaling.py"), "--plot", str(plot)], environment, tmp_path)
    growth = {line.split(":")[0]: float(line.rsplit("^", 1)[1]) for line in said.splitlines() if "grows as" in line}
    assert growth["after optimisation"] < 1.4
    assert growth["before optimisation"] > 1.6
    assert plot.exists()


def test_demo(environment: dict[str, str], tmp_path: Path) -> None:
    plot = tmp_path / "demo.png"
    said = run([sys.executable, "-m", "enzyme_build", "demo", "--plot", str(plot)], environment, tmp_path)
    assert "relative error against finite differences" in said
    assert plot.read_bytes().startswith(b"\x89PNG")
