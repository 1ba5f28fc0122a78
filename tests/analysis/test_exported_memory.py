"""What exported functions tell of memory: as much as callers learn who see their bodies."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from enzyme_build.analysis.annotations import use_exported
from enzyme_build.analysis.bytetypes import memory_models
from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.analysis.exported import ExportedFunction, from_json
from enzyme_build.analysis.exported_memory import RESULT, ToldMemory, told_memory
from enzyme_build.analysis.kinds import Kind
from enzyme_build.errors import InputError
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE

from .models import Model

UNKNOWN = (Kind.UNKNOWN, None)
# struct { int n; double t; double v[3]; double *x; }, whose members are told apart, and a pointer that is returned.
CALLEE = """
%state = type { i32, double, [3 x double], ptr }
define ptr @g(ptr %s, i64 %i, ptr %untouched) {
  %n = load i32, ptr %s
  %count = mul i32 %n, 3
  %at_t = getelementptr inbounds %state, ptr %s, i64 0, i32 1
  %t = load double, ptr %at_t
  %at_v = getelementptr inbounds %state, ptr %s, i64 0, i32 2, i64 %i
  store double %t, ptr %at_v
  %at_x = getelementptr inbounds %state, ptr %s, i64 0, i32 3
  %x = load ptr, ptr %at_x
  %at = getelementptr inbounds float, ptr %x, i64 %i
  store float 0.0, ptr %at
  ret ptr %at_v
}
"""
CALLER = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %from, i64 %i, ptr %other) {
  %s = alloca [6 x i64]
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %from, i64 48, i1 false)
  %r = call ptr @g(ptr %s, i64 %i, ptr %other)
  %at = getelementptr i8, ptr %from, i64 40
  %x = load ptr, ptr %at
  ret void
}
"""


class CallerModel(Model):
    """The function `f` of a text, which calls `g` by its description."""

    def __init__(self, text: str, told: ExportedFunction) -> None:
        self.module = parse_module(text)
        use_exported(self.module, {told.name: told})
        self.function = self.module.function("f")
        self.memories = memory_models(self.module, call_graph(self.module, [self.function]), {self.function})
        self.memory = self.memories[self.function]


def described(text: str = CALLEE) -> ExportedFunction:
    g = Model(text, "g")
    type_ = g.function.function_type.text
    return ExportedFunction("g", type_, "LLVM", "source", ("",) * 4, (), told_memory(g.memory))


def caller(declared: str = "ptr @g(ptr, i64, ptr)", told: ExportedFunction | None = None) -> CallerModel:
    return CallerModel(f"{CALLER}\ndeclare {declared}", told or described())


def entries(model: Model, name: str) -> dict[tuple[int, int], object]:
    """What lies where in the region that a pointer leads to."""
    region = model.place(name).region
    return {(at, step): (c.kind, c.claims, c.number, region.span(at, step)) for at, step, c in region.entries()}


def test_descriptions_are_read_as_they_were_written() -> None:
    told = described()
    assert [pointer.argument for pointer in told.memory.pointers] == [0, 2, RESULT]
    assert from_json(told.to_json()) == told
    field = told.memory.fields[0]
    bounded = field._replace(place=field.place._replace(stride=8, bounds=(16, None, True)))
    told = replace(told, memory=told.memory._replace(fields=(bounded,)))
    assert from_json(told.to_json()) == told


def test_callers_learn_what_a_body_that_is_seen_says() -> None:
    seen, told = Model(CALLER + CALLEE.replace("ptr @g(", "internal ptr @g(")), caller()
    for name in ("from", "s", "other", "x", "r"):
        assert entries(told, name) == entries(seen, name)
    assert told.holds("from", 8) == (Kind.FLOAT, DOUBLE)
    assert told.holds("from", 40) == (Kind.POINTER, None)
    assert told.holds("other") == UNKNOWN


def test_returned_pointers_lead_to_what_is_told() -> None:
    place = caller().place("r")
    assert DOUBLE in [content.float_type for content in place.region.contents()]


def test_what_is_found_as_a_number_and_as_an_integer_is_told_as_both() -> None:
    """A caller who knew the number alone would take the other for one, too."""
    both = CALLEE.replace("ret ptr", "%bits = load i64, ptr %at_t\n  %odd = mul i64 %bits, 3\n  ret ptr")
    told = caller(told=described(both))
    assert told.holds("from", 8) == (Kind.MIXED, None)
    content = told.place("from").moved(8).content
    assert content.only_number is DOUBLE


def test_nothing_is_told_of_memory_that_is_not_known() -> None:
    assert caller(told=described("define ptr @g(ptr %s, i64 %i, ptr %o) {\n  ret ptr null\n}")).holds("from") == UNKNOWN


def test_two_pointers_may_lead_to_the_same_memory_and_are_not_joined_therefore() -> None:
    either = CALLEE.replace("ret ptr %at_v", "%one = select i1 true, ptr %untouched, ptr %at_t\n  ret ptr %one")
    told = caller(told=described(either))
    assert not told.same_region("s", "other")


def test_descriptions_without_memory_say_nothing_of_it() -> None:
    data = json.loads(described().to_json())
    del data["memory"]
    told = from_json(json.dumps(data).encode())
    assert told.memory == ToldMemory()
    assert caller(told=told).holds("from") == UNKNOWN


@pytest.mark.parametrize(
    "field",
    [
        [[0, 0, 0, None], "number", "", [], 0, 0, False, False, None],
        [[0, 0, 0, None], "float", "i64", [], 0, 0, False, False, None],
        [[0, 0, 0, None], "float", "double", [["double", 9]], 0, 0, False, False, None],
        [[0, 0, 0], "float", "double", [], 0, 0, False, False, None],
        [[0, 0, 0, None], "float"],
    ],
)
def test_what_is_no_field_is_refused(field: list[object]) -> None:
    data = json.loads(described().to_json())
    data["memory"]["fields"].append(field)
    with pytest.raises(InputError, match="cannot be understood"):
        from_json(json.dumps(data).encode())
