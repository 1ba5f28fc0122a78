"""Commands run as a user runs them, with the package under test, installed or not."""

from __future__ import annotations

import os
import subprocess  # noqa: TID251 - building as a user does
import sys
from pathlib import Path

import enzyme_build

PACKAGE = Path(enzyme_build.__file__).parent
ROOT = Path(__file__).parents[2]
_SCRIPTS = {
    "enzyme-build": "enzyme_build",
    "enzyme-cc": "enzyme_build.drivers c",
    "enzyme-c++": "enzyme_build.drivers c++",
    "enzyme-fc": "enzyme_build.drivers f95",
    "enzyme-ld": "enzyme_build.drivers ld",
}


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


def scripts(folder: Path) -> Path:
    """A folder with the console scripts of the package under test."""
    folder.mkdir(exist_ok=True)
    for name, module in _SCRIPTS.items():
        (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        (folder / name).chmod(0o755)
    return folder
