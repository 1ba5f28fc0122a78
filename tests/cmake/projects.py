"""What the tests of CMake projects share."""

from __future__ import annotations

import re
import shutil

import pytest

from tests.support.commands import ROOT, run

MANUAL = (ROOT / "docs" / "cmake.md").read_text()
needs_cmake = pytest.mark.skipif(
    not (shutil.which("cmake") and shutil.which("ninja")), reason="cmake or ninja not found"
)


def built(folder, *words):
    """What a build says that it does."""
    lines = run(["cmake", "--build", "build", "-j", "1", *words], folder).splitlines()
    return [re.sub(r"^\[\d+/\d+\] ", "", line) for line in lines if not line.startswith("ninja: Entering")]


def system_cmake():
    """The system's CMake (Debian's is 3.25), beside which the tests have a new one from PyPI."""
    found = shutil.which("cmake", path="/usr/bin")
    if not found:
        pytest.skip("cmake of the system not found")
    return found
