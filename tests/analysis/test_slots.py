"""What is stored at one place of memory, and read at another."""

from __future__ import annotations

from enzyme_build.analysis.bitflow import bit_flow
from enzyme_build.analysis.number_places import Sure
from enzyme_build.analysis.regions import Graph, Place, Region
from enzyme_build.analysis.slots import Slots
from enzyme_build.ir.types import I64
from enzyme_build.ir.values import Value

from .models import Model

MEMORY = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(double %x, i64 %i) {{
  %m = alloca [4 x i64]
  %second = getelementptr i8, ptr %m, i64 8
  %bits = bitcast double %x to i64
  store i64 %bits, ptr {to}
  %n = load i64, ptr %second
  %next = add i64 %n, 1
  store i64 %next, ptr %second
  %back = load i64, ptr %m
  %y = bitcast i64 %back to double
  ret double %y
}}
"""


def test_a_counter_beside_a_number_is_none_of_its_bits() -> None:
    model = Model(MEMORY.format(to="%m"))
    assert bit_flow(model.memory).sure(model["next"]) is Sure.NO


def test_what_is_stored_at_any_place_may_be_read_at_each() -> None:
    text = MEMORY.replace("  store i64 %bits", "  %any = getelementptr i64, ptr %m, i64 %i\n  store i64 %bits")
    model = Model(text.format(to="%any"))
    assert bit_flow(model.memory).sure(model["n"]) is not Sure.NO


def test_a_place_in_two_functions() -> None:
    graph = Graph()
    outer, inner = Region(graph), Region(graph)
    slots, value = Slots(), Value(I64)
    slots.unite(outer, inner)
    assert slots.store(Place(inner, 8, 0), 8, value)
    assert slots.stored_in(slots.at(Place(outer, 8, 0), 8)) == [value]
    assert slots.stored_in(slots.at(Place(outer, 12, 0), 2)) == [value]
    assert slots.stored_in(slots.at(Place(outer, 0, 0), 8)) == []
    assert slots.stored_in(slots.memory(slots.at(Place(outer, 0, 0), 8))) == [value]


def test_memory_of_which_nobody_knows_where_it_lies_in_the_other() -> None:
    graph = Graph()
    found, given = Region(graph), Region(graph)
    slots = Slots()
    slots.unite(found, given, known=False)
    assert not slots.store(Place(given, 0, 0), 8, Value(I64))
    assert slots.at(Place(given, 8, 0), 8) is slots.at(Place(found, 0, 0), 8)


def test_memory_that_is_given_twice_at_different_places() -> None:
    graph = Graph()
    caller, callee = Region(graph), Region(graph)
    first = Region(graph)
    first._parent, first._shift = caller, 16
    slots, value = Slots(), Value(I64)
    slots.unite(callee, caller)
    slots.unite(callee, first)
    assert not slots.store(Place(callee, 0, 0), 8, value)
    assert slots.at(Place(caller, 8, 0), 8) is slots.find(caller)[0]
