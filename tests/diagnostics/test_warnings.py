"""Warnings of the pass: what is probably not meant, in classes as a compiler's."""

from __future__ import annotations

import re
import subprocess  # noqa: TID251 - the driver is started as a user does
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

DRIVER = [sys.executable, "-c", "import sys; from enzyme_build.drivers import cc; sys.exit(cc())"]

PROGRAM = """extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double f(const double *x, double *log, const double *unused, double a)
{
    log[0] = x[0] * a;
    double t = x[1] == 0.0 ? 1.0 : x[0] / x[1];
    return t * a + (int)(x[0] * 3.0);
}
double g(const double *x, double b)
{
    return x[0];
}
int main(void)
{
    double x[2] = {1, 2}, bar[2] = {0}, log[1], u[2], v[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, log, enzyme_dup, u, v, enzyme_const, 1.0);
    return __enzyme_autodiff((void *)g, enzyme_const, x, 2.0) > 1.0;
}
"""


def warned(folder: Path, options: str) -> tuple[int, list[str]]:
    """The exit code, and class and line of each warning or error."""
    (folder / "w.c").write_text(PROGRAM)
    command = [*DRIVER, "-O2", "-g", *options.split(), "w.c", "-o", "w"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    found = re.findall(r"w\.c:(\d+):\d+: (warning|error): .* \[-Wenzyme-([a-z-]+)\]", done.stderr)
    return done.returncode, [f"{kind} {name} {line}" for line, kind, name in found]


DEFAULT = ["warning inactive-argument 16", "warning constant-output 16", "warning inactive-argument 17"]


@pytest.mark.compile
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", DEFAULT),
        ("-Wno-enzyme", []),
        ("-Wno-enzyme-inactive-argument", DEFAULT[1:2]),
        ("-Wno-enzyme -Wenzyme-rounding", ["warning rounding 7"]),
        ("-Wno-enzyme -Wenzyme-all -Wno-enzyme-inactive-argument -Wno-enzyme-constant-output",
         ["warning equality 6", "warning rounding 7"]),
    ],
)  # fmt: skip
def test_classes(tmp_path: Path, options: str, expected: list[str]) -> None:
    code, found = warned(tmp_path, options)
    assert code == 0
    assert sorted(found) == sorted(expected)


@pytest.mark.compile
def test_made_an_error(tmp_path: Path) -> None:
    code, found = warned(tmp_path, "-Wno-enzyme -Werror=enzyme-constant-output")
    assert code == 1
    assert found == ["error constant-output 16"]
    assert not (tmp_path / "w").exists()
