"""Which numbers that loops choose are computed once more behind them."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.chosen import read_chosen_again
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function, print_module
from enzyme_build.llvm.context import parse_text

LARGEST = """
declare double @llvm.fabs.f64(double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare void @seen(double)
define double @f(ptr %x, ptr %y, i64 %n, double %first) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %latch ]
  %top = phi double [ %first, %entry ], [ %chosen, %latch ]
  {more}
  %p = getelementptr inbounds double, ptr %x, i64 %i
  {fresh}
  %greater = fcmp ogt double %v, %top
  {leave}
latch:
  {select}
  {behind}
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  %r = phi double [ {result}, %latch ] {early}
  ret double %r
}}"""
SELECT = "%chosen = select i1 %greater, double %v, double %top"


def rewritten(**parts):
    """The text of `f` in its model; None if nothing was rewritten."""
    known = {
        "more": "",
        "fresh": "%v = load double, ptr %p, align 8",
        "leave": "br label %latch",
        "select": SELECT,
        "behind": "",
        "result": "%chosen",
        "early": "",
    }
    module = parse_module(LARGEST.format(**{**known, **parts}))
    function = module.function("f")
    changed = read_chosen_again(function)
    assert not check_function(module, function)
    parse_text(print_module(module), "the model")
    text = print_function(function)
    return text.split("\nexit:")[1] if changed else None


def test_an_element():
    behind = rewritten()
    assert "getelementptr inbounds double, ptr %x, i64 %chosen.at" in behind
    assert behind.count("load double") == 1
    assert "double %first" in behind.split("select", 1)[1]


def test_the_former_value_first():
    kept = "%chosen = select i1 %less, double %top, double %v"
    text = rewritten(
        behind="", select=kept, more="", fresh="%v = load double, ptr %p, align 8\n  %less = fcmp ult double %v, %top"
    )
    assert "%chosen.at" in text


@pytest.mark.parametrize("operands", ["double %v, double %top", "double %top, double %v"])
def test_the_larger_of_two(operands):
    behind = rewritten(select=f"%chosen = call double @llvm.maxnum.f64({operands})")
    assert "getelementptr inbounds double, ptr %x, i64 %chosen.at" in behind


def test_what_is_computed_of_elements():
    fresh = """%a = load double, ptr %p, align 8
  %q = getelementptr inbounds double, ptr %y, i64 %i
  %b = load double, ptr %q, align 8
  %c = fmul double %a, %b
  %v = call double @llvm.fabs.f64(double %c)"""
    behind = rewritten(fresh=fresh)
    assert behind.count("load double") == 2
    assert "fmul" in behind
    assert "llvm.fabs" in behind


@pytest.mark.parametrize(
    "parts",
    [
        {"behind": "store double %chosen, ptr %y, align 8"},
        {"behind": "call void @seen(double 1.0)"},
        {"fresh": "%v = load volatile double, ptr %p, align 8"},
        # What is chosen depends on what was chosen, or is added up.
        {"fresh": "%a = load double, ptr %p, align 8\n  %v = fadd double %a, %top"},
        {"more": "%sum = phi double [ 0.0, %entry ], [ %v, %latch ]", "fresh": "%v = fadd double %sum, 1.0"},
        # The loop uses the number for more than its choice.
        {"more": "%all = phi double [ 0.0, %entry ], [ %sum, %latch ]", "behind": "%sum = fadd double %all, %chosen"},
        # The last iteration may not be whole.
        {"leave": "br i1 %greater, label %exit, label %latch", "early": ", [ %top, %loop ]"},
        # Nothing is carried.
        {"select": "%chosen = select i1 %greater, double %v, double %first"},
        {"result": "%v"},
        # A NaN that stays is no element.
        {"select": "%chosen = call double @llvm.maximum.f64(double %top, double %v)"},
    ],
)
def test_left_alone(parts):
    assert rewritten(**parts) is None
