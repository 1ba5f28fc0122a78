"""Whole programs of one language or several: reverse and forward mode against finite differences and each other.

What is checked is said in `tests/support/harness.c`; how a program states its shape in `tests/support/run_programs.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support import run_programs as runner

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> object:
    """`make programs-all` asks all programs for vector mode."""
    bench = runner.Bench(tmp_path_factory.mktemp("programs"))
    bench.few_lanes = True
    return bench


PROGRAMS = [program for program in runner.all_programs() if not program.lacks_compiler]
# A ninth of the programs at one of the other levels each, and those that are limits there; `make programs-all` runs all
# of them everywhere.
SAMPLE = [
    pytest.param(program, level, id=f"{program.name}{level}")
    for program in PROGRAMS
    for number, level in enumerate(runner.OTHER_LEVELS)
    if program.runs_at(level)
    if program.draw % 27 == 3 * number or program.is_limit_at(level)
]


def levels(program: runner.Program) -> list[str]:
    """-O2 for all, -O0 for those in other languages than C and C++, for every sixth of the others, and for those that
    have no other; the rest is for `make programs-all`."""
    possible = [level for level in runner.LEVELS if program.runs_at(level)]
    return possible if program.has(*runner.COMPILED_APART) or not program.draw % 6 else possible[-1:]


CASES = [
    pytest.param(program, level, id=f"{program.name}-{level}") for program in PROGRAMS for level in levels(program)
]


@pytest.mark.compile
@pytest.mark.parametrize(("program", "level"), CASES)
def test_derivatives(bench: object, program: object, level: str) -> None:
    outcome = bench.check(program, level)
    assert outcome.verdict == "PASS", outcome.output


SPLIT = runner.all_programs(
    "recursion|several_exits|growing_vector|work_array|mutates_input|two_scalars|gauss|in_place|avx|walked_addresses|cursors_in_bytes"
)


@pytest.mark.compile
@pytest.mark.parametrize("program", SPLIT, ids=lambda program: program.name)
def test_split_passes(tmp_path_factory: pytest.TempPathFactory, program: object) -> None:
    """The same by tapes in the caller's hands, with tangents from the tape."""
    bench = runner.Bench(tmp_path_factory.mktemp("split"))
    bench.split = True
    outcome = bench.check(program, "-O2")
    assert outcome.verdict == "PASS", outcome.output


RESIZED = runner.all_programs("aligned_memory|growing_|resized_|rust_raw_memory|second_order_words|unions_in_arrays")


@pytest.mark.compile
@pytest.mark.parametrize("program", RESIZED, ids=lambda program: program.name)
def test_room_of_resized_memory(tmp_path_factory: pytest.TempPathFactory, program: object) -> None:
    """Where the allocator's room for memory and for its shadow differs, nothing is written behind either."""
    bench = runner.Bench(tmp_path_factory.mktemp("guarded"))
    bench.guarded = True
    outcome = bench.check(program, "-O2")
    assert outcome.verdict == "PASS", outcome.output


@pytest.mark.compile
@pytest.mark.parametrize(("program", "level"), SAMPLE)
def test_other_levels(bench: object, program: object, level: str) -> None:
    outcome = bench.check(program, level)
    assert outcome.verdict == "PASS", outcome.output


@pytest.mark.compile
def test_no_call_is_left_between_four_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bench: object) -> None:
    """What `benchmarks/four_languages.py` measures."""
    (program,) = (program for program in PROGRAMS if program.name == "mixed_chain")
    monkeypatch.setenv("ENZYME_SAVE_STAGES", str(tmp_path))
    assert bench.check(program, "-O2").verdict == "PASS"
    merged, optimised = ((tmp_path / f"{stage}.ll").read_text() for stage in ("merged", "optimised"))
    calls = re.compile(r"call [^\n]*@(link_\w+)\(")
    assert set(calls.findall(merged)) == {"link_cpp", "link_fortran", "link_rust"}
    body = re.search(r"(?m)^define [^\n]*@objective\((?:.*\n)*?\}", optimised)
    assert body is not None
    assert set(re.findall(r" call [^\n]*?@([\w.]+)\(", body[0])) == {"sqrt", "llvm.exp.f64", "sin"}
    assert not calls.search(optimised)
