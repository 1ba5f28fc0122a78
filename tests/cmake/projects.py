"""What the tests of projects share: commands run as a user runs them, with the package under test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess  # noqa: TID251 - building as a user does
from pathlib import Path

import pytest

import enzyme_build

PACKAGE = Path(enzyme_build.__file__).parent
ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "cmake.md").read_text()
needs_cmake = pytest.mark.skipif(
    not (shutil.which("cmake") and shutil.which("ninja")), reason="cmake or ninja not found"
)


def run(command, folder, first_in_path=None):
    path = os.pathsep.join([str(first_in_path)] * bool(first_in_path) + [os.environ["PATH"]])  # noqa: TID251
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "PATH": path}  # noqa: TID251
    environment.pop("CC", None)
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        shell=isinstance(command, str),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(folder, *words):
    """What a build says that it does."""
    lines = run(["cmake", "--build", "build", "-j", "1", *words], folder).splitlines()
    return [re.sub(r"^\[\d+/\d+\] ", "", line) for line in lines if not line.startswith("ninja: Entering")]


def system_cmake():
    """The system's CMake (Debian's is 3.25), beside which the tests have a new one from PyPI."""
    found = shutil.which("cmake", path="/usr/bin")
    if not found:
        pytest.skip("cmake of the system not found")
    return found
