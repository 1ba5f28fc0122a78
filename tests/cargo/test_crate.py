"""The crate `enzyme-build` by itself: its own tests, with a recording program in place of the command."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import enzyme_build

CRATE = Path(enzyme_build.__file__).parent / "cargo_helper"
ROOT = Path(__file__).parents[2]


def test_unit_tests_and_documentation(make_workspace):
    crate = make_workspace(CRATE)
    said = crate.run("cargo test")
    assert len(re.findall(r"(?m)^test result: ok\. [1-9]\d* passed; 0 failed", said)) == 2
    assert "warning: " not in said
    for tool, words in {"fmt": "--check", "clippy": "--all-targets -- -Dwarnings"}.items():
        if crate.start(f"cargo {tool} --version").returncode == 0:  # a component that not everybody has
            crate.run(f"cargo {tool} {words}")


def test_every_public_method_is_in_the_manual():
    manual = (ROOT / "docs" / "cargo.md").read_text().partition("## Packages")[0]
    for source in ("lib.rs", "gradient.rs"):
        methods = re.findall(r"(?m)^    pub fn (\w+)", (CRATE / "src" / source).read_text())
        assert [name for name in methods if name != "new" and not re.search(rf"\b{name}\b", manual)] == []


def test_versions_agree():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert tomllib.loads((CRATE / "Cargo.toml").read_text())["package"]["version"] == version
