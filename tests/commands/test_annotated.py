"""Sizes as texts and numbers, and places as lines of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from enzyme_build.commands.annotated import Line, Sizes, SourceFile, Sources, bracketed, readable
from enzyme_build.differentiate.report import Frame, FunctionPlan


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("n", 10), ("n - 1", 9), ("2*n + 3", 23), ("max(n, 20) - 1", 19), ("min(n, 3)", 3), ("(n + 7)//8", 2),
        ("n*(m - 1)", 310), ("3 - n", 0), ("-n + 12", 2), (None, 32),
    ],
)  # fmt: skip
def test_numbers_of_texts(text, number):
    """Names without a number count as what the planner assumes, 32."""
    assert Sizes({"n": 10}).number(text) == number


def test_names_of_sizes_may_be_words_of_python():
    assert Sizes({"in": 10, "lambda": 2, "None": 3}).number("(in - 1)*max(lambda, None) + is") == 9 * 3 + 32


@pytest.mark.parametrize(
    ("text", "factor"),
    [("n", "n"), ("n - 1", "(n - 1)"), ("max(n - 1, 1)", "max(n - 1, 1)"), ("2*n", "2·n"), ("n//2", "(n / 2)")],
)
def test_factors(text, factor):
    assert bracketed(text) == factor


def test_long_names_lose_what_templates_are_given():
    assert readable("the result of _Z4cubed") == "the result of cube(double)"
    nested = "_ZNK5Eigen9DenseBaseINS_6MatrixIdLin1ELi1ELi0ELin1ELi1EEEE3sumEv"
    assert readable(nested) == "Eigen::DenseBase<…>::sum(…) const"


@pytest.fixture
def plan():
    return FunctionPlan(0, "f", "f", "reverse mode", True, False, (Frame("src/f.c", 3, 0, "f"),), (), "out")


@pytest.mark.parametrize(
    ("files", "own"),
    [
        (["src/f.c"], "src/f.c"),
        (["vector", "src/f.c"], "src/f.c"),
        (["./given.h", "src/f.c"], "./given.h"),
        (["/usr/include/math.h", "other.h"], "other.h"),
        (["/usr/include/a.h", "/usr/include/b.h"], "/usr/include/b.h"),
    ],
)
def test_the_innermost_place_of_ones_own(plan, files, own):
    chain = tuple(Frame(file, 1) for file in files)
    found = Sources([Path("given.h")]).frame(chain, plan)
    assert found is not None
    assert found.file == own


def test_no_place(plan):
    assert Sources([]).frame((), plan) is None


def test_files_are_looked_for_beside_the_inputs(tmp_path):
    (tmp_path / "beside.h").write_text("a\nb\n")
    assert Sources([tmp_path / "f.c"]).text("beside.h") == ["a", "b"]
    assert Sources([tmp_path / "f.c"]).text("missing.h") is None
    (tmp_path / "solver.f90").write_bytes(b"\x7fELF\0\0program")
    assert Sources([tmp_path / "f.c"]).text("solver.f90") is None


def test_stretches_of_lines_with_something_to_say():
    file = SourceFile("f.c", [""] * 40, {3: Line(), 6: Line(), 20: Line(), 40: Line()})
    assert file.shown() == [list(range(1, 9)), list(range(18, 23)), list(range(38, 41))]
    assert SourceFile("gone.c", None, {3: Line(), 9: Line()}).shown() == [[3], [9]]
