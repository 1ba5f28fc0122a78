"""What all tests share: the option `--update` of golden tests, and skipping by name where no compiler is."""

from __future__ import annotations

import os
import shutil

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the expected texts of golden tests anew")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip by name where no compiler is; in CI that is a failure like any other."""
    if shutil.which("clang-22") or shutil.which("clang") or os.environ.get("CI"):  # noqa: TID251
        return
    for item in items:
        if item.get_closest_marker("compile"):
            item.add_marker(pytest.mark.skip(reason="no clang was found"))
