"""Calls of functions that are defined with other parameters: which of them the optimiser may mend."""

from __future__ import annotations

import pytest

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.other_parameters import with_other_calls_kept

PROGRAM = """
define internal double @{name}({parameters}) local_unnamed_addr #0 !dbg !5 {{
  {body}
  ret double %x
}}
define double @caller(ptr %p, i64 %n, i32 %i, double %x) {{
  %r = {call}
  {after}
  ret double %x
}}
attributes #0 = {{ noinline }}
!llvm.module.flags = !{{!0}}
!llvm.dbg.cu = !{{!1}}
!0 = !{{i32 2, !"Debug Info Version", i32 3}}
!1 = distinct !DICompileUnit(language: DW_LANG_{language}, file: !2, isOptimized: false, emissionKind: FullDebug)
!2 = !DIFile(filename: "a", directory: "/")
!3 = !DISubroutineType(types: !4)
!4 = !{{null}}
!5 = distinct !DISubprogram(name: "callee", scope: !2, file: !2, type: !3, spFlags: DISPFlagDefinition, unit: !1)
"""
READ = "%used = insertvalue { i64, double } poison, double %k, 1"


def is_kept(
    parameters: str, call: str, body: str = "", after: str = "", name: str = "callee", language: str = "C11"
) -> bool:
    text = PROGRAM.format(parameters=parameters, call=call, body=body, after=after, name=name, language=language)
    result = with_other_calls_kept(text)
    parse_text(result, "the program").close()
    assert result in {text, text.replace("local_unnamed_addr #0", 'local_unnamed_addr "thunk" #0')}
    return result != text


@pytest.mark.parametrize(
    ("parameters", "call", "body"),
    [
        ("double %x, double %k, i32 %n", "call double @callee(double %x, i64 3)", READ),
        ("double %x, double %k", "call double @callee(double %x, i64 %n)", READ),
        ("double %x, double %k", "call double (double, i64, ...) @callee(double %x, i64 %n)", READ),
        ("double %x, double %k", "call double (double, ...) @callee(double %x, i64 %n)", READ),
        ("double %x, double %k", "call double (...) @callee(double %x)", READ),
        ("double %x, double %k", "call double @callee(double %x)", READ),
        ("double %x, double %k", "call double @callee(double %x)",
         "%v = alloca double\n  store double %k, ptr %v\n  %l = load double, ptr %v"),
        ("ptr %p, double %x, i64 %k", "call double @callee(ptr %p, double %x)",
         "%v = alloca i64\n  store i64 %k, ptr %v\n  %l = load i64, ptr %v"),
        ("double %x, float %k", "call double @callee(double %x, i32 1)", ""),
        ("double %x, <2 x float> %k", "call double @callee(double %x, ptr readonly captures(none) %p)", ""),
    ],
)  # fmt: skip
def test_arguments_in_other_registers_and_missing_ones_stay(parameters: str, call: str, body: str) -> None:
    assert is_kept(parameters, call, body)


@pytest.mark.parametrize(
    ("parameters", "call", "body"),
    [
        ("double %x, i64 %n", "call double @callee(double %x, i64 %n)", ""),
        ("double %x, i64 %n", "call double @callee(double noundef %x, ptr readonly captures(none) %p)", ""),
        ("double %x, <2 x float> %k", "call double @callee(double %x, double %x)", ""),
        ("double %x", "call double @callee(double %x, i64 %n, double %x)", ""),
        ("double %x", "call double (double, ...) @callee(double %x)", ""),
        ("double %x, i64 %n", "call double (...) @callee(double %x, i64 %n)", ""),
        ("double %x, double %k, i32 %n", "call double @callee(double %x)", ""),
        ("double %x, double %k", "call double @callee(double %x)", "%v = alloca double\n  store double %k, ptr %v"),
        ("double %x, ...", "call double @callee(double %x, i64 %n)", ""),
    ],
)
def test_arguments_that_are_the_same_in_registers_and_unread_ones(parameters: str, call: str, body: str) -> None:
    assert not is_kept(parameters, call, body)


def test_results() -> None:
    assert is_kept("double %x", "call i64 @callee(double %x)", after="store i64 %r, ptr %p")
    assert not is_kept("double %x", "call i64 @callee(double %x)")


def test_lengths_of_texts_in_fortran() -> None:
    parameters, call = "double %x, ptr %how, i64 %k", "call double @callee_(double %x, ptr %p)"
    body = "%used = add i64 %k, 1"
    assert not is_kept(parameters, call, body, name="callee_", language="Fortran95")
    assert is_kept(parameters, call, body, name="callee_")
    assert is_kept(parameters, call.replace("callee_", "callee"), body, language="Fortran95")


def test_names_that_have_their_parameters_in_them() -> None:
    call = "call double @_Z6calleed(double %x, i64 %n)"
    assert not is_kept("double %x, double %k", call, READ, name="_Z6calleed")
