"""Variadic functions that get parameters for what they are called with."""

from __future__ import annotations

import re

import pytest

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.variadic import with_fixed_arguments

TEXT = """\
target triple = "x86_64-pc-linux-gnu"
%struct.tag = type {{ i32, i32, ptr, ptr }}
%struct.pair = type {{ double, double }}

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare i32 @vprintf(ptr, ptr)

define internal double @pick(i32 %0, ...) #0 {{
  %2 = alloca %struct.tag, align 16
  %3 = alloca %struct.tag, align 16
  call void @llvm.va_start.p0(ptr nonnull %2)
  call void @llvm.va_copy.p0(ptr nonnull %3, ptr nonnull %2)
  {work}
  call void @llvm.va_end.p0(ptr nonnull %2)
  ret double 1.0
}}

define double @f(double %x, ptr byval(%struct.pair) %s) {{
  %r = {call}
  ret double %r
}}
{more}
attributes #0 = {{ nounwind }}
"""


def changed(call: str, work: str = "", more: str = "") -> str:
    after = with_fixed_arguments(TEXT.format(call=call, work=work, more=more))
    parse_text(after, "what is left").verify()
    return after


def called(text: str) -> list[str]:
    return re.findall(r"call (?:tail )?double (?:\([^()]*\) )?(@\S+)\(", text)


def test_each_kind_of_call_has_its_copy() -> None:
    more = """
define double @g(double %x, ptr %p) {
  %a = tail call double (i32, ...) @pick(i32 1, double %x)
  %b = call double (i32, ...) @pick(i32 2, i32 noundef 3, double noundef %x, ptr noundef nonnull %p)
  %c = fadd double %a, %b
  ret double %c
}"""
    text = changed("call double (i32, ...) @pick(i32 1, double %x)", more=more)
    assert called(text) == ['@"pick.double"', '@"pick.double"', '@"pick.i32_double_ptr"']
    assert text.count("define internal double @") == 3


def test_what_prints_has_copies_and_calls_without_further_arguments_have() -> None:
    text = changed("call double (i32, ...) @pick(i32 1)", "%4 = call i32 @vprintf(ptr null, ptr %2)")
    assert called(text) == ['@"pick.alone"']
    assert "call i32 @vprintf(ptr null, ptr %2)" in text[text.index('define internal double @"pick.alone"(i32 %0)') :]


def test_arguments_lie_where_no_register_is_left() -> None:
    text = changed("call double (i32, ...) @pick(i32 1, i32 7, double %x)")
    copy = text[text.index('define internal double @"pick.i32_double"') :]
    assert "alloca { { i32, [4 x i8] }, { double, [0 x i8] } }, align 16" in copy
    assert "store double %variadic.1, ptr %variadic.slot.1" in copy
    assert re.search(r"store i32 48, ptr %2.*\n(?:.*\n)*?  store i32 176, ptr %variadic", copy)
    assert "va_start" not in copy
    assert "va_copy" not in text.replace("declare void @llvm.va_copy", "")


@pytest.mark.parametrize(
    ("call", "work", "more"),
    [
        ("call double (i32, ...) @pick(i32 1, x86_fp80 zeroinitializer)", "", ""),
        ("call double (i32, ...) @pick(i32 1, ptr byval(%struct.pair) %s)", "", ""),
        # What nobody knows, and what something else than a call refers to
        (
            "call double (i32, ...) @pick(i32 1, double %x)",
            "%4 = call i32 @unknown(ptr null, ptr %2)",
            "declare i32 @unknown(ptr, ptr)",
        ),
        ("call double (i32, ...) @pick(i32 1, double %x)", "", "@inactive = global ptr @pick"),
    ],
)
def test_other_calls_stay(call: str, work: str, more: str) -> None:
    assert called(changed(call, work, more)) == ["@pick"]


def test_other_targets_stay() -> None:
    text = TEXT.format(call="call double (i32, ...) @pick(i32 1, double %x)", work="", more="")
    other = text.replace("x86_64-pc-linux", "aarch64-pc-linux")
    assert with_fixed_arguments(other) == other


def test_a_copy_that_calls_itself_calls_a_copy() -> None:
    text = changed(
        "call double (i32, ...) @pick(i32 1, double %x)", "%4 = call double (i32, ...) @pick(i32 0, double 1.0)"
    )
    copy = text[text.index('define internal double @"pick.double"') :]
    assert '@"pick.double"(i32 0, double 1.0)' in copy
