"""What users see when something cannot be differentiated: the exact text on standard error, per case.

`pytest tests/diagnostics --update` writes the texts anew; read the difference before committing it.
"""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251 - the driver is started as a user does
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DRIVERS = {".c": "cc", ".cpp": "cxx", ".f90": "fc"}
TOLD_BY_THE_RUN = {"halves_of_doubles.c", "union_in_structs.c", "variant_of_two_precisions.cpp"}
"""Refused only if that is asked for: else there is a warning, and the derivative is slower, or the program ends."""
CASES = sorted(path.name for path in HERE.iterdir() if path.suffix in DRIVERS)


@pytest.mark.compile
@pytest.mark.parametrize("case", CASES)
def test_message(case: str, tmp_path: Path, *, update: bool) -> None:
    driver = DRIVERS[Path(case).suffix]
    if driver == "fc" and not (shutil.which("flang-22") or shutil.which("flang")):
        pytest.skip("flang not found")
    entry = f"import sys; from enzyme_build.drivers import {driver}; sys.exit({driver}())"
    output = tmp_path / "program"
    modules = tmp_path / "modules"
    modules.mkdir()
    words = ["-J", str(modules)] if driver == "fc" else []
    words += ["-fopenmp"] if case.startswith("openmp") else []
    words += ["-Werror=enzyme-noted-types"] if case in TOLD_BY_THE_RUN else []
    command = [sys.executable, "-c", entry, "-O2", "-g", *words, case, "-lm", "-o", str(output)]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode != 0, "it was accepted"
    assert list(tmp_path.iterdir()) == [modules], "something half-written was left"
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    said = done.stderr.replace(str(tmp_path), "TMP")
    expected = (HERE / case).with_suffix(".stderr")
    if update:
        expected.write_text(said)
    assert expected.exists(), f"no {expected.name}: run pytest --update\n{said}"
    assert said == expected.read_text()
