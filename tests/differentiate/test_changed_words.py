"""Words that are changed where they may be pointers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from enzyme_build.differentiate.changed_words import (
    changed_words,
    moved_words,
    refuse_merged_pointer,
    refuse_number_of_pointer,
)
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from tests.analysis.models import Model

if TYPE_CHECKING:
    from enzyme_build.differentiate.context import Context

TEXT = """
define internal i64 @g(i64 %given) {
  ret i64 %given
}
define { i64, i64 } @f(ptr %from, ptr %to, i64 %n, i1 %c) {
  %word = load i64, ptr %from
  %sum = add i64 %word, %n
  %chosen = select i1 %c, i64 %sum, i64 0
  %passed = call i64 @g(i64 PASSED)
  %struct = insertvalue { i64, i64 } zeroinitializer, i64 RETURNED, 1
  store i64 STORED, ptr %to
  ret { i64, i64 } %struct
}
"""


def changed(*, stored: str = "%n", passed: str = "%n", returned: str = "%n") -> list[str | None]:
    text = TEXT.replace("STORED", stored).replace("PASSED", passed).replace("RETURNED", returned)
    return [load.name for load in changed_words(Model(text).function)]


@pytest.mark.parametrize(("stored", "expected"), [("%chosen", ["word"]), ("%sum", ["word"]), ("%word", []), ("%n", [])])
def test_words_that_are_changed_and_stored(stored, expected):
    assert changed(stored=stored) == expected


def test_the_value_of_a_word_as_a_number_is_no_address():
    more = "  %value = sitofp i64 %word to double\n  %back = fptosi double %value to i64\n"
    converted = (
        TEXT.replace("  %struct", f"{more}  %struct")
        .replace("STORED", "%n")
        .replace("PASSED", "%n")
        .replace("RETURNED", "%back")
    )
    assert not changed_words(Model(converted).function)


def test_words_that_are_passed_or_returned():
    assert changed(passed="%word") == ["word"]
    assert changed(returned="%word") == ["word"]


def test_changes_show_where_they_are_stored():
    m = Model(TEXT.replace("STORED", "%sum").replace("PASSED", "%n").replace("RETURNED", "%n"))
    ((ends),) = changed_words(m.function).values()
    assert [type(end) for end in ends] == [ir.Store]


LOOP = """
define void @f(ptr %from, ptr %to, i64 %n, i1 %c) {
entry:
  %word = load i64, ptr %from
  br label %loop

loop:
  %one = phi i64 [ %word, %entry ], [ %n, %loop ]
  %sum = add i64 %one, %n
  store i64 %sum, ptr %to
  br i1 %c, label %loop, label %exit

exit:
  ret void
}
"""


def test_what_may_be_another_value_is_looked_at_where_it_is_read():
    ((load, ends),) = changed_words(Model(LOOP).function).items()
    assert (load.name, ends) == ("word", frozenset())


MOVED = """
define double @f(ptr %from, ptr %to) {
  %word = load i64, ptr %from TAG
  store i64 %word, ptr %to
  %p = load ptr, ptr %from
  %v = load double, ptr %from
  %w = load double, ptr %p
  %s = fadd double %v, %w
  ret double %s
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
"""


@pytest.mark.parametrize(("tag", "expected"), [("", {"word"}), (", !tbaa !0", set())])
def test_words_that_may_be_pointers_or_numbers(tag, expected):
    m = Model(MOVED.replace(" TAG", tag))
    assert {load.name for load in moved_words(m.function, m.memory)} == expected


MOVED_AS_NUMBER = """
define double @f(ptr %from, ptr %to) {
  %word = load double, ptr %from TAG
  store double %word, ptr %to
  %p = load ptr, ptr %from
  %w = load double, ptr %p
  ret double %w
}
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
"""


@pytest.mark.parametrize(("tag", "expected"), [("", {"word"}), (", !tbaa !0", set())])
def test_numbers_that_may_be_pointers(tag, expected):
    m = Model(MOVED_AS_NUMBER.replace(" TAG", tag))
    assert {load.name for load in moved_words(m.function, m.memory)} == expected


def test_numbers_where_no_pointer_is():
    m = Model(MOVED_AS_NUMBER.replace(" TAG", "").replace("load ptr, ptr %from", "load ptr, ptr %to"))
    assert not moved_words(m.function, m.memory)


MERGED = """
define void @f(ptr %x, ptr %to, i64 %n, i1 %c) {
  %word = ptrtoint ptr %x to i64
  %either = select i1 %c, i64 %word, i64 %n
  store i64 %either, ptr %to
  ret void
}
"""


def test_pointers_that_are_stored_as_integers_are_refused():
    m = Model(MERGED)
    (store,) = (i for i in m.function.instructions() if isinstance(i, ir.Store))
    context = cast("Context", SimpleNamespace(location=lambda _: None))
    with pytest.raises(UnsupportedError, match="a pointer is moved as an integer"):
        refuse_merged_pointer(context, store)


NUMBER = """
define double @f(ptr %x, ptr %y, i1 %c) {
  %p = select i1 %c, ptr %x, ptr %y
  %word = ptrtoint ptr %p to i64
  %number = bitcast i64 %word to double
  %other = fadd double %number, 1.0
  ret double %other
}
"""


@pytest.mark.parametrize(("shadows", "used"), [(True, True), (False, True), (True, False)])
def test_numbers_that_went_through_pointers_with_shadows_are_refused(shadows, used):
    m = Model(NUMBER)
    (cast_,) = (i for i in m.function.instructions() if isinstance(i, ir.Cast) and i.op == "bitcast")
    activity = SimpleNamespace(is_active=lambda _: False, has_shadow=lambda _: shadows)
    facts = SimpleNamespace(users={cast_: [cast_]} if used else {})
    context = cast("Context", SimpleNamespace(location=lambda _: None, activity=activity, facts=facts))
    if shadows and used:
        with pytest.raises(UnsupportedError, match="a number is moved as a pointer"):
            refuse_number_of_pointer(context, cast_)
    else:
        refuse_number_of_pointer(context, cast_)
