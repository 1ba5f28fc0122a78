"""What declared types say about memory, and which parts copies bind."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.contents import Graph
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.regions import Region
from enzyme_build.analysis.shapes import declared_array, declared_number
from enzyme_build.ir.parser import parse_module

from .models import Model

VARIABLES = """
%record = type { double, ptr }
@table = global [4 x double] zeroinitializer
define void @f(ptr %p, i64 %i, i1 %c) {
  %local = alloca [3 x [4 x double]]
  %object = alloca %record
  %row = getelementptr [4 x double], ptr %local, i64 %i
  %odd = getelementptr i8, ptr %local, i64 4
  %inside = getelementptr double, ptr @table, i64 %i
  %chosen = select i1 %c, ptr %inside, ptr %p
  %either = select i1 %c, ptr %inside, ptr %object
  ret void
}"""


def test_variables_of_numbers():
    m = Model(VARIABLES)
    told = {name: declared_array(m.module.layout, m[name]) for name in ("row", "inside", "chosen")}
    assert {type_.text for type_ in told.values()} == {"double"}


def test_other_memory_tells_nothing():
    m = Model(VARIABLES)
    assert all(declared_array(m.module.layout, m[name]) is None for name in ("p", "odd", "object", "either"))


PART = """
%record = type { ptr, [3 x double], i64 }
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, i64 %i) {
  %e = getelementptr %record, ptr %p, i64 %i
  %at = load ptr, ptr %e
  %a = getelementptr i8, ptr %e, i64 8
  %b = getelementptr i8, ptr %e, i64 16
  %first = load double, ptr %a
  %tag = getelementptr i8, ptr %e, i64 32
  %t = load i64, ptr %tag
  %u = add i64 %t, 1
  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %b, i64 16, i1 false)
  ret void
}"""


def test_copies_inside_elements_bind_what_is_copied():
    m = Model(PART)
    assert m.holds("e")[0] is Kind.POINTER
    assert m.holds("e", 8)[0] is Kind.FLOAT
    assert m.holds("e", 16)[0] is Kind.FLOAT
    assert m.holds("e", 32)[0] is Kind.INTEGER


DECLARED = """
%matrix = type { [6 x double] }
%pair = type { i32, [3 x double] }
%tail = type { i64, [0 x double] }
"""


@pytest.mark.parametrize(
    ("declared", "place", "expected"),
    [
        ("%matrix", (8, 0), "double"),
        ("%matrix", (40, 0), "double"),
        ("%matrix", (48, 0), None),  # behind the last element
        ("%matrix", (-8, 56), None),  # before the first, in all elements of an array that the matrix lies in
        ("%matrix", (-8, 8), "double"),
        ("%matrix", (-8, 24), "double"),  # another row of it
        ("[4 x %pair]", (8 + 2 * 32 + 16, 0), "double"),
        ("[4 x %pair]", (8 + 2 * 32 + 24, 0), None),  # the integer of the next pair is there
        ("[4 x %pair]", (8 + 3 * 32 + 16, 0), "double"),
        ("[4 x %pair]", (4 * 32 + 8, 0), None),
        ("%tail", (8 * 100, 0), "double"),
        ("%tail", (0, 0), None),
    ],
)
def test_what_arrays_of_a_variable_reach(declared, place, expected):
    module = parse_module(DECLARED)
    region = Region(Graph())
    region.declared.append((0, 0, module.parse_type(declared)))
    found = declared_number(module.layout, region, *place)
    assert (found.text if found else None) == expected
