"""Whole C and C++ programs: reverse and forward mode against finite differences and against each other.

What is checked is said in `tests/support/harness.c`; how a program states its shape in `tests/support/run_programs.py`.
"""

from __future__ import annotations

import pytest

from tests.support import run_programs as runner


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> object:
    return runner.Bench(tmp_path_factory.mktemp("programs"))


@pytest.mark.compile
@pytest.mark.parametrize("level", runner.LEVELS)
@pytest.mark.parametrize("program", runner.all_programs(), ids=lambda program: program.name)
def test_derivatives(bench: object, program: object, level: str) -> None:
    outcome = bench.check(program, level)
    assert outcome.verdict == "PASS", outcome.output
