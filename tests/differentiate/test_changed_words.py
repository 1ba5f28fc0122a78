"""Words that are changed where they may be pointers."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.changed_words import changed_words
from tests.analysis.models import Model

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


def test_words_that_are_passed_or_returned():
    assert changed(passed="%word") == ["word"]
    assert changed(returned="%word") == ["word"]
