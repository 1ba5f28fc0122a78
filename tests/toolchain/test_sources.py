"""Rules named in sources and in the headers of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from enzyme_build.toolchain.sources import RulesNamed, include_folders, keep_rules, rules_named

VARIABLE = "static void *__enzyme_register_gradient_f[3] = {f, g, h};\n"
ATTRIBUTE = '__attribute__((enzyme ("gradient", g))) double f(double);\n'


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("double f(double x) { return x; }\n", RulesNamed()),
        ("double y = __enzyme_autodiff(f, 1.0);\n", RulesNamed()),
        (VARIABLE, RulesNamed(variables=True)),
        (ATTRIBUTE, RulesNamed(attributes=True)),
        (VARIABLE + ATTRIBUTE, RulesNamed(variables=True, attributes=True)),
    ],
)
def test_a_source_says_what_rules_it_names(tmp_path: Path, text: str, want: RulesNamed) -> None:
    (tmp_path / "f.c").write_text(text)
    assert rules_named([tmp_path / "f.c"], []) == want


@pytest.mark.parametrize(
    ("include", "flags"),
    [
        ('#include "lib/rules.h"', []),
        ("  #  include <rules.h>", ["-Ilib"]),
        ('#include "rules.h"', ["-I", "lib"]),
        ("", ["-include", "lib/rules.h"]),
    ],
)
def test_headers_are_looked_at_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, include: str, flags: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lib").mkdir()
    Path("lib/rules.h").write_text('#include "deeper.h"\n#include "rules.h"\n')
    Path("lib/deeper.h").write_text(VARIABLE)
    Path("f.c").write_text(f"{include}\n#include <nowhere.h>\n")
    assert rules_named([Path("f.c")], flags) == RulesNamed(variables=True)


def test_sources_that_cannot_be_read_name_nothing(tmp_path: Path) -> None:
    assert rules_named([tmp_path / "missing.c"], []) == RulesNamed()


@pytest.mark.parametrize(
    ("text", "assembly"),
    [
        ("declare !enzyme_gradient !0 double @f(double)\n", True),
        ('attributes #0 = { "enzyme_math"="sin" }\n', True),
        ("declare double @__enzyme_autodiff(ptr, ...)\n", False),
        ("declare double @f(double) ; no enzyme here\n", False),
    ],
)
def test_assembly_with_rules_is_not_optimised_before_the_link(tmp_path: Path, text: str, *, assembly: bool) -> None:
    (tmp_path / "f.ll").write_text(text)
    named = rules_named([tmp_path / "f.ll"], [])
    assert named == RulesNamed(assembly=assembly)
    assert ("-O0" in keep_rules(22, named)) == assembly


def test_include_folders_are_those_of_all_options() -> None:
    flags = ["-Ia", "-I", "b", "-isystem", "c", "-O2", "-iquoted", "-DX=-Ie"]
    assert include_folders(flags) == [Path("a"), Path("b"), Path("c"), Path("d")]


@pytest.mark.parametrize(("major", "count"), [(17, 0), (18, 1), (22, 1)])
def test_variables_are_kept_by_compilers_that_know_how(major: int, count: int) -> None:
    assert len(keep_rules(major, RulesNamed(variables=True))) == count
    assert keep_rules(major, RulesNamed(attributes=True)) == []
