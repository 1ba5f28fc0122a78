"""Arguments whose memory no other argument leads to, as all callers show."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.apart_arguments import promise_apart
from enzyme_build.differentiate.passed_constants import calls_by_name
from enzyme_build.ir.parser import parse_module

TEXT = """
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @free(ptr allocptr captures(none)) allockind("free")
declare void @look(ptr captures(none))
declare ptr @same(ptr)
@kept = internal global ptr null
define internal fastcc void @add(ptr captures(none) %out, ptr captures(none) %in) {
  %v = load double, ptr %in
  store double %v, ptr %out
  ret void
}
define internal fastcc void @down(i32 %depth, ptr %out, ptr %in) {
entry:
  %end = icmp eq i32 %depth, 0
  br i1 %end, label %last, label %more
last:
  call fastcc void @add(ptr %out, ptr %in)
  ret void
more:
  %less = add i32 %depth, -1
  call fastcc void @down(i32 %less, ptr %out, ptr %in)
  ret void
}
define double @f(ptr %x, i1 %c) {
  %own = call ptr @malloc(i64 80)
  %room = alloca [4 x double]
  %at = getelementptr double, ptr %own, i64 2
  call fastcc void @down(i32 3, ptr %at, ptr %x)
  %one = select i1 %c, ptr %own, ptr %room
  call fastcc void @add(ptr %one, ptr %x)
  %r = load double, ptr %own
  call void @free(ptr %own)
  ret double %r
}
"""
CALL = "call fastcc void @add(ptr %one, ptr %x)"
ALSO = f"{CALL}\n  "


def promised(text: str, *, fixed: str = "") -> set[str]:
    """The arguments that are promised to be apart."""
    module = parse_module(text)
    functions = [module.function(function.name) for function in module.functions if not function.is_declaration]
    promise_apart(module, functions, [f for f in functions if f.name == fixed], calls_by_name(functions))
    return {f"{f.name}.{a.name}" for f in functions for a in f.arguments if "noalias" in a.attributes.split()}


def test_memory_of_callers_that_nobody_else_knows_is_apart() -> None:
    assert promised(TEXT) == {"add.out", "down.out"}


@pytest.mark.parametrize(
    "more",
    [
        "store ptr %own, ptr @kept",
        "call fastcc void @add(ptr %own, ptr %at)",
        "call fastcc void @add(ptr %one, ptr %room)",
        "call fastcc void @add(ptr %x, ptr %own)",
        "call void @look(ptr %own)\n  %s = call ptr @same(ptr %room)",
        "%n = ptrtoint ptr %own to i64",
        "%twice = insertvalue { ptr, ptr } zeroinitializer, ptr %own, 0",
    ],
)
def test_one_caller_that_may_not_is_enough(more: str) -> None:
    assert "add.out" not in promised(TEXT.replace(CALL, ALSO + more))


@pytest.mark.parametrize(
    "harmless",
    [
        "call void @look(ptr %own)",
        "store ptr %x, ptr %own",
        "%less = icmp ult ptr %own, %x",
        "call fastcc void @add(ptr %room, ptr %own)",
    ],
)
def test_looking_is_harmless(harmless: str) -> None:
    assert "add.out" in promised(TEXT.replace(CALL, ALSO + harmless))


def test_callees_that_keep_it_are_seen() -> None:
    keeps = TEXT.replace("last:\n", "last:\n  store ptr %out, ptr @kept\n")
    assert not promised(keeps)


def test_arguments_of_functions_that_others_call_are_told_by_nothing() -> None:
    assert promised(TEXT.replace("fastcc ", "")) == set()
    assert promised(TEXT, fixed="down") == set()
