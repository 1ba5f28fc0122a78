"""Methods are called on objects that lead to them."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.dispatch import dispatched_calls
from enzyme_build.analysis.objects import apart_from_numbers, objects

from .models import Model

OBJECTS = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
@numbers = constant [2 x ptr] [ptr null, ptr @grow_number]
@counts = constant [2 x ptr] [ptr null, ptr @grow_count]

define internal void @grow_number(ptr %self) {{
  %at = getelementptr inbounds i8, ptr %self, i64 8
  %v = load double, ptr %at
  %more = fadd double %v, 1.0
  store double %more, ptr %at
  ret void
}}

define internal void @grow_count(ptr %self) {{
  %at = getelementptr inbounds i8, ptr %self, i64 8
  %n = load i64, ptr %at
  %more = add i64 %n, 1
  store i64 %more, ptr %at
  ret void
}}

define void @f(double %x, i1 %c, i64 %n) {{
  %number = call ptr @malloc(i64 16)
  %count = call ptr @malloc(i64 24)
  store ptr {first}, ptr %number
  store ptr @counts, ptr %count
  {more}
  %object = select i1 %c, ptr %number, ptr %count
  %table = load ptr, ptr %object
  %entry = getelementptr i8, ptr %table, i64 8
  %method = load ptr, ptr %entry
  %is = icmp eq ptr %method, @grow_number
  br i1 %is, label %one, label %other
one:
  call void @grow_number(ptr %object)
  br label %end
other:
  %is.other = icmp eq ptr %method, @grow_count
  br i1 %is.other, label %two, label %end
two:
  call void @grow_count(ptr {passed})
  br label %end
end:
  ret void
}}
"""


def reached(model: Model, method: str) -> set[str]:
    """The objects that a method is called on."""
    called = model.module.function(method)
    places = objects(model.memories[called]).places(called.arguments[0])
    assert places is not None
    return {origin.name or "" for place in places for origin in place.region.origins}


def model(first: str = "@numbers", more: str = "", passed: str = "%object") -> Model:
    return Model(OBJECTS.format(first=first, more=more, passed=passed))


def test_a_call_says_what_was_read_where() -> None:
    m = model()
    found = dispatched_calls(m.module.layout, m.function)
    ways = [[(way.base, way.offsets, way.function.name) for way in ways] for ways in found.values()]
    assert ways == [[(m["table"], (8,), name), (m["object"], (0, 8), name)] for name in ("grow_number", "grow_count")]


def test_a_method_is_called_on_the_objects_of_its_class() -> None:
    m = model()
    assert reached(m, "grow_number") == {"number"}
    assert reached(m, "grow_count") == {"count"}
    method = m.module.function("grow_count")
    at = next(i for i in method.instructions() if i.name == "at")
    assert apart_from_numbers(m.memories[method], at, 8)


@pytest.mark.parametrize(
    ("first", "more", "passed"),
    [
        ("@numbers", "store ptr @counts, ptr %number", "%object"),  # of another class later
        ("null", "call void @unknown(ptr %number)", "%object"),  # who knows what is there
        ("@numbers", "%half = trunc i64 %n to i32\n  store i32 %half, ptr %number", "%object"),  # part of an address
        ("@numbers", "", "%number"),  # the method of one class is called on an object of another
    ],
)
def test_what_may_be_of_several_classes_gets_to_the_methods_of_all(first: str, more: str, passed: str) -> None:
    text = OBJECTS.format(first=first, more=more, passed=passed)
    m = Model(text + "declare void @unknown(ptr)\n")
    called = m.module.function("grow_count")
    places = objects(m.memories[called]).places(called.arguments[0])
    names = None if places is None else {origin.name for place in places for origin in place.region.origins}
    assert names is None or "number" in names


def test_a_call_that_is_reached_otherwise_says_nothing() -> None:
    text = OBJECTS.format(first="@numbers", more="", passed="%object")
    m = Model(text.replace("label %two, label %end", "label %two, label %two"))
    found = dispatched_calls(m.module.layout, m.function)
    assert [way[0].function.name for way in found.values()] == ["grow_number"]


def test_addresses_inside_an_object_do_not_lead_out_of_it() -> None:
    m = Model(
        """
declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
define void @f(i1 %c) {
  %small = call ptr @malloc(i64 8)
  %large = call ptr @malloc(i64 32)
  %any = select i1 %c, ptr %small, ptr %large
  %inside = getelementptr inbounds i8, ptr %any, i64 16
  %anywhere = getelementptr i8, ptr %any, i64 16
  store double 1.0, ptr %inside
  ret void
}
"""
    )
    found = objects(m.memory)._pointees
    assert {next(iter(r.origins)) for r in found._set(m["inside"])} == {m["large"]}
    assert {next(iter(r.origins)) for r in found._set(m["anywhere"])} == {m["small"], m["large"]}
