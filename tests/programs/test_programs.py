"""Whole C and C++ programs: reverse and forward mode against finite differences and against each other.

What is checked is said in `tests/support/harness.c`; how a program states its shape in `tests/support/run_programs.py`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType


def load_support(name: str) -> ModuleType:
    """A module of `tests/support`, which is also run as a script and therefore no package."""
    path = Path(__file__).parent.parent / "support" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


runner = load_support("run_programs")


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> object:
    return runner.Bench(tmp_path_factory.mktemp("programs"))


@pytest.mark.compile
@pytest.mark.parametrize("level", runner.LEVELS)
@pytest.mark.parametrize("program", runner.all_programs(), ids=lambda program: program.name)
def test_derivatives(bench: object, program: object, level: str) -> None:
    outcome = bench.check(program, level)
    assert outcome.verdict == "PASS", outcome.output
