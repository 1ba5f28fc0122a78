"""Existing projects build with our drivers by their own build systems, pass their own tests, and have right gradients.

`run.py` beside this file builds more and larger ones.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from building import build, missing_tools
from projects import PROJECTS, Project

pytestmark = [pytest.mark.compile, pytest.mark.slow]
_FLAGS = {"minpack": "debian", "zlib": "lto"}


@pytest.mark.parametrize("project", [project for project in PROJECTS if project.quick], ids=lambda p: p.package)
def test_builds_passes_its_tests_and_has_gradients(project: Project, tmp_path: Path) -> None:
    missing = missing_tools(project)
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed")
    report = build(project, tmp_path, _FLAGS.get(project.package, "O2"))
    assert {"build", "check", *(gradient.program for gradient in project.gradients)} == set(report.seconds)
