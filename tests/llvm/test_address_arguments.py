"""Addresses that functions are given or return as integers."""

from __future__ import annotations

from enzyme_build.llvm import context
from enzyme_build.llvm.address_arguments import with_pointer_arguments

HANDLES = """\
declare ptr @malloc(i64)

define internal noundef i64 @create() {
  %1 = call ptr @malloc(i64 8)
  %2 = ptrtoint ptr %1 to i64
  ret i64 %2
}

define internal double @value(i64 noundef range(i64 1, 0) %0, i64 %i) {
  %2 = and i64 %0, -2
  %3 = inttoptr i64 %2 to ptr
  %4 = getelementptr double, ptr %3, i64 %i
  %5 = load double, ptr %4, align 8
  ret double %5
}

define double @f(i64 %i) {
entry:
  %h = tail call noundef i64 @create()
  %v = call double @value(i64 noundef %h, i64 %i)
  %w = call double @value(i64 noundef 0, i64 %i)
  %s = fadd double %v, %w
  ret double %s
}
"""

ALIGNED = """\
define internal i64 @up(i64 %p, i64 %a) {
  %1 = add i64 %p, -1
  %2 = add i64 %1, %a
  %3 = sub i64 0, %a
  %4 = and i64 %2, %3
  ret i64 %4
}

define double @f(ptr %x) {
  %1 = load i64, ptr %x, align 8
  %2 = call i64 @up(i64 %1, i64 16)
  %3 = inttoptr i64 %2 to ptr
  %4 = load double, ptr %3, align 8
  ret double %4
}
"""


def changed(text: str) -> str:
    context.parse_text(text, "the test")
    result = with_pointer_arguments(text)
    context.parse_text(result, "the result")
    return result


def test_what_becomes_a_pointer_is_passed_as_one() -> None:
    text = changed(HANDLES)
    assert "define internal double @value(ptr %0, i64 %i)" in text
    assert "%address.word.0 = ptrtoint ptr %0 to i64\n  %2 = and i64 %address.word.0, -2" in text
    assert "inttoptr i64 %h to ptr\n  %v = call double @value(ptr %address." in text


def test_what_comes_from_a_pointer_is_returned_as_one() -> None:
    text = changed(HANDLES)
    assert "define internal ptr @create()" in text
    assert "ret ptr %address.returned.0" in text
    assert "%h = ptrtoint ptr %address." in text


def test_a_moved_address_is_told_from_what_moves_it() -> None:
    assert "define internal ptr @up(ptr %p, i64 %a)" in changed(ALIGNED)


def test_functions_that_others_may_call_stay_as_they_are() -> None:
    for other in ("@table = global ptr @up\n" + ALIGNED, ALIGNED.replace("internal ", "")):
        assert changed(other) == other


def test_distances_are_no_addresses() -> None:
    text = ALIGNED.replace("call i64 @up(i64 %1, i64 16)", "add i64 %1, %9").replace(
        "  %1 = load i64", "  %9 = call i64 @up(i64 3, i64 16)\n  %1 = load i64"
    )
    assert "define internal i64 @up(i64 %p, i64 %a)" in with_pointer_arguments(text)


VALUES = """\
define internal i64 @either(ptr %p, double %d, i1 %c) {
  %1 = ptrtoint ptr %p to i64
  %2 = bitcast double %d to i64
  %3 = select i1 %c, i64 %1, i64 %2
  ret i64 %3
}

define internal double @number(i64 %v, i1 %c) {
  br i1 %c, label %a, label %b
a:
  %1 = bitcast i64 %v to double
  ret double %1
b:
  %2 = inttoptr i64 %v to ptr
  %3 = load double, ptr %2, align 8
  ret double %3
}

define internal double @pass(i64 %v, i1 %c) {
  %1 = call double @number(i64 %v, i1 %c)
  ret double %1
}

define double @f(ptr %x, double %d, i1 %c) {
  %1 = call i64 @either(ptr %x, double %d, i1 %c)
  %2 = call double @pass(i64 %1, i1 %c)
  ret double %2
}
"""


def test_what_is_a_number_at_other_times_stays_an_integer() -> None:
    assert changed(VALUES) == VALUES
    addresses = VALUES.replace("bitcast double %d to i64", "fptosi double %d to i64").replace(
        "bitcast i64 %v to double", "uitofp i64 %v to double"
    )
    text = changed(addresses)
    assert "define internal ptr @either(ptr %p, double %d, i1 %c)" in text
    assert "define internal double @pass(ptr %v, i1 %c)" in text
