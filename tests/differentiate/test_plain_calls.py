"""Calls that have a plainer form."""

from __future__ import annotations

from enzyme_build.analysis.known import keeps_bits
from enzyme_build.differentiate.plain_calls import plain_calls, sums_and_flags
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

APPEND = "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm"
FIND = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE5c_strEv"
TEXT = f"""
declare ptr @{APPEND}(ptr, ptr, i64)
declare ptr @{FIND}(ptr)
define ptr @f(ptr %s, ptr %a, i64 %n) {{
  %once = call ptr @{APPEND}(ptr %s, ptr %a, i64 %n)
  %twice = call ptr @{APPEND}(ptr %once, ptr %a, i64 %n)
  %text = call ptr @{FIND}(ptr %twice)
  ret ptr %twice
}}"""


def test_what_returns_its_first_argument_is_that_argument() -> None:
    module = parse_module(TEXT)
    function = module.function("f")
    plain_calls(module, function)
    string = function.arguments[0]
    calls = [i for i in function.instructions() if isinstance(i, ir.Call)]
    assert [call.arguments[0] for call in calls] == [string, string, string]
    (result,) = (i for i in function.instructions() if isinstance(i, ir.Return))
    assert result.operands == [string]


OVERFLOW = """
declare {{ i64, i1 }} @llvm.umul.with.overflow.i64(i64, i64)
define i64 @f(ptr %p, i64 %n) {{
  %m = load i64, ptr %p
  %both = call {{ i64, i1 }} @llvm.umul.with.overflow.i64(i64 %m, i64 %n)
  %product = extractvalue {{ i64, i1 }} %both, 0
  %flag = extractvalue {{ i64, i1 }} %both, 1
  {use}
  %result = select i1 %flag, i64 0, i64 %product
  ret i64 %result
}}"""


def test_arithmetic_that_tells_of_overflow_is_arithmetic_and_a_flag() -> None:
    module = parse_module(OVERFLOW.format(use=""))
    function = module.function("f")
    sums_and_flags(function)
    assert not check_function(module, function)
    (product,) = (i for i in function.instructions() if isinstance(i, ir.Binary))
    assert product.op == "mul"
    (select,) = (i for i in function.instructions() if isinstance(i, ir.Select))
    assert select.operands[2] is product
    (call,) = (i for i in function.instructions() if isinstance(i, ir.Call))
    assert not keeps_bits(module, call)


def test_where_both_are_used_together_nothing_is_changed() -> None:
    module = parse_module(OVERFLOW.format(use="store { i64, i1 } %both, ptr %p"))
    function = module.function("f")
    sums_and_flags(function)
    assert not any(isinstance(i, ir.Binary) for i in function.instructions())
    (call,) = (i for i in function.instructions() if isinstance(i, ir.Call))
    assert keeps_bits(module, call)
