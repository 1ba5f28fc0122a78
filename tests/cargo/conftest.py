"""Packages built by Cargo without network, with the crate and the command of the package under test."""

from __future__ import annotations

import os
import shutil
import subprocess  # noqa: TID251 - building as a user does
import sys
from pathlib import Path

import pytest

import enzyme_build

PACKAGE = Path(enzyme_build.__file__).parent
PATHS = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it


class Workspace:
    """A folder with a package, and commands run in it."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment

    def start(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, shell=True, capture_output=True, text=True, check=False
        )

    def run(self, command: str) -> str:
        """What the command prints, and says beside it."""
        done = self.start(command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def prints(self, command: str) -> str:
        done = self.start(command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def make_workspace(tmp_path_factory):
    """A copy of a folder, in which `cargo` works offline; `enzyme-build/` in it is the crate, if asked for."""
    if not shutil.which("cargo", path=PATHS):
        pytest.skip("cargo not found")
    commands = tmp_path_factory.mktemp("bin")
    programs = {"enzyme-build": "__main__ import main as run", "enzyme-cc": "drivers import cc as run"}
    for name, imported in programs.items():
        (commands / name).write_text(f"#!{sys.executable}\nfrom enzyme_build.{imported}\nrun()\n")
        (commands / name).chmod(0o755)
    environment = {
        **os.environ,  # noqa: TID251
        "CARGO_NET_OFFLINE": "true",
        "CARGO_TERM_COLOR": "never",
        "PATH": f"{commands}:{PATHS}",
        "PYTHONPATH": str(PACKAGE.parent),
    }
    for name in ("CARGO_TARGET_DIR", "CC", "CXX", "FC", "ENZYME_BUILD"):
        environment.pop(name, None)

    def make(source: Path, *, name: str = "a päckage", with_crate: bool = False) -> Workspace:
        folder = tmp_path_factory.mktemp("cargo") / name
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
        if with_crate:
            shutil.copytree(PACKAGE / "cargo_helper", folder / "enzyme-build")
        return Workspace(folder, environment)

    return make
