"""Branches that are never taken, since what they ask for was stored just before."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.bytetypes import MemoryModels, memory_models
from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.differentiate.settled_branches import settle_branches
from enzyme_build.ir.function import Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function

# An object of two alternatives that keeps its own address, as one with a string does; another one on the heap. In
# what is not taken the address of the first is stored in the second.
TEXT = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @unknown(ptr)
declare void @told(ptr) "enzyme_inactive"
declare ptr @strsep(ptr, ptr)
declare i1 @_RNvXsi_NtCsgEmfK2I1SDS_4core3fmteNtB5_7Display3fmt(ptr)

define double @f(double %x, ptr %given, i8 %which, i1 %flag) {{
entry:
  %object = alloca [40 x i8], align 8
  %tag = getelementptr i8, ptr %object, i64 32
  %heap = call ptr @malloc(i64 40)
  %heap_tag = getelementptr i8, ptr %heap, i64 32
  %inside = getelementptr i8, ptr %object, i64 16
  store ptr %inside, ptr %object
  %keep = alloca ptr, align 8
  store ptr %heap, ptr %keep
  br label %begin

begin:
  store i8 1, ptr %tag
  {between}
  %held = load i8, ptr %tag
  {ask}

text:
  %characters = load ptr, ptr %object
  store ptr %characters, ptr %heap
  store ptr %object, ptr %keep
  br label %end

number:
  store double %x, ptr %heap
  br label %end

end:
  %sum = phi double [ 0.0, %text ], [ %x, %number ]
  ret double %sum
}}
"""
SWITCH = "switch i8 %held, label %text [\n    i8 1, label %number\n    i8 3, label %text\n  ]"
COMPARE = "%is = icmp ugt i8 %held, -128\n  br i1 %is, label %text, label %number"
REACHES_HEAP = (
    "%other = load ptr, ptr %keep\n  %other_tag = getelementptr i8, ptr %other, i64 32\n  store i8 -1, ptr %other_tag"
)


def settled(between: str, ask: str = SWITCH) -> str:
    """The function without what is never reached."""
    module = parse_module(TEXT.format(between=between, ask=ask))
    function = module.function("f")
    graph = call_graph(module, [function])

    def memories() -> object:
        return memory_models(module, graph, {function})

    found = settle_branches(memories(), memories)  # type: ignore[arg-type]
    assert isinstance(next(iter(found)), Function)
    return print_function(function)


@pytest.mark.parametrize("ask", [SWITCH, COMPARE])
@pytest.mark.parametrize("between", ["", REACHES_HEAP, "call void @free(ptr %heap)", "call void @unknown(ptr %keep)"])
def test_only_what_was_stored_is_reached(between: str, ask: str) -> None:
    text = settled(between, ask)
    assert "characters" not in text
    assert "store double %x" in text
    assert "[ 0.0, %text ]" not in text


@pytest.mark.parametrize(
    "between",
    [
        "store i8 %which, ptr %tag",
        "store i32 0, ptr %tag",
        "store i8 2, ptr %given",  # and the object's address is known outside
        "call void @unknown(ptr %object)",
        "store ptr %object, ptr %keep\n  call void @told(ptr %keep)",
        "store ptr %object, ptr %keep\n  call ptr @strsep(ptr %keep, ptr %given)",
        "store ptr %object, ptr %keep\n  call i1 @_RNvXsi_NtCsgEmfK2I1SDS_4core3fmteNtB5_7Display3fmt(ptr %keep)",
    ],
)
def test_what_may_be_changed_is_asked_for(between: str) -> None:
    published = "call void @unknown(ptr %object)\n  store i8 1, ptr %tag\n  " if "given" in between else ""
    text = settled(published + between)
    assert "characters" in text
    assert "switch" in text


def test_the_last_store_counts() -> None:
    text = settled("store i8 2, ptr %tag")
    assert "characters" in text
    assert "switch" not in text


def test_two_ways_that_store_the_same_settle_it() -> None:
    both = "br i1 %flag, label %a, label %b\na:\n  store i8 {0}, ptr %tag\n  br label %b\nb:\n"
    assert "characters" not in settled(both.format(1))
    assert "characters" in settled(both.format(0))


def test_what_is_not_proved_is_put_back() -> None:
    unproved = "call void @unknown(ptr %object)"
    module = parse_module(TEXT.format(between=unproved, ask=SWITCH))
    before = print_function(module.function("f"))
    assert settled(unproved) == before


ASSERTED = """
declare void @abort() noreturn
define double @f(double %x, ptr %given) {
entry:
  %ready = alloca i8, align 1
  store i8 1, ptr %ready
  store ptr %ready, ptr %given
  %held = load i8, ptr %ready
  %is = icmp eq i8 %held, 1
  br i1 %is, label %on, label %failed
failed:
  WHAT
  call void @abort()
  unreachable
on:
  ret double %x
}
"""


def looks(text: str) -> tuple[int, str]:
    """How often memory was looked at again, and the function then."""
    module = parse_module(text)
    function = module.function("f")
    graph = call_graph(module, [function])
    count = 0

    def again() -> MemoryModels:
        nonlocal count
        count += 1
        return memory_models(module, graph)

    settle_branches(memory_models(module, graph), again)
    return count, print_function(function)


@pytest.mark.parametrize(("what", "expected"), [("", 0), ("store double %x, ptr %given", 2)])
def test_failed_assertions_are_not_worth_a_look(what: str, expected: int) -> None:
    count, text = looks(ASSERTED.replace("WHAT", what))
    assert count == expected
    assert ("failed" in text) is not bool(expected)


GIVEN = """
define void @fill(ptr %object) {
  BODY
  ret void
}
define double @f(double %x, ptr %given) {
entry:
  %object = alloca i64, align 8
  store i64 0, ptr %object
  call void @fill(ptr %object)
  %held = load i64, ptr %object
  %is = icmp eq i64 %held, 0
  br i1 %is, label %on, label %filled
filled:
  store double %x, ptr %given
  br label %on
on:
  ret double %x
}
"""


@pytest.mark.parametrize(
    ("body", "expected"), [("store i64 1, ptr %object", 0), ("%read = load volatile i64, ptr %object", 2)]
)
def test_what_a_callee_changes_is_not_worth_a_look(body: str, expected: int) -> None:
    count, text = looks(GIVEN.replace("BODY", body))
    assert count == expected
    assert ("filled" in text) is not bool(expected)
