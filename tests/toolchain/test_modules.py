"""Which modules a Fortran source defines and uses, and the order that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.errors import InputError
from enzyme_build.toolchain.modules import in_waves, module_files, module_folders, modules_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return make


@pytest.mark.parametrize(
    ("text", "defined", "used"),
    [
        ("module m\nend module", {"m"}, set()),
        ("  MODULE M ! sums\n", {"m"}, set()),
        ("      module m\r\n      use n\r\n", {"m"}, {"n"}),
        ("use a, only: b\nuse :: c; use, non_intrinsic :: d", set(), {"a", "c", "d"}),
        ("use, intrinsic :: iso_c_binding", set(), set()),
        ("submodule (m) s", {"m:s"}, {"m"}),
        ("submodule(m : s) t", {"m:t"}, {"m:s"}),
        ("module procedure f\nmodule function f(x)\nmodule subroutine s", set(), set()),
        ("! module m\nprint *, 'use n'\nused = 1\nuse = n", set(), set()),
    ],
)
def test_statements(write: Callable[[str, str], Path], text: str, defined: set[str], used: set[str]) -> None:
    found = modules_of(write("s.f90", text))
    assert (found.defined, found.used) == (defined, used)


def test_other_languages_have_no_modules(write: Callable[[str, str], Path]) -> None:
    assert not modules_of(write("s.c", "module m\nuse n\n")).used


def test_definitions_come_before_uses(write: Callable[[str, str], Path]) -> None:
    user = write("user.f90", "use middle\nuse iso_c_binding\nend")
    middle = write("middle.f90", "module middle\nuse base\nend module")
    base = write("base.F90", "module base\nend module")
    other = write("other.c", "")
    assert in_waves([user, middle, base, other]) == [[base, other], [middle], [user]]


def test_a_source_may_use_its_own_module(write: Callable[[str, str], Path]) -> None:
    source = write("all.f90", "module m\nend module\nprogram p\nuse m\nend")
    assert in_waves([source]) == [[source]]


def test_a_cycle_names_the_files(write: Callable[[str, str], Path]) -> None:
    one = write("one.f90", "module a\nuse b\nend module")
    two = write("two.f90", "module b\nuse a\nend module")
    after = write("after.f90", "use a\nend")
    with pytest.raises(InputError) as caught:
        in_waves([after, one, two])
    assert caught.value.notes == (
        f"'{one}' uses module 'b' of '{two}'",
        f"'{two}' uses module 'a' of '{one}'",
    )


def test_files_that_are_read_besides(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    (tmp_path / "mods").mkdir()
    module = write("mods/base.mod", "")
    text, macros = write("sizes.inc", ""), write("mods/macros.h", "")
    source = write("s.F90", "#include \"macros.h\"\nuse base\ninclude 'sizes.inc'\nuse nowhere\n")
    assert module_files(source, [tmp_path / "mods"]) == [macros, text, module]


def test_folders_of_modules() -> None:
    assert [str(path) for path in module_folders(["-J", "a", "-Jb", "-module-dir", "c", "-Id"])] == ["a", "c", "b"]
