"""Calls that have a plainer form."""

from __future__ import annotations

from enzyme_build.differentiate.plain_calls import plain_calls
from enzyme_build.ir import instructions as ir
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
