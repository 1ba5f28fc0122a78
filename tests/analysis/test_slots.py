"""What is stored at one place of memory, and read at another."""

from __future__ import annotations

from enzyme_build.analysis.bitflow import bit_flow
from enzyme_build.analysis.contents import Graph
from enzyme_build.analysis.number_places import Sure
from enzyme_build.analysis.regions import Place, Region
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


ELEMENTS = """
%C = type {{ double, i8 }}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(double %x, i64 %i, i64 %j) {{
  %m = alloca [4 x %C]
  %rest = alloca [7 x i8]
  %element = getelementptr %C, ptr %m, i64 %i
  store double %x, ptr %element
  %count = getelementptr i8, ptr %element, i64 8
  %n = load i8, ptr %count
  %next = sub i8 0, %n
  store i8 %next, ptr %count
  %from = getelementptr i8, ptr %element, i64 {at}
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %from, i64 7, i1 false)
  %other = getelementptr %C, ptr %m, i64 %j
  %to = getelementptr i8, ptr %other, i64 {to}
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %rest, i64 7, i1 false)
  ret void
}}
"""


def test_padding_that_is_copied_is_no_part_of_the_member_before_it() -> None:
    model = Model(ELEMENTS.format(at=9, to=9))
    assert bit_flow(model.memory).sure(model["next"]) is Sure.NO


def test_bytes_that_are_copied_reach_the_member_that_they_overlap() -> None:
    model = Model(ELEMENTS.format(at=4, to=5))
    assert bit_flow(model.memory).sure(model["next"]) is not Sure.NO


def test_bytes_of_a_number_that_are_copied_to_where_they_were_are_no_part_of_the_next_member() -> None:
    model = Model(ELEMENTS.format(at=4, to=4))
    assert bit_flow(model.memory).sure(model["next"]) is Sure.NO


def test_a_place_in_two_functions() -> None:
    graph = Graph()
    outer, inner = Region(graph), Region(graph)
    slots, value = Slots(), Value(I64)
    slots.unite(outer, inner)
    slots.store(Place(inner, 8, 0), 8, value)
    assert slots.stored_in(slots.at(Place(outer, 8, 0), 8)) == [value]
    assert slots.stored_in(slots.at(Place(outer, 12, 0), 2)) == [value]
    assert slots.stored_in(slots.at(Place(outer, 0, 0), 8)) == []
    assert slots.stored_in(slots.memory(slots.at(Place(outer, 0, 0), 8))) == [value]


def test_members_of_elements() -> None:
    region = Region(Graph())
    slots, value = Slots(), Value(I64)
    slots.store(Place(region, 8, 16), 8, value)
    assert slots.stored_in(slots.at(Place(region, 8, 0), 8)) == [value]
    assert slots.stored_in(slots.at(Place(region, 40, 0), 4)) == [value]
    assert slots.stored_in(slots.at(Place(region, 32, 0), 8)) == []
    assert slots.stored_in(slots.at(Place(region, 0, 16), 8)) == []
    assert slots.stored_in(slots.at(Place(region, 0, 24), 8)) == [value]


def test_members_that_are_copied_with_their_struct() -> None:
    graph = Graph()
    first, second = Region(graph), Region(graph)
    slots, value, other = Slots(), Value(I64), Value(I64)
    slots.store(Place(first, 0, 0), 8, value)
    slots.store(Place(first, 8, 0), 8, other)
    slots.copy(Place(second, 32, 16), Place(first, 0, 0), 16)
    (source,) = slots.copied_to(slots.at(Place(second, 8, 16), 8))
    assert slots.stored_in(source) == [value, other]  # the copy covers all of the elements it may be to
    slots.copy(Place(second, 100, 0), Place(first, 0, 0), 16)
    found = slots.copied_to(slots.at(Place(second, 108, 0), 8))
    assert [other] in [slots.stored_in(source) for source in found]


def test_copies_of_unknown_length() -> None:
    graph = Graph()
    first, second = Region(graph), Region(graph)
    slots, value = Slots(), Value(I64)
    slots.store(Place(first, 40, 0), 8, value)
    slots.copy(Place(second, 16, 0), Place(first, 16, 0), None)
    assert [slots.stored_in(source) for source in slots.copied_to(slots.at(Place(second, 0, 0), 8))] == [[value]]


def test_memory_of_which_nobody_knows_where_it_lies_in_the_other() -> None:
    graph = Graph()
    found, given = Region(graph), Region(graph)
    slots, value = Slots(), Value(I64)
    slots.unite(found, given, 1)
    slots.store(Place(given, 0, 0), 8, value)
    assert slots.stored_in(slots.at(Place(found, 24, 0), 4)) == [value]


def test_memory_that_is_given_twice_at_different_places() -> None:
    graph = Graph()
    caller, callee = Region(graph), Region(graph)
    first = Region(graph)
    first._parent, first._shift = caller, 16
    slots, value = Slots(), Value(I64)
    slots.unite(caller, callee)
    slots.unite(first, callee)
    slots.store(Place(callee, 0, 0), 8, value)
    assert slots.stored_in(slots.at(Place(caller, 16, 0), 8)) == [value]
    assert slots.stored_in(slots.at(Place(caller, 0, 0), 8)) == [value]
    assert slots.stored_in(slots.at(Place(caller, 8, 0), 8)) == []


def test_a_callee_is_given_a_pointer_to_any_element() -> None:
    graph = Graph()
    caller, callee = Region(graph), Region(graph)
    slots, value = Slots(), Value(I64)
    slots.unite(caller, callee, 16)
    slots.store(Place(callee, 0, 0), 8, value)
    assert slots.stored_in(slots.at(Place(caller, 48, 0), 8)) == [value]
    assert slots.stored_in(slots.at(Place(caller, 56, 0), 8)) == []
