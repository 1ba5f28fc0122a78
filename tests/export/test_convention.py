"""The calling convention of exported derivatives has a number, which must change with the convention."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import pytest

from enzyme_build.differentiate.runtime import CALLING_CONVENTION

if TYPE_CHECKING:
    from conftest import Folder

pytestmark = pytest.mark.compile

# One argument of each kind, results in registers and in memory, with and without tape, a pointer returned.
UNITS = """
struct pair { double a, b; };
double number(double x, int n, float y) { return n * x * x * y; }
double memory(double *x, int n) { double s = x[0]; for (int i = 0; i < n; i++) x[i] = s *= x[i]; return s; }
struct pair both(double *x, struct pair p) { struct pair r = {x[0] * p.a, x[1] * p.b * p.b}; return r; }
double *chosen(double *x, int n) { return x + n; }
"""
DIGESTS = {1: "f2aa4b67a9dc3336", 2: "f2aa4b67a9dc3336", 3: "f2aa4b67a9dc3336"}
"""Of each convention; 2 has longer descriptions, 3 says more by `lasting`. Where this fails, raise CALLING_CONVENTION
and add a line."""


def described(text: str) -> str:
    """Parameters of all exported functions, and where those without tape put their results."""
    names = {"number", "memory", "both", "chosen"}
    functions = re.findall(r"^define (void @ad_export\.\S+\(.*?\)) .*?{\n(.*?)^}", text, re.MULTILINE | re.DOTALL)
    assert {head.partition("(")[0].rpartition(".")[2] for head, _ in functions} == names
    return "\n".join(
        head + (body if "number(" in head or "chosen(" in head else "") for head, body in sorted(functions)
    )


def test_the_number_changes_with_the_convention(folder: Folder) -> None:
    folder.write("units.c", UNITS)
    stages = folder.path / "stages"
    functions = [word for name in ("number", "memory", "both", "chosen") for word in ("--function", name)]
    folder.export("units.c", *functions, "-o", "units.o", ENZYME_SAVE_STAGES=str(stages))
    text = described((stages / "derivatives.ll").read_text())
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[CALLING_CONVENTION], text
