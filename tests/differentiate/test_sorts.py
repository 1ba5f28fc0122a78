"""Sorts and searches by callback as orders and numbers of elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.analysis.targets import Targets
from enzyme_build.differentiate.sorts import Sorts
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.function import Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.values import ConstantInt

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

TEXT = """
declare void @qsort(ptr, i64, i64, ptr)
declare ptr @bsearch(ptr, ptr, i64, i64, ptr)
define internal i32 @rising(ptr %a, ptr %b) {
  ret i32 0
}
define internal i32 @falling(ptr %a, ptr %b) {
  ret i32 0
}
define internal i32 @other(ptr %a) {
  ret i32 0
}
define internal i32 @adding(ptr %a, ptr %b) {
  store i32 1, ptr @sum
  ret i32 0
}
define internal i32 @calling(ptr %a, ptr %b) {
  %r = call i32 @rising(ptr %a, ptr %b)
  ret i32 %r
}
@sum = global i32 0
@table = global [5 x ptr] [ptr @rising, ptr @falling, ptr @other, ptr @adding, ptr @calling]
"""
SORT = "define void @f(ptr %p, i64 %n, ptr %g) {{\n  {0}\n  ret void\n}}"


def rewritten(body: str, text: str = TEXT) -> tuple[Module, Function, Sorts]:
    module = parse_module(text + body)
    function = module.function("f")
    sorts = Sorts(module, Targets(module))
    sorts.rewrite(function)
    assert not check_function(module, function)
    return module, function, sorts


def calls(function: Function) -> dict[str, ir.Call]:
    found = [i for i in function.instructions() if isinstance(i, ir.Call)]
    return {call.callee.name: call for call in found if isinstance(call.callee, Function)}


def order(call: str) -> ir.Call:
    module, _, sorts = rewritten(SORT.format(call))
    (name,) = sorts.hosts
    assert not check_function(module, module.function(name))
    return calls(module.function(name))["enzyme_build.order_qsort"]


def test_a_sort_is_a_call_of_a_function_of_its_own() -> None:
    call = "call void @qsort(ptr %p, i64 %n, i64 8, ptr @rising)"
    _, function, sorts = rewritten(SORT.format(f"{call}\n  {call}"))
    assert list(calls(function)) == ["enzyme_build.qsort", "enzyme_build.qsort.1"] == list(sorts.hosts)


def test_a_function_that_is_named_is_known() -> None:
    found = order("call void @qsort(ptr %p, i64 %n, i64 24, ptr @rising)")
    assert [getattr(a, "name", None) for a in found.arguments[4:5]] == ["rising"]
    assert [a.value for a in found.arguments[3:] if isinstance(a, ConstantInt)] == [24, 1]
    assert len(found.arguments) == 7


def test_functions_that_are_chosen_from_are_known() -> None:
    found = order(
        "%c = icmp eq i64 %n, 7\n  %h = select i1 %c, ptr @rising, ptr @falling\n"
        "  call void @qsort(ptr %p, i64 %n, i64 8, ptr %h)"
    )
    assert [getattr(a, "name", "") for a in found.arguments[7:]] == ["rising", "falling"]
    assert isinstance(found.arguments[6], ConstantInt)
    assert found.arguments[6].value


def test_any_function_of_the_type_that_does_more_may_be_at_an_address_that_is_passed() -> None:
    found = order("call void @qsort(ptr %p, i64 %n, i64 8, ptr %g)")
    assert [getattr(a, "name", "") for a in found.arguments[7:]] == ["adding", "calling"]
    assert isinstance(found.arguments[6], ConstantInt)
    assert not found.arguments[6].value


def test_in_the_end_the_library_is_called() -> None:
    module, _, sorts = rewritten(SORT.format("call void @qsort(ptr %p, i64 %n, i64 8, ptr %g)"))
    sorts.call_library()
    function = module.function("enzyme_build.qsort")
    assert not check_function(module, function)
    assert calls(function)["qsort"].arguments == function.arguments


def test_what_is_found_is_an_element() -> None:
    body = """
define ptr @f(ptr %k, ptr %p, i64 %n) {
  %found = call ptr @bsearch(ptr %k, ptr %p, i64 %n, i64 16, ptr @rising)
  ret ptr %found
}"""
    _, function, sorts = rewritten(body)
    *_, address, select, result = function.instructions()
    assert isinstance(address, ir.GetElementPtr)
    assert address.operands[0] is function.arguments[1]
    assert address.source_type.text == "[16 x i8]"
    assert isinstance(select, ir.Select)
    assert result.operands == [select]
    assert not sorts.hosts


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace(
            "declare void @qsort(ptr, i64, i64, ptr)", "define void @qsort(ptr, i64, i64, ptr) {\n  ret void\n}"
        ),
        TEXT.replace("@qsort(ptr, i64, i64, ptr)", "@qsort(...)"),
    ],
)
def test_a_sort_of_the_programs_own_is_left(text: str) -> None:
    kind = "void (...) " if "..." in text else "void "
    _, function, sorts = rewritten(SORT.format(f"call {kind}@qsort(ptr %p, i64 %n, i64 8, ptr @rising)"), text)
    assert list(calls(function)) == ["qsort"]
    assert not sorts.hosts
