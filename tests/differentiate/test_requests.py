"""How requests are read, and what is said about wrong ones."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.differentiate.markers import resolve_function, wrapped_function
from enzyme_build.differentiate.requests import find_requests, has_requests
from enzyme_build.ir.parser import parse_module

PRIMALS = """
@enzyme_const = external global i32
@enzyme_dup = external global i32
@enzyme_dupnoneed = external global i32
@enzyme_dupv = external global i32
@enzyme_out = external global i32
@enzyme_width = external global i32
@enzyme_seed = external global i32
@enzyme_primal_return = external global i32
@enzyme_wrong = external global i32
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare double @__enzyme_batch(...)
declare double @unknown(double)
define double @f(double %x, ptr %p, i32 %n) {
  ret double %x
}
define float @single(float %x) {
  ret float %x
}
define double @many(double %x, ...) {
  ret double %x
}
define void @large(ptr sret({ double, double, double }) %r, double %x) {
  ret void
}
"""


def read(call: str, entry: str = "__enzyme_autodiff"):
    module = parse_module(
        PRIMALS
        + f"""
define double @caller(double %x, ptr %p, ptr %q, i32 %n, ptr %unknown) {{
  %marker = load i32, ptr @enzyme_dup
  %r = call double (...) @{entry}({call})
  ret double %r
}}"""
    )
    found, findings = find_requests(module)
    assert len(found) + len(findings) == 1
    return found[0] if found else findings[0]


def activities(request):
    return [actual.activity.value for actual in request.actuals]


def names(request):
    return [(a.value.name, a.shadows[0].name if a.shadows else None) for a in request.actuals]


def test_defaults_of_reverse_mode():
    request = read("ptr @f, double %x, ptr %p, ptr %q, i32 %n")
    assert request.mode is Mode.COMBINED
    assert activities(request) == ["out", "dup", "const"]
    assert names(request) == [("x", None), ("p", "q"), ("n", None)]
    assert request.request().result is Activity.ACTIVE


def test_defaults_of_forward_mode():
    request = read("ptr @f, double %x, double 1.0, ptr %p, ptr %q, i32 %n", "__enzyme_fwddiff")
    assert request.mode is Mode.FORWARD
    assert activities(request) == ["out", "dup", "const"]


@pytest.mark.parametrize("marker", ["i32 %marker", "ptr @enzyme_dup"])
def test_markers_as_value_or_address(marker):
    request = read(f"ptr @f, ptr @enzyme_const, double %x, {marker}, ptr %p, ptr %q, i32 %n")
    assert activities(request) == ["const", "dup", "const"]


def test_constant_pointer_has_no_shadow():
    request = read("ptr @f, double %x, ptr @enzyme_const, ptr %p, i32 %n")
    assert activities(request) == ["out", "const", "const"]


def test_no_primal_needed():
    assert activities(read("ptr @f, double %x, ptr @enzyme_dupnoneed, ptr %p, ptr %q, i32 %n"))[1] == "dupnoneed"


def test_options_anywhere():
    request = read("ptr @f, ptr @enzyme_primal_return, double %x, ptr %p, ptr %q, i32 %n, ptr @enzyme_seed, double 2.0")
    assert request.request().returns_primal
    assert [seed.value for seed in request.seeds] == [2.0]


def test_width_of_one():
    assert activities(read("ptr @f, ptr @enzyme_width, i32 1, double %x, ptr %p, ptr %q, i32 %n"))[0] == "out"


def test_shadows_stand_once_per_lane():
    request = read("ptr @f, double %x, ptr %p, ptr %q, ptr %unknown, i32 %n, ptr @enzyme_width, i32 2")
    assert request.width == 2
    assert [s.name for s in request.actuals[1].shadows] == ["q", "unknown"]
    assert request.request().width == 2


def test_a_run_of_shadows_has_a_stride():
    request = read("ptr @f, ptr @enzyme_width, i32 3, double %x, ptr @enzyme_dupv, i64 24, ptr %p, ptr %q, i32 %n")
    assert request.actuals[1].stride.value == 24
    assert [s.name for s in request.actuals[1].shadows] == ["q"]


def test_promoted_float():
    assert names(read("ptr @single, double %x")) == [("x", None)]


HINT_SHADOW = "each dup argument is followed by its shadow"


@pytest.mark.parametrize(
    ("call", "message", "code"),
    [
        ("", "__enzyme_autodiff needs the function to differentiate as its first argument", "E0300"),
        ("ptr @f, double %x, ptr %p", "__enzyme_autodiff of 'f': missing shadow of argument 2 of 3", "E0306"),
        ("ptr @f, double %x, ptr %p, ptr %q", "__enzyme_autodiff of 'f': missing argument 3 of 3", "E0306"),
        (
            "ptr @f, double %x, ptr %p, ptr @enzyme_const, i32 %n",
            "__enzyme_autodiff of 'f': missing shadow of argument 2, found the marker 'enzyme_const'",
            "E0306",
        ),
        (
            "ptr @f, double %x, ptr %p, ptr %q, i32 %n, i32 %n",
            "__enzyme_autodiff of 'f' has 1 argument(s) too many",
            "E0300",
        ),
        (
            "ptr @f, i32 %n, ptr %p, ptr %q, i32 %n",
            "__enzyme_autodiff of 'f': argument 1 has type i32, expected double",
            "E0307",
        ),
        ("ptr @f, ptr @enzyme_wrong, double %x", "unknown marker 'enzyme_wrong'", "E0302"),
        (
            "ptr @f, ptr @enzyme_dup, ptr @enzyme_const, double %x",
            "two activity markers in a row, before argument 1 (x) of 'f'",
            "E0300",
        ),
        (
            "ptr @f, double %x, ptr @enzyme_out, ptr %p",
            "enzyme_out on argument 2 (p) of 'f', which is a pointer",
            "E0304",
        ),
        (
            "ptr @f, ptr @enzyme_dup, double %x, double %x, ptr %p, ptr %q, i32 %n",
            "enzyme_dup on argument 1 (x) of 'f', which is passed by value",
            "E0305",
        ),
        (
            "ptr @f, double %x, ptr %p, ptr %q, ptr @enzyme_out, i32 %n",
            "enzyme_out on argument 3 (n) of 'f', which is no number but i32",
            "E0304",
        ),
        ("ptr @unknown, double %x", "no definition of 'unknown' was found in the inputs of this link", "E0309"),
        ("ptr %unknown, double %x", "the function to differentiate is not known at link time", "E0308"),
        ("ptr @many, double %x", "cannot differentiate the variadic function 'many'", "E0300"),
        ("ptr @f, ptr @enzyme_width, i32 %n, double %x", "enzyme_width needs a constant from 1 to 64", "E0303"),
        ("ptr @f, ptr @enzyme_width, i32 65, double %x", "enzyme_width needs a constant from 1 to 64", "E0303"),
        ("ptr @f, ptr @enzyme_width, i32 2, ptr @enzyme_seed, double %x", "enzyme_seed needs 2 values", "E0300"),
        ("ptr @f, ptr @enzyme_dupv, i64 8, double %x", "which is no pointer", "E0305"),
        ("ptr @large, double %x", "'large' returns several numbers", "E0320"),
    ],
)  # fmt: skip
def test_wrong_requests(call, message, code):
    error = read(call)
    assert message in error.message
    assert error.code == code
    assert "(in function 'caller')" in error.message


def test_missing_shadows_come_with_a_hint():
    assert read("ptr @f, double %x, ptr %p").hint == HINT_SHADOW


def test_all_wrong_requests_are_reported():
    module = parse_module(
        PRIMALS
        + """
