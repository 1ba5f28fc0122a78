"""A driver in a copy of a prepared process does what it does in a process of its own."""

from __future__ import annotations

import os
import subprocess  # noqa: TID251
import sys
import time
from pathlib import Path

import pytest

from tests.support import run_programs as runner
from tests.support.prepared import LATE, Prepared

PROGRAM = """
double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
int main(void) { return __enzyme_autodiff((void *)square, 3.0) == 6.0 ? 7 : 1; }
"""


@pytest.fixture(scope="module")
def prepared() -> object:
    process = Prepared(runner.PACKAGE)
    yield process
    process.close()


def alone(entry: str, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    code = f"import sys; from enzyme_build.drivers import {entry}; sys.exit({entry}())"
    environment = {**os.environ, "PYTHONPATH": str(runner.PACKAGE)}  # noqa: TID251
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *words],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.compile
@pytest.mark.parametrize("words", ["a.c -o a", "-c a.c", "missing.c -o a", "refused.c -o a", "-c warned.c -Wall"])
def test_the_same_is_said_and_made(prepared: Prepared, tmp_path: Path, words: str) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "a.c").write_text(PROGRAM)
        (folder / "refused.c").write_text(PROGRAM.replace("return x * x", "double nowhere(double); return nowhere(x)"))
        (folder / "warned.c").write_text("int main(void) { int unused; return 0; }\n")
    here = prepared.run("cc", words.split(), 60, tmp_path / "one", {**os.environ, "ENZYME_CACHE_SIZE": "0"})  # noqa: TID251
    there = alone("cc", words.split(), tmp_path / "two")
    assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr)
    made = [{path.name for path in (tmp_path / name).iterdir()} for name in ("one", "two")]
    assert made[0] == made[1]
    if words == "a.c -o a":
        assert subprocess.run([str(tmp_path / "one" / "a")], check=False).returncode == 7


@pytest.mark.compile
def test_what_takes_too_long_is_ended_with_all_that_it_started(prepared: Prepared, tmp_path: Path) -> None:
    slow = tmp_path / "clang"
    slow.write_text("#!/bin/sh\nsleep 60 & echo $! >started\nwait\n")
    slow.chmod(0o755)
    (tmp_path / "a.c").write_text(PROGRAM)
    start = time.monotonic()
    environment = {**os.environ, "ENZYME_CC": str(slow), "ENZYME_CACHE_DIR": str(tmp_path)}  # noqa: TID251
    done = prepared.run("cc", ["-c", "a.c"], 2, tmp_path, environment)
    assert done.returncode == LATE
    assert "no end after 2 s" in done.stderr
    assert time.monotonic() - start < 30
    time.sleep(0.1)
    status = Path("/proc", (tmp_path / "started").read_text().strip(), "stat")
    assert not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"  # ended, and not yet buried
    assert prepared.run("cc", ["--version"], 60, tmp_path, os.environ).returncode == 0  # noqa: TID251
