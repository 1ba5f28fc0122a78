"""Runs every `.ll` below this folder; the language of the files is described in `tests/support/golden.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import golden

HERE = Path(__file__).parent


@pytest.mark.compile
@pytest.mark.parametrize("path", sorted(HERE.rglob("*.ll")), ids=lambda path: str(path.relative_to(HERE)))
def test_golden(path: Path, tmp_path: Path, *, update: bool) -> None:
    case = golden.read_case(path)
    derived, listing, inputs, results = golden.derivative(case)
    (tmp_path / "derived.ll").write_text(derived)
    if update and case.listing is not None:
        golden.write_listing(case, listing)
    elif case.listing is not None:
        assert [line.rstrip() for line in listing.splitlines() if line.strip()] == [
            line.rstrip() for line in case.listing
        ]
    golden.check_lines(case.checks, listing)
    golden.run_values(case, derived, inputs, results, tmp_path)