define void @caller(double %x) {
  %a = call double (...) @__enzyme_autodiff(ptr @f)
  %b = call double (...) @__enzyme_autodiff(ptr @single, double %x)
  %c = call double (...) @__enzyme_autodiff(ptr @unknown, double %x)
  ret void
}"""
    )
    found, findings = find_requests(module)
    assert len(found) == 1
    assert len(findings) == 2


def test_texts_without_requests():
    assert not has_requests(PRIMALS.replace("__enzyme_", "plain_"))
    assert has_requests(PRIMALS)


def test_functions_through_aliases_and_constants():
    module = parse_module("""
@alias = alias double (double), ptr @g
@table = internal constant ptr @g
@changing = internal global ptr @g
define double @g(double %x) {
  %a = load ptr, ptr @table
  %b = load ptr, ptr @changing
  ret double %x
}""")
    function = module.function("g")
    a, b = function.entry.instructions[:2]
    assert resolve_function(module, module.globals["alias"]) is function
    assert resolve_function(module, a) is function
    assert resolve_function(module, b) is None


def test_functions_wrapped_in_a_pointer():
    """In a constant, or a variable that is set once and that nobody else may change."""
    module = parse_module("""
@table = internal constant ptr @g
@changing = internal global ptr @g
define double @g(double %x) {
  %once = alloca ptr
  %twice = alloca ptr
  %known = alloca ptr
  store ptr @g, ptr %once
  store ptr @g, ptr %twice
  store ptr @h, ptr %twice
  store ptr @g, ptr %known
  %a = call double @__enzyme_autodiff(ptr %once, double %x)
  %b = call double @__enzyme_autodiff(ptr %twice, double %x)
  call void @elsewhere(ptr %known)
  ret double %a
}
declare double @h(double)
declare double @__enzyme_autodiff(ptr, double)
declare void @elsewhere(ptr)""")
    function = module.function("g")
    once, twice, known = function.entry.instructions[:3]
    assert wrapped_function(module, once) is function
    assert wrapped_function(module, module.globals["table"]) is function
    for value in (twice, known, module.globals["changing"]):
        assert wrapped_function(module, value) is None


def test_mangled_names():
    module = parse_module("""
@_ZN3lib10enzyme_dupE = external global i32
declare double @_Z17__enzyme_autodiffIdJEET_PvDpT0_(...)
define double @f(ptr %p) {
  ret double 0.0
}
define double @caller(ptr %p, ptr %q) {
  %m = load i32, ptr @_ZN3lib10enzyme_dupE
  %r = call double (...) @_Z17__enzyme_autodiffIdJEET_PvDpT0_(ptr @f, i32 %m, ptr %p, ptr %q)
  ret double %r
}""")
    found, findings = find_requests(module)
    assert not findings
    assert activities(found[0]) == ["dup"]
