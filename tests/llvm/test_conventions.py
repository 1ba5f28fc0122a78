"""Calls between compilers that write the same registers in different types."""

from __future__ import annotations

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.conventions import with_matching_calls

PROGRAM = """
target triple = "x86_64-unknown-linux-gnu"
define internal double @callee({parameters}) #0 {{
  ret double 0.0
}}
define double @caller(ptr %p, i64 %n, double %x, <2 x float> %v) {{
  %r = call double @callee({arguments})
  ret double %r
}}
attributes #0 = {{ noinline }}
!llvm.ident = !{{!0{more}}}
!0 = !{{!"clang version 22"}}
!1 = !{{!"rustc version 1.95"}}
"""


def changed(parameters: str, arguments: str, more: str = ", !1") -> str:
    text = PROGRAM.format(parameters=parameters, arguments=arguments, more=more)
    result = with_matching_calls(text)
    parse_text(result, "the program").close()
    return "" if result == text else result


def test_scalars_for_one_struct_of_integers():
    text = changed("{ i64, i64 } %s", "ptr %p, i64 %n")
    assert "call double @enzyme_build.between.0.callee(ptr %p, i64 %n)" in text
    assert "define internal double @enzyme_build.between.0.callee(ptr %a0, i64 %a1) alwaysinline {" in text
    assert "ptrtoint ptr %a0 to i64" in text
    assert "call double @callee({ i64, i64 } %v2)" in text
    assert (
        "noinline" not in text.split("@caller")[0].split("define internal")[1]
    )  # nor a call of integers that are addresses


def test_other_words_for_one_register():
    assert "zext i32 %a1 to i64" in changed("double %a, i64 %n", "double %x, i32 3")
    assert "bitcast <2 x float> %a0 to double" in changed("double %v", "<2 x float> %v")


def test_other_registers_are_left_alone():
    assert not changed("i64 %n", "double %x")
    assert not changed("ptr byval([16 x i8]) %s", "ptr %p, i64 %n")
    assert not changed("i64 %a, i64 %b, i64 %c", "ptr %p, i64 %n")
    assert not changed("{ i64, i64 } %s", "ptr byval([8 x i8]) %p, i64 %n")


def test_what_matches_stays_as_it_is():
    assert not changed("ptr %p, i64 %n", "ptr %p, i64 %n")


def test_one_compiler_agrees_with_itself():
    assert not changed("{ i64, i64 } %s", "ptr %p, i64 %n", more="")
