"""Drivers have a form for each callback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.differentiate.callbacks import Callbacks
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.function import Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

TEXT = """
@table = internal constant [1 x ptr] [ptr @one]
@other_table = internal constant [1 x ptr] [ptr @other]
@variable = internal global [1 x ptr] [ptr @other]

define internal double @one(double %v, ptr %context) {
  ret double %v
}

define internal double @other(double %v, ptr %context) {
  ret double %v
}

define internal fastcc double @drive(ptr %f, double %v, ptr %context) {
  %r = call double %f(double %v, ptr %context)
  %again = call fastcc double @drive(ptr %f, double %r, ptr %context)
  ret double %again
}

define internal double @pass(ptr %context, ptr %f) {
  %r = call fastcc double @drive(ptr %f, double 1.0, ptr %context)
  ret double %r
}

define internal double @first(ptr %functions, ptr %context) {
  %f = load ptr, ptr %functions, align 8
  %r = call double %f(double 1.0, ptr %context)
  ret double %r
}

define internal double @keep(ptr %f, ptr %context) {
  store ptr %f, ptr %context, align 8
  ret double 1.0
}

define double @f(ptr %a, ptr %b) {
  CALLS
  ret double 0.0
}
"""


def forms(*calls: str, fixed: tuple[str, ...] = ("f",)) -> tuple[Module, dict[str, str]]:
    """The functions that are reached from `f`, by their names."""
    module = parse_module(TEXT.replace("CALLS", "\n  ".join(f"call {call}" for call in calls)))
    callbacks = Callbacks(module)
    roots = [module.function(name) for name in fixed]
    graph = call_graph(module, [module.function("f")], lambda f: callbacks.call_forms(f, roots))
    found = [f for component in graph.components for f in component]
    assert not any(check_function(module, function) for function in found)
    return module, {function.name: print_function(function) for function in found}


ONE = "fastcc double @drive(ptr @one, double 1.0, ptr %a)"
OTHER = "fastcc double @drive(ptr @other, double 1.0, ptr %b)"


def test_each_callback_has_a_form_that_calls_it_and_itself():
    module, found = forms(ONE, OTHER, ONE)
    assert set(found) == {"f", "one", "other", "enzyme_build.for.drive", "enzyme_build.for.drive.1"}
    form = found["enzyme_build.for.drive"]
    assert "call double @one(" in form
    assert (
        'call fastcc double @"enzyme_build.for.drive"(' in form or "call fastcc double @enzyme_build.for.drive(" in form
    )
    calls = [i.callee for i in module.function("f").instructions() if isinstance(i, ir.Call)]
    assert [getattr(callee, "name", "") for callee in calls] == [
        "enzyme_build.for.drive",
        "enzyme_build.for.drive.1",
        "enzyme_build.for.drive",
    ]
    assert module.made_of["enzyme_build.for.drive"] is module.function("drive")


def test_of_one_callback_there_is_one_form_already():
    _, found = forms(ONE, ONE)
    assert set(found) == {"f", "one", "drive"}


def test_what_is_passed_on_is_called_there():
    _, found = forms("double @pass(ptr %a, ptr @one)", "double @pass(ptr %b, ptr @other)")
    assert {name for name in found if "for" in name} == {
        f"enzyme_build.for.{name}" for name in ("pass", "pass.1", "drive", "drive.1")
    }


def test_tables_of_functions_that_nobody_changes_are_callbacks_too():
    _, found = forms("double @first(ptr @table, ptr %a)", "double @first(ptr @other_table, ptr %b)")
    assert {"enzyme_build.for.first", "enzyme_build.for.first.1"} <= set(found)
    assert "load ptr, ptr @table" in found["enzyme_build.for.first"]
    _, found = forms("double @first(ptr @table, ptr %a)", "double @first(ptr @variable, ptr %b)")
    assert not any("for" in name for name in found)


def test_what_is_only_kept_or_asked_for_stays():
    _, found = forms("double @keep(ptr @one, ptr %a)", "double @keep(ptr @other, ptr %b)")
    assert "keep" in found
    _, found = forms(ONE, OTHER, fixed=("f", "drive"))
    assert "drive" in found
    assert not any("for" in name for name in found)


def test_the_callback_is_a_constant_of_the_form():
    module, _ = forms(ONE, OTHER)
    form = module.function("enzyme_build.for.drive")
    assert isinstance(form, Function)
    assert not any(form.arguments[0] in i.operands for i in form.instructions())
