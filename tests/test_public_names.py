"""The public names of the package, and what importing it costs."""

from __future__ import annotations

import subprocess  # noqa: TID251 - a fresh interpreter knows what an import brings along
import sys
from pathlib import Path

import pytest

import enzyme_build


@pytest.mark.parametrize("name", enzyme_build.__all__)
def test_each_name_is_there(name: str) -> None:
    assert getattr(enzyme_build, name).__name__.rpartition(".")[2] == name


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="module 'enzyme_build' has no attribute 'gradient'"):
        enzyme_build.gradient  # noqa: B018


@pytest.mark.parametrize(
    ("module", "kept_out"),
    [("enzyme_build", "dataclasses"), ("enzyme_build.drivers", "numpy scipy llvmlite click jinja2 rich")],
)
def test_imports_stay_few(module: str, kept_out: str) -> None:
    code = f"import sys, {module}; print(*sorted(set({kept_out.split()}) & set(sys.modules)))"
    folder = str(Path(enzyme_build.__file__).parents[1])
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.append({folder!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
