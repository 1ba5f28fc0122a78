"""The benchmarks still build, agree with the adjoints by hand, and are written down; nothing is judged by time."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from enzyme_build.toolchain import process

ROOT = Path(__file__).parents[1]
MEASURED = ("hand", "heat.F90")


@pytest.mark.compile
def test_gradients_of_two_problems(tmp_path: Path) -> None:
    """A gradient that is off ends `run.py` with 1."""
    output = tmp_path / "gradients"
    options = ["--seconds", "0.01", "--no-baseline", "--output", str(output)]
    done = process.run([sys.executable, str(ROOT / "benchmarks" / "run.py"), *MEASURED, *options])
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads(output.with_suffix(".json").read_text())
    assert [result["name"] for result in results] == list(MEASURED)
    assert all(result["error"] < 1e-10 for result in results)
    rows = re.findall(r"(?m)^\| ([\w.]+) \| \d+ \|", output.with_suffix(".md").read_text())
    assert rows == list(MEASURED)
    dots = re.findall(r"<title>([\w.]+), generated: [\d.]+</title>", output.with_suffix(".svg").read_text())
    assert dots == list(MEASURED)


def test_every_problem_is_described() -> None:
    """Every folder is in the table of the README and in the run."""
    problems = {path.name for path in (ROOT / "benchmarks" / "problems").iterdir() if path.is_dir()}
    described = set(re.findall(r"(?m)^\| (\w+) \| .* \| \d+ \|$", (ROOT / "benchmarks" / "README.md").read_text()))
    assert described == problems
    source = (ROOT / "benchmarks" / "run.py").read_text()
    measured = re.findall(r'"([\w.]+)"', source[source.index("ALL = (") : source.index("PRIMALS =")])
    assert {name.partition(".")[0] for name in measured} == problems
