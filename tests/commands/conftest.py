"""Commands run as processes in other folders: they use the package that is tested, installed or not."""

from __future__ import annotations

from pathlib import Path

import pytest

import enzyme_build


@pytest.fixture(autouse=True)
def _package(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(enzyme_build.__file__).parents[1]))
