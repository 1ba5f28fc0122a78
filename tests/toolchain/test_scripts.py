"""Linker scripts that stand for libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.toolchain.arguments import Argument, Kind
from enzyme_build.toolchain.scripts import opened

if TYPE_CHECKING:
    from pathlib import Path


def test_the_files_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "libg.a").write_text("")
    script = tmp_path / "libx.so"
    script.write_text(
        '/* GNU ld script */\nOUTPUT_FORMAT(elf64-x86-64)\nGROUP ( libg.a -lm AS_NEEDED ( "nowhere.so" ) )'
    )
    found = opened(Argument(Kind.INPUT, ("-lx",), whole=True), script, [])
    assert found is not None
    assert [one.text for one in found] == [
        "--start-group",
        str(tmp_path / "libg.a"),
        "-lm",
        "--push-state",
        "--as-needed",
        "-l:nowhere.so",
        "--pop-state",
        "--end-group",
    ]
    assert all(one.whole and one.group for one in found if one.kind is Kind.INPUT)


@pytest.mark.parametrize("text", ["SECTIONS { .text : { *(.text) } }", "INPUT(a.o)\nENTRY(main)", "no script"])
def test_what_does_more_is_left_alone(tmp_path: Path, text: str) -> None:
    script = tmp_path / "x.ld"
    script.write_text(text)
    assert opened(Argument(Kind.INPUT, (str(script),)), script, []) is None
