"""Which functions a call through a pointer may reach."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.targets import Targets, functions_among
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.parser import parse_module

TEXT = """
%e = type { i32, ptr }
@table = internal constant [3 x %e] [%e { i32 1, ptr @a }, %e { i32 2, ptr @b }, %e { i32 3, ptr @other }]
@_ZTI1C = external constant ptr
@_ZTV1C = internal constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI1C, ptr @first, ptr @second] }, !type !0
@_ZTV1D = internal constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI1C, ptr @first, ptr @overriding] }
@_ZTV1E = internal constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI1C, ptr @first, ptr @apart] }, !type !1
declare double @sin(double)
declare double @unknown(double)
define double @a(double %x) {
  ret double %x
}
define double @b(double %x) {
  ret double %x
}
define double @called(double %x) {
  ret double %x
}
define double @requested(double %x) {
  ret double %x
}
define double @integrand(double %x) {
  ret double %x
}
%pair = type { double, double }
declare double @__enzyme_autodiff(ptr, ...)
declare void @"_Z16__enzyme_fwddiffIJdEE"(ptr, ptr, double)
define void @asks(double %x) {
  %r = alloca %pair
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr noundef @requested, ptr noundef @integrand, double %x)
  call void @"_Z16__enzyme_fwddiffIJdEE"(ptr sret(%pair) align 8 %r, ptr noundef @requested, double %x)
  ret void
}
define float @other(float %x) {
  ret float %x
}
define double @first(ptr %p) {
  ret double 1.0
}
define double @second(ptr %p) {
  ret double 2.0
}
define double @overriding(ptr %p) {
  ret double 3.0
}
define double @apart(ptr %p) {
  ret double 4.0
}

define double @through_argument(ptr %f, double %x) {
  %r = call double %f(double %x)
  ret double %r
}
define double @through_table(i64 %i, double %x) {
  %p = getelementptr inbounds %e, ptr @table, i64 %i, i32 1
  %f = load ptr, ptr %p
  %r = call double %f(double %x)
  ret double %r
}
define double @through_element(double %x) {
  %f = load ptr, ptr getelementptr inbounds (i8, ptr @table, i64 24)
  %r = call double %f(double %x)
  ret double %r
}
define double @virtual(ptr %object) {
  %t = load ptr, ptr %object
  %s = getelementptr inbounds i8, ptr %t, i64 8
  %f = load ptr, ptr %s
  %r = call double %f(ptr %object)
  ret double %r
}
define double @chosen(i1 %c, double %x) {
  %f = select i1 %c, ptr @a, ptr @sin
  %r = call double %f(double %x)
  ret double %r
}
define void @makes(ptr %object) {
  store ptr getelementptr inbounds (i8, ptr @_ZTV1D, i64 16), ptr %object
  call double @called(double 1.0)
  call double @through_argument(ptr @unknown, double 1.0)
  call double @through_argument(ptr @sin, double 1.0)
  ret void
}
define double @through_class(ptr %object) {
  %t = load ptr, ptr %object
  %s = getelementptr inbounds i8, ptr %t, i64 8
  %f = load ptr, ptr %s
  %r = call double %f(ptr %object) #0
  ret double %r
}
define double @through_other_class(ptr %object) {
  %t = load ptr, ptr %object
  %s = getelementptr inbounds i8, ptr %t, i64 8
  %f = load ptr, ptr %s
  %r = call double %f(ptr %object) "enzyme-class"="_ZTS1E"
  ret double %r
}
attributes #0 = { nounwind "enzyme-class"="_ZTS1C" }
!0 = !{i64 16, !"_ZTS1C"}
!1 = !{i64 16, !"_ZTS1E"}
"""


def targets(name: str) -> set[str]:
    module = parse_module(TEXT)
    call = next(i for i in module.function(name).instructions() if isinstance(i, ir.Call))
    return {function.name for function in Targets(module).of(call)}


def test_pointers_of_unknown_origin_are_what_has_its_address_taken_and_the_type():
    """The address of a function whose derivative is asked for goes nowhere."""
    assert targets("through_argument") == {"a", "b", "sin", "integrand"}


def test_tables_give_their_functions_of_the_type():
    assert targets("through_table") == {"a", "b"}
    assert targets("through_element") == {"b"}


def test_virtual_calls_give_what_is_in_that_place_of_the_tables():
    assert targets("virtual") == {"second", "overriding", "apart"}


def test_tables_that_say_their_classes_are_none_of_others():
    assert targets("through_class") == {"second", "overriding"}
    assert targets("through_other_class") == {"apart", "overriding"}


def test_choices_give_what_is_chosen_from():
    assert targets("chosen") == {"a", "sin"}


def test_calls_by_name_have_no_other_targets():
    assert targets("makes") == set()


def test_functions_among_needs_all_to_be_known():
    module = parse_module(TEXT)
    chosen = next(module.function("chosen").instructions())
    assert {f.name for f in functions_among(module, chosen) or ()} == {"a", "sin"}
    assert functions_among(module, module.function("through_argument").arguments[0]) is None


@pytest.mark.parametrize(
    ("kind", "entry", "found"),
    [
        ("constant", "i64 %k", {"one", "two"}),
        ("constant", "i64 1", {"two"}),
        ("global", "i64 %k", None),  # the program may set others
        ("constant", "i64 7", None),
    ],
)
def test_functions_among_those_of_a_constant_table(kind, entry, found):
    module = parse_module(f"""
declare void @one()
declare void @two()
@table = internal {kind} [3 x ptr] [ptr @one, ptr @two, ptr null]
define ptr @f(i64 %k) {{
  %place = getelementptr ptr, ptr @table, {entry}
  %read = load ptr, ptr %place
  ret ptr %read
}}""")
    value = module.function("f").entry.instructions[-1].operands[0]
    functions = functions_among(module, value)
    assert (None if functions is None else {f.name for f in functions}) == found


def test_functions_of_other_calling_conventions_are_not_called():
    text = """
@table = global [2 x ptr] [ptr @plain, ptr @resumed]
define void @plain(ptr %p) {
  store i8 1, ptr %p
  ret void
}
define fastcc void @resumed(ptr %p) {
  store i8 2, ptr %p
  ret void
}
define void @f(ptr %p) {
  %any = load ptr, ptr %p
  call fastcc void %any(ptr %p)
  call void %any(ptr %p)
  ret void
}"""
    module = parse_module(text)
    calls = [i for i in module.function("f").instructions() if isinstance(i, ir.Call)]
    assert [[one.name for one in Targets(module).of(call)] for call in calls] == [["resumed"], ["plain"]]
