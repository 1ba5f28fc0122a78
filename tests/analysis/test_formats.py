"""What formats of `printf` and `scanf` say."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.formats import may_count, scanned
from enzyme_build.ir.parser import parse_module


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("%lf,%*f;%d %n%f %Lf", [8, 0, None, 4, 10]),
        ("%'lf %5lf %'7g %I*d %*'lf %I3d", [8, 8, 4, 0]),
        ("100%% %[]%f] %[^ f] %le", [0, 0, 8]),
        ("%hhd%lls%jx%zu%td%qd%p%c%a", [0, 0, 0, 0, 0, 0, 0, 0, 4]),
        ("%a %as", None),
        ("no items", []),
        ("%1$lf", None),
        ("%ms", None),
        ("%llf", None),
        ("%w32d", None),
        ("%lf %y", None),
        ("%lf %", None),
    ],
)
def test_bytes_of_numbers_that_are_read(text: str, sizes: list[int | None] | None) -> None:
    assert scanned(text) == sizes


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("%d%n", True),
        ("%hhn", True),
        ("%w32n", True),
        ("%wf8n", True),
        ("%Zn", True),
        ("%%n %d", False),
        ("%5%n", True),
    ],
)
def test_formats_that_count(text: str, *, found: bool) -> None:
    module = parse_module(f'@format = constant [{len(text) + 1} x i8] c"{text}\\00"\n')
    assert may_count(module, module.globals["format"]) is found
