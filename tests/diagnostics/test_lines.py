"""Messages about what is missing on a command line."""

from __future__ import annotations

import subprocess  # noqa: TID251 - the driver is started as a user does
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """
double elsewhere(double);
double __enzyme_autodiff(void *, double);
int main(void) { return __enzyme_autodiff((void *)elsewhere, 2.0) > 0; }
"""


def test_libraries_that_nobody_finds_are_named_where_a_function_is_missing(tmp_path: Path) -> None:
    (tmp_path / "asks.c").write_text(SOURCE)
    entry = "import sys; from enzyme_build.drivers import cc; sys.exit(cc())"
    said = []
    for words in (["-lnosuch", "-lm"], ["-lm"]):
        command = [sys.executable, "-c", entry, "asks.c", *words, "-o", "asks"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 1
        said.append(done.stderr)
    assert "[E0309]\n  note: no library for '-lnosuch' was found\n  hint" in said[0]
    assert "[E0309]\n  hint" in said[1]
    assert not (tmp_path / "asks").exists()
