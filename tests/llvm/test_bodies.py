"""Copies of what derivatives reach of a library that is linked as machine code."""

from __future__ import annotations

import re

import pytest

from enzyme_build.llvm.bodies import Library, with_bodies
from enzyme_build.llvm.context import parse_text

PROGRAM = """
declare double @outer(double)
declare double @unreached(double)
declare void @__enzyme_autodiff(ptr, ...)
define double @f(double %x) {
  %r = call double @outer(double %x)
  ret double %r
}
define double @elsewhere(double %x) {
  %r = call double @unreached(double %x)
  ret double %r
}
define i32 @main() {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double 1.0)
  ret i32 0
}
"""
FIRST = """
@table = private constant [2 x double] [double 1.0, double 2.0]
@count = internal global i32 0
declare double @inner(double)
declare void @abort()
define hidden double @outer(double %x) {
  %k = load double, ptr @table, align 8
  %y = call double @own(double %k)
  %z = call double @inner(double %y)
  call void @counted()
  ret double %z
}
define internal double @own(double %x) {
  %y = fmul double %x, 2.0
  ret double %y
}
define void @counted() {
  %n = load i32, ptr @count, align 4
  %more = add i32 %n, 1
  store i32 %more, ptr @count, align 4
  ret void
}
define double @unreached(double %x) {
  ret double %x
}
"""
SECOND = """
define double @inner(double %x) {
  %y = fadd double %x, 1.0
  ret double %y
}
define void @abort() {
  ret void
}
"""


def library(name: str, text: str) -> Library:
    defined = frozenset(re.findall(r"(?m)^define (?!internal)[^@]*@(\w+)", text))
    return Library(name, defined, bytes(parse_text(text, name).as_bitcode()))


def heads(program: str, *libraries: str) -> dict[str, str]:
    """What stands in front of the name of each function of the module."""
    made = with_bodies(program, [library(f"part{n}", text) for n, text in enumerate(libraries)])
    parse_text(made, "the module with bodies")
    return {name: head.strip() for head, name in re.findall(r"(?m)^((?:define|declare) [^@]*)@(\w+)", made)}


@pytest.mark.parametrize("request_", ["__enzyme_autodiff", "_Z17__enzyme_autodiffIvJPdS0_EET_PvDpT0_"])
def test_what_a_derivative_reaches_is_copied_across_parts(request_: str) -> None:
    """A C++ template asks by a longer name."""
    found = heads(PROGRAM.replace("__enzyme_autodiff", request_), FIRST, SECOND)
    assert {found[name] for name in ("outer", "own", "inner")} == {"define internal double"}


def test_what_no_derivative_reaches_stays_a_call() -> None:
    assert heads(PROGRAM, FIRST, SECOND)["unreached"] == "declare double"


def test_a_function_with_a_variable_of_its_own_stays_in_the_library() -> None:
    assert heads(PROGRAM, FIRST, SECOND)["counted"] == "declare void"


def test_a_caller_that_cannot_do_without_the_variable_stays_too() -> None:
    hidden = FIRST.replace("define void @counted", "define internal void @counted")
    found = heads(PROGRAM, hidden, SECOND)
    assert found["outer"] == "declare double"
    assert "inner" not in found


def test_what_is_known_by_name_stays_a_call() -> None:
    program = PROGRAM.replace("double @outer(double)", "void @abort()", 1).replace(
        "%r = call double @outer(double %x)\n  ret double %r", "call void @abort()\n  ret double %x"
    )
    assert heads(program, FIRST, SECOND)["abort"] == "declare void"


def test_the_programs_own_functions_stay_visible() -> None:
    assert heads(PROGRAM, FIRST, SECOND)["f"] == "define double"


def test_without_a_request_nothing_changes() -> None:
    program = PROGRAM.replace("__enzyme_", "other_")
    assert with_bodies(program, [library("part", FIRST)]) == program
