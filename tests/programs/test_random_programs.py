"""Random programs (`tests/support/random_programs.py`): forward, reverse mode and finite differences agree.

A few seeds run always; `python tests/support/run_programs.py --random 200 --seed 1000` looks for trouble.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import random_programs as generator
from tests.support import run_programs as runner

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> object:
    return runner.Bench(tmp_path_factory.mktemp("random"))


@pytest.mark.compile
@pytest.mark.parametrize("seed", range(1, 25))
def test_random_program(bench: object, seed: int, tmp_path: Path) -> None:
    source = tmp_path / f"random{seed}.c"
    source.write_text(generator.random_program(seed))
    outcome = bench.check(runner.read_program(source), runner.LEVELS[seed % 2])
    assert outcome.verdict == "PASS", outcome.output
