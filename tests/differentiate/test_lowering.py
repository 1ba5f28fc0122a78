"""What stands in the place of a request."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.errors import FindingsError
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function, print_module
from enzyme_build.llvm.context import parse_text

PRIMALS = """
@enzyme_const = external global i32
@enzyme_dup = external global i32
@enzyme_primal_return = external global i32
define double @area(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}
define float @single(float %x, float %y) {
  %r = fmul float %x, %y
  ret float %r
}
define double @three(double %x, double %y, double %z) {
  %a = fmul double %x, %y
  %r = fmul double %a, %z
  ret double %r
}
"""


def lowered(caller: str) -> str:
    """The text of `@caller` after differentiation; the whole module is verified."""
    module = parse_module(PRIMALS + caller)
    differentiate(module)
    parse_text(print_module(module), "the module")
    return print_function(module.function("caller"))


def test_struct_of_adjoints():
    text = lowered("""
declare { double, double } @__enzyme_autodiff(...)
define { double, double } @caller() {
  %r = call { double, double } (...) @__enzyme_autodiff(ptr @area, double 3.0, double 4.0)
  ret { double, double } %r
}""")
    assert "__enzyme_autodiff" not in text
    assert "enzyme_build.reverse.area" in text


def test_struct_in_memory():
    text = lowered(
        """
declare void @__enzyme_autodiff(...)
define void @caller(ptr %out) {
  call void (...) @__enzyme_autodiff(ptr sret({ double, double, double }) %out, ptr @three,
    double 1.0, double 2.0, double 3.0)
  ret void
}""".replace(",\n    ", ", ")
    )
    assert text.count("store double") == 3
    assert "getelementptr" in text


def test_two_floats_in_one_register():
    """x86-64 returns struct { float, float } as <2 x float>."""
    text = lowered("""
declare <2 x float> @__enzyme_autodiff(...)
define <2 x float> @caller(double %x) {
  %r = call <2 x float> (...) @__enzyme_autodiff(ptr @single, double %x, double %x)
  ret <2 x float> %r
}""")
    assert text.count("fptrunc double %x to float") == 2
    assert "load <2 x float>" in text


def test_markers_are_not_loaded_any_more():
    text = lowered("""
declare double @__enzyme_autodiff(...)
define double @caller(double %x) {
  %m = load i32, ptr @enzyme_const
  %r = call double (...) @__enzyme_autodiff(ptr @area, double %x, i32 %m, double 4.0)
  ret double %r
}""")
    assert "enzyme_const" not in text


def test_ignored_results():
    text = lowered("""
declare void @__enzyme_autodiff(...)
define void @caller(double %x) {
  call void (...) @__enzyme_autodiff(ptr @area, double %x, double 4.0)
  ret void
}""")
    assert "__enzyme" not in text


def test_primal_comes_first():
    text = lowered(
        """
declare { double, double, double } @__enzyme_autodiff(...)
define double @caller(double %x) {
  %r = call { double, double, double } (...) @__enzyme_autodiff(ptr @area, ptr @enzyme_primal_return,
    double %x, double 4.0)
  %primal = extractvalue { double, double, double } %r, 0
  ret double %primal
}""".replace(",\n    ", ", ")
    )
    assert "__enzyme" not in text


def test_equal_requests_share_one_derivative():
    module = parse_module(
        PRIMALS
        + """
declare { double, double } @__enzyme_autodiff(...)
define void @caller() {
  %r = call { double, double } (...) @__enzyme_autodiff(ptr @area, double 3.0, double 4.0)
  %s = call { double, double } (...) @__enzyme_autodiff(ptr @area, double 5.0, double 6.0)
  ret void
}"""
    )
    differentiate(module)
    assert sum("enzyme_build.reverse.area" in f.name for f in module.functions) == 1


def test_too_small_results_are_refused():
    with pytest.raises(FindingsError, match=r"returns 2 value\(s\) of 16 bytes, but is declared to return 8 bytes"):
        lowered("""
declare double @__enzyme_autodiff(...)
define double @caller() {
  %r = call double (...) @__enzyme_autodiff(ptr @area, double 3.0, double 4.0)
  ret double %r
}""")


def test_a_derivative_of_itself_is_refused():
    with pytest.raises(FindingsError, match="asks for its own derivative"):
        lowered("""
declare double @__enzyme_autodiff(...)
define double @caller(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @caller, double %x)
  ret double %r
}""")


def test_derivatives_of_derivatives_take_two_rounds():
    module = parse_module(
        PRIMALS
        + """
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
define double @gradient(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @area, double %x, ptr @enzyme_const, double 2.0)
  ret double %r
}
define double @caller(double %x) {
  %r = call double (...) @__enzyme_fwddiff(ptr @gradient, double %x, double 1.0)
  ret double %r
}
"""
    )
    assert differentiate(module)
    again = parse_module(print_module(module))
    assert not differentiate(again)
    assert "__enzyme" not in print_function(again.function("caller"))


def test_exceptions_do_not_come_out_of_derivatives():
    text = lowered("""
declare double @__enzyme_autodiff(...)
declare i32 @__gxx_personality_v0(...)
define double @caller(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke double (...) @__enzyme_autodiff(ptr @area, double %x, ptr @enzyme_const, double 2.0)
          to label %good unwind label %bad
good:
  ret double %r
bad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}""")
    assert "invoke" not in text
    assert "br label %good" in text
