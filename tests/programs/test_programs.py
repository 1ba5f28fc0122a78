"""Whole C and C++ programs: reverse and forward mode against finite differences and against each other.

What is checked is said in `tests/support/harness.c`; how a program states its shape in `tests/support/run_programs.py`.
"""

from __future__ import annotations

import pytest

from tests.support import run_programs as runner


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> object:
    return runner.Bench(tmp_path_factory.mktemp("programs"))


PROGRAMS = runner.all_programs()
# A sixth of the programs at one of the other levels each; `make programs-all` runs all of them everywhere.
SAMPLE = [
    pytest.param(program, runner.OTHER_LEVELS[number // 2], id=f"{program.name}{runner.OTHER_LEVELS[number // 2]}")
    for program, number in ((program, sum(program.name.encode()) % 18) for program in PROGRAMS)
    if number in {0, 2, 4} and program.runs_at(runner.OTHER_LEVELS[number // 2])
]


CASES = [
    pytest.param(program, level, id=f"{program.name}-{level}")
    for program in PROGRAMS
    for level in runner.LEVELS
    if program.runs_at(level)
]


@pytest.mark.compile
@pytest.mark.parametrize(("program", "level"), CASES)
def test_derivatives(bench: object, program: object, level: str) -> None:
    outcome = bench.check(program, level)
    assert outcome.verdict == "PASS", outcome.output


SPLIT = runner.all_programs(
    "recursion|several_exits|growing_vector|work_array|mutates_input|two_scalars|gauss|in_place|avx"
)


@pytest.mark.compile
@pytest.mark.parametrize("program", SPLIT, ids=lambda program: program.name)
def test_split_passes(tmp_path_factory: pytest.TempPathFactory, program: object) -> None:
    """The same by tapes in the caller's hands, with tangents from the tape."""
    bench = runner.Bench(tmp_path_factory.mktemp("split"))
    bench.split = True
    outcome = bench.check(program, "-O2")
    assert outcome.verdict == "PASS", outcome.output


@pytest.mark.compile
@pytest.mark.parametrize(("program", "level"), SAMPLE)
def test_other_levels(bench: object, program: object, level: str) -> None:
    outcome = bench.check(program, level)
    assert outcome.verdict == "PASS", outcome.output
