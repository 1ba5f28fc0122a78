"""Accesses at addresses that are counted by a choice among constants lead to the bytes between, and to no others."""

import pytest

from enzyme_build.analysis.spans import ANYWHERE, Span

from .models import Model


def model(code: str) -> Model:
    return Model(f"define void @f(ptr %p, i1 %c, i64 %i) {{\n{code}\n  ret void\n}}")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("%k = select i1 %c, i64 24, i64 16\n  %at = getelementptr i8, ptr %p, i64 %k", Span(16, 32)),
        ("%k = zext i1 %c to i64\n  %q = getelementptr i8, ptr %p, i64 8\n  %at = getelementptr ptr, ptr %q, i64 %k",
         Span(8, 24)),
        ("%m = zext i1 %c to i64\n  %k = select i1 %c, i64 8, i64 %m\n  %at = getelementptr i8, ptr %p, i64 %k",
         Span(0, 16)),
        ("%k = select i1 %c, i64 %i, i64 16\n  %at = getelementptr i8, ptr %p, i64 %k", ANYWHERE),
    ],
)  # fmt: skip
def test_a_choice_among_constants_bounds_an_access(code: str, expected: Span) -> None:
    assert model(f"  {code}\n  store ptr null, ptr %at").place("at").span == expected


@pytest.mark.parametrize(
    "use",
    [
        "%on = getelementptr i8, ptr %at, i64 8\n  store ptr null, ptr %on",
        "%all = load [4 x i64], ptr %p\n  store ptr %at, ptr %p",
        "call void @llvm.memset.p0.i64(ptr %at, i8 0, i64 64, i1 false)",
    ],
)
def test_nothing_is_told_of_pointers_that_others_than_accesses_use(use: str) -> None:
    chosen = "  %k = select i1 %c, i64 24, i64 16\n  %at = getelementptr i8, ptr %p, i64 %k"
    code = f"{chosen}\n  store ptr null, ptr %at\n  {use}"
    m = Model(
        f"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndefine void @f(ptr %p, i1 %c) {{\n{code}\n  ret void\n}}"
    )
    assert m.place("at").span is ANYWHERE


def test_the_links_of_a_tree_do_not_lead_to_what_its_nodes_hold() -> None:
    """libstdc++'s search in a map: the parent is 8, the links are 16 and 24 bytes behind a node, its value 40."""
    m = model("""
  %k = select i1 %c, i64 24, i64 16
  %at = getelementptr i8, ptr %p, i64 %k
  %next = load ptr, ptr %at
  %value = getelementptr i8, ptr %p, i64 40
  %numbers = load ptr, ptr %value
  %left = getelementptr i8, ptr %p, i64 16
  %first = load ptr, ptr %left""")
    assert m.place("next").region is m.place("first").region
    assert m.place("next").region is not m.place("numbers").region
