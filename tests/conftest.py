"""What all tests share: the option `--update` of golden tests, and what a missing tool means.

Without a tool its tests are skipped by name; in CI, where every tool is there, such a skip is a failure.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

IN_CI = bool(os.environ.get("CI"))  # noqa: TID251
os.environ["ENZYME_CACHE_SIZE"] = "0"  # noqa: TID251 - links are done, not found: they are what is tested
MISSING = re.compile(r"not (installed|found)|no \w+ was found|could not import")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the expected texts of golden tests anew")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if shutil.which("clang-22") or shutil.which("clang"):
        return
    for item in items:
        if item.get_closest_marker("compile"):
            item.add_marker(pytest.mark.skip(reason="no clang was found"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_missing_tools(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_missing_tools(report)
    return report


def _refuse_missing_tools(report: pytest.TestReport | pytest.CollectReport) -> None:
    if IN_CI and report.outcome == "skipped" and MISSING.search(str(report.longrepr)):
        report.outcome = "failed"
        report.longrepr = f"in CI a missing tool is a failure: {report.longrepr}"
