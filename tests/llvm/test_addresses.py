"""Addresses that are integers for a moment."""

from __future__ import annotations

from enzyme_build.llvm import context
from enzyme_build.llvm.addresses import with_pointers

TEXT = """define double @f(ptr %0, i1 %1, i1 %2) {{
  br i1 %1, label %4, label %6

4:
  %5 = ptrtoint ptr %0 to i64
  br label %6

6:
  %7 = phi i64 [ %5, %4 ], [ 8, %3 ]
  {first}
  br i1 %2, label %9, label %11

9:
  %10 = add i64 0, {added}
  br label %11

11:
  %12 = phi i64 [ %7, %6 ], [ {other}, %9 ]
  %13 = inttoptr i64 %12 to ptr
  %14 = load double, ptr %13, align 8
  ret double %14
}}
"""


def text(first: str = "%8 = inttoptr i64 %7 to ptr", added: str = "1", other: str = "0") -> str:
    return TEXT.format(first=first, added=added, other=other)


def test_phis_of_addresses_and_constants_become_phis_of_pointers() -> None:
    changed = with_pointers(text())
    context.parse_text(changed, "the test")
    assert "%7 = phi ptr [ %0, %4 ], [ inttoptr (i64 8 to ptr), %3 ]" in changed
    assert "%8 = getelementptr i8, ptr %7, i64 0" in changed
    assert "%12 = phi ptr [ %7, %6 ], [ null, %9 ]" in changed
    assert "%13 = getelementptr i8, ptr %12, i64 0" in changed


def test_an_integer_that_is_none_of_them_keeps_all_integers() -> None:
    context.parse_text(text(other="%10"), "the test")
    changed = with_pointers(text(other="%10"))
    assert "%12 = phi i64 [ %as_integer.7, %6 ], [ %10, %9 ]" in changed
    assert "%13 = inttoptr i64 %12 to ptr" in changed
    context.parse_text(changed, "the result")


def test_constant_expressions_stay_integers() -> None:
    given = "@g = global i64 0\n" + text(other="ptrtoint (ptr @g to i64)")
    changed = with_pointers(given)
    assert "%12 = phi i64 [ %as_integer.7, %6 ], [ ptrtoint (ptr @g to i64), %9 ]" in changed
    context.parse_text(changed, "the result")


def test_integers_are_made_of_the_pointers_where_they_are_used() -> None:
    changed = with_pointers(text(first="%8 = add i64 %7, 1", added="%7"))
    context.parse_text(changed, "the result")
    assert "  %as_integer.7 = ptrtoint ptr %7 to i64\n  %8 = add i64 %as_integer.7, 1" in changed
    assert "%10 = add i64 0, %as_integer.7" in changed


def test_without_any_address_nothing_changes() -> None:
    plain = text().replace("%5 = ptrtoint ptr %0 to i64", "%5 = add i64 16, 0")
    assert with_pointers(plain) == plain
