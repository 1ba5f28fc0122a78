"""Calls between compilers that write the same registers in different types."""

from __future__ import annotations

import pytest

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.conventions import with_declared_types, with_matching_calls

PROGRAM = """
target triple = "x86_64-unknown-linux-gnu"
define internal void @callee({parameters}) #0 {{
  ret void
}}
define void @caller(ptr %p, i64 %n, double %x, <2 x float> %v) {{
  call void @callee({arguments})
  ret void
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
    assert "call void @enzyme_build.between.0.callee(ptr %p, i64 %n)" in text
    assert "define internal void @enzyme_build.between.0.callee(ptr %a0, i64 %a1) alwaysinline {" in text
    assert "ptrtoint ptr %a0 to i64" in text
    assert "call void @callee({ i64, i64 } %v2)" in text
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


def test_structs_in_memory_beside_those_in_registers():
    text = changed(
        "ptr noalias sret([16 x i8]) %r, { i64, i64 } %s", "ptr sret({ i64, i64 }) align 8 %p, ptr %p, i64 %n"
    )
    assert "@enzyme_build.between.0.callee(ptr sret({ i64, i64 }) align 8 %p, ptr %p, i64 %n)" in text
    assert "callee(ptr sret({ i64, i64 }) align 8 %a0, ptr %a1, i64 %a2) alwaysinline {" in text
    assert "call void @callee(ptr sret([16 x i8]) %a0, { i64, i64 } %v2)" in text
    copied = "ptr byval([24 x i8]) align 8"
    text = changed(f"{copied} %b, {', '.join(f'i64 %n{at}' for at in range(4))}, {{ i64, i64 }} %s",
                   f"{copied} %p, {', '.join(['i64 %n'] * 4)}, ptr %p, i64 %n")  # fmt: skip
    assert f"call void @callee({copied} %a0, " in text


@pytest.mark.parametrize(
    ("parameter", "argument"),
    [
        ("ptr byval([24 x i8]) align 8", "ptr"),
        ("ptr byval([24 x i8]) align 8", "ptr byval([24 x i8]) align 16"),
        ("ptr byval([24 x i8]) align 8", "ptr byval([32 x i8]) align 8"),
        ("ptr sret([24 x i8])", "ptr byval([24 x i8])"),
        ("ptr sret([24 x i8])", "ptr sret([32 x i8])"),
        ("ptr inreg", "ptr inreg"),
    ],
)
def test_other_structs_in_memory_are_left_alone(parameter: str, argument: str):
    assert not changed(f"{parameter} %b, {{ i64, i64 }} %s", f"{argument} %p, ptr %p, i64 %n")


def test_what_matches_stays_as_it_is():
    assert not changed("ptr %p, i64 %n", "ptr %p, i64 %n")


def test_one_compiler_agrees_with_itself():
    assert not changed("{ i64, i64 } %s", "ptr %p, i64 %n", more="")


DECLARED = """
target triple = "x86_64-unknown-linux-gnu"
%struct.pair = type {{ double, double }}
declare {declared}
define double @caller(ptr %p, i64 %n, double %x, {{ double, double }} %s, {{ i64, double }} %m) {{
  {call}
  ret double 0.0
}}
"""


def declared(first: str, call: str, own: str) -> str:
    """The declaration and calls in a program where `@callee` is of the type `own`; empty where it stays as it is."""
    text = DECLARED.format(declared=first, call=call)
    result = with_declared_types(text, {"callee": own})
    parse_text(result, "the program").close()
    return "" if result == text else result


def test_structs_that_a_declaration_has_as_wholes():
    text = declared(
        "noundef double @callee({ double, double } noundef, double) #0\nattributes #0 = { nounwind }",
        "%r = call double @callee({ double, double } %s, double %x)",
        "double (double, double, double)",
    )
    assert "declare noundef double @callee(double, double, double) #0" in text
    assert "%r = call double @enzyme_build.between.0.callee({ double, double } %s, double %x)" in text
    assert "call double @callee(double %v0, double %v1, double %a1)" in text


def test_structs_that_a_definition_has_as_wholes():
    text = declared(
        "double @callee(double, double)",
        "%r = call double @callee(double %x, double 1.0)",
        "double ({ double, double })",
    )
    assert "declare double @callee({ double, double })" in text
    assert "define internal double @enzyme_build.between.0.callee(double %a0, double %a1) alwaysinline {" in text


def test_addresses_of_structs_are_where_the_declaration_has_them():
    text = declared(
        "void @callee(ptr noalias sret(%struct.pair) align 8, { double, double })",
        "call void @callee(ptr sret(%struct.pair) align 8 %p, { double, double } %s)",
        "void (ptr, double, double)",
    )
    assert "declare void @callee(ptr sret(%struct.pair) align 8, double, double)" in text
    assert "call void @callee(ptr sret(%struct.pair) align 8 %a0, double %v0, double %v1)" in text


def test_padding_behind_a_member():
    text = declared(
        "{ i64, double } @callee({ i64, double })",
        "%r = call { i64, double } @callee({ i64, double } %m)",
        "{ i32, double } (i32, double)",
    )
    assert "declare { i32, double } @callee(i32, double)" in text
    assert "trunc i64" in text
    assert "zext i32" in text


def test_calls_of_another_type_than_the_declaration():
    """Two compilers' modules in one: the first one's declaration is that of both."""
    text = declared(
        "double @callee(double, double)",
        "%r = call double @callee({ double, double } %s)\n  ret double %r\n}\n"
        "define double @other(double %x) {\n  %r = call double @callee(double %x, double %x)",
        "double (double, double)",
    )
    assert "@enzyme_build.between.0.callee({ double, double } %s)" in text
    assert "%r = call double @callee(double %x, double %x)" in text


@pytest.mark.parametrize(
    ("first", "call", "own"),
    [
        ("double @callee(i64)", "%r = call double @callee(i64 %n)", "double (i32)"),
        ("double @callee({ i64, i64 })", "%r = call double @callee({ i64, i64 } zeroinitializer)", "double (ptr, i64)"),
        ("double @callee(double)", "%r = call double @callee(double %x)", "double (<2 x float>)"),
        ("double @callee({ double, double })", "%r = call double @callee({ double, double } %s)", "double (double)"),
        ("double @callee(ptr byval(i64))", "%r = call double @callee(ptr byval(i64) %p)", "double (double)"),
        ("double @callee(ptr byval(i64), i64)", "%r = call double @callee(ptr byval(i64) %p, i64 1)",
         "double ({ ptr, i64 })"),
        ("i64 @callee(double)", "%r = call i64 @callee(double %x)", "{ i64 } (double)"),
        ("double @callee(double)", "%r = call double @callee(double %x)", "double (%struct.pair)"),
        ("double @callee({ i128, i64 })", "%r = call double @callee({ i128, i64 } poison)", "double (i128, i64)"),
        (f"double @callee({{ double, double }}, {', '.join(['double'] * 7)})",
         f"%r = call double @callee({{ double, double }} %s, {', '.join(['double %x'] * 7)})",
         f"double ({', '.join(['double'] * 9)})"),
    ],
)  # fmt: skip
def test_declarations_that_are_not_certainly_the_same(first: str, call: str, own: str):
    assert not declared(first, call, own)


def test_a_declaration_stays_where_one_call_is_of_a_third_type():
    calls = "%r = call double @callee({ double, double } %s)\n  ret double %r\n}\n"
    calls += "define double @other(ptr %x) {\n  %r = call double @callee(ptr %x)"
    assert not declared("double @callee({ double, double })", calls, "double (double, double)")
