"""Rules named in sources and in the headers of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from enzyme_build import headers
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


def test_headers_that_include_each_other_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, other in (("a", "b"), ("b", "a")):
        Path(name).mkdir()
        Path(name, f"{name}.h").write_text(f'#include "../{other}/{other}.h"\n#include "{name}.h"\n')
    Path("f.c").write_text('#include "a/a.h"\n#include "b/b.h"\n')
    assert len(list(headers.texts(["f.c"], []))) == 3


def test_a_link_to_a_header_has_neighbours_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, text in (("plain", "\n"), ("rules", VARIABLE)):
        Path(folder).mkdir()
        Path(folder, "neighbour.h").write_text(text)
    Path("plain/first.h").write_text('#include "neighbour.h"\n')
    Path("rules/first.h").symlink_to("../plain/first.h")
    Path("f.c").write_text('#include "plain/first.h"\n#include "rules/first.h"\n')
    assert rules_named([Path("f.c")], []) == RulesNamed(variables=True)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('#include "x.h" // y', [("x.h", True)]),
        ("\t# \tinclude\t<a/x.h>\n#include<y.h>", [("a/x.h", False), ("y.h", False)]),
        ('#include_next "x.h"\nint include; // #include "y.h"\n#include MACRO\n#include ""\n#include "x', []),
    ],
)
def test_what_a_text_includes(text: str, names: list[tuple[str, bool]]) -> None:
    assert list(headers.includes(text.encode())) == names


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
