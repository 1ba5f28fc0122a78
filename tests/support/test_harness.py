"""The harness notices a wrong derivative: checked with hand-written stand-ins for what the link step generates."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parent

FAULTS = {
    "": None,
    "FAULT_ASSIGN": "gradient accumulated over two calls",
    "FAULT_SMALL": "reverse gradient[0]",
    "FAULT_CLOBBER": "reverse mode leaves x[",
    "FAULT_LEAK": "reverse mode leaks",
    "FAULT_OVERRUN": "behind the end of the shadow",
    "FAULT_FORWARD": "by forward mode",
}


@pytest.mark.compile
@pytest.mark.parametrize("fault", FAULTS)
def test_harness_notices(fault: str, tmp_path: Path) -> None:
    program = tmp_path / "program"
    sources = [str(SUPPORT / name) for name in ("harness.c", "shape_array.c", "fake_derivatives.c")]
    define = ["-DREVERSE", "-DFORWARD", *([f"-D{fault}"] if fault else [])]
    subprocess.run(
        [shutil.which("clang-22") or "clang", "-O1", *define, *sources, "-lm", "-o", str(program)], check=True
    )
    ran = subprocess.run([str(program), "n=5"], capture_output=True, text=True, check=False)
    expected = FAULTS[fault]
    if expected is None:
        assert (ran.returncode, ran.stdout) == (0, "")
    else:
        assert ran.returncode == 1
        assert expected in ran.stdout
