"""Names with types behind them, and which function a name means."""

from __future__ import annotations

import pytest

from enzyme_build.bindings.candidates import named
from enzyme_build.bindings.naming import normal_types, parameters_of, without_template_arguments
from enzyme_build.bindings.signature import parse_signature
from enzyme_build.errors import ConfigError, InputError
from enzyme_build.ir.parser import parse_module

PAIRS = "std::allocator<std::pair<int const, double> >"
ROWS = "std::vector<float, std::allocator<float> >"
TAKEN_APART = {
    "f(double, int)": ("f", "double, int", None),
    "ns::f(const double *)(x[n])": ("ns::f", "const double *", "x"),
    "ns::f(Particle)(p[])": ("ns::f", "Particle", "p"),
    "Model::energy(double) const": ("Model::energy", "double", None),
    "cube<double>": ("cube<double>", None, None),
    "cube<double>(x)": ("cube<double>", None, "x"),
    "ns::sum<std::pair<int, int>>(std::vector<int> const&)": (
        "ns::sum<std::pair<int, int>>", "std::vector<int> const&", None,
    ),
    "Model::operator()(double)": ("Model::operator()", "double", None),
    "operator<(a, b)": ("operator<", None, "a"),
    "apply(double (*)(double), double)": ("apply", "double (*)(double), double", None),
    "(anonymous namespace)::f(int)": ("(anonymous namespace)::f", "int", None),
    "f(x[2*n], n)": ("f", None, "x"),
    "f(const x: float64)": ("f", None, "x"),
    "springs::energy(x, k) -> float64": ("springs::energy", None, "x"),
}  # fmt: skip


@pytest.mark.parametrize("text", TAKEN_APART)
def test_names_types_and_arguments(text: str) -> None:
    parsed = parse_signature(text)
    assert (parsed.name, parsed.overload, parsed.arguments and parsed.arguments[0].name) == TAKEN_APART[text]


def test_errors_behind_types_point_at_their_place() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_signature("f(double)(x[n)")
    assert caught.value.notes == ("f(double)(x[n)", " " * 13 + "^")


@pytest.mark.parametrize(
    ("name", "base"),
    [("ns::cube<double>(double)", "cube"), ("operator+(double)", "operator_"), ("springs::energy", "energy")],
)
def test_base_names_are_identifiers(name: str, base: str) -> None:
    assert parse_signature(name).base_name == base


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("const double *, int", "double const*,int"),
        ("std::vector<double> const &", "std::vector<double, std::allocator<double> > const&"),
        ("std::string", "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"),
        ("const std::map<int, double> &", f"std::map<int, double, std::less<int>, {PAIRS} > const&"),
        ("long unsigned int, long long int, unsigned", "unsigned long, long long, unsigned int"),
        ("std::vector<std::vector<float>>", f"std::vector<{ROWS}, std::allocator<{ROWS} > >"),
        ("void", ""),
        ("struct Model &", "Model&"),
    ],
)  # fmt: skip
def test_spellings_of_types(one: str, other: str) -> None:
    assert normal_types(one) == normal_types(other)


def test_different_types_stay_different() -> None:
    different = ["double", "double*", "double const*", "double* const", "int", "unsigned int", "char", "signed char"]
    assert len({normal_types(text) for text in different}) == len(different)


def test_types_of_demangled_names() -> None:
    assert parameters_of("ns::f(double (*)(double), int) const") == "double (*)(double), int"
    assert parameters_of("variable") is None


def test_template_arguments() -> None:
    assert without_template_arguments("ns::a<b<c>>::f<int>") == "ns::a::f"
    assert without_template_arguments("operator<") == "operator<"


MODULE = parse_module("""
define double @_ZN1a1fEd(double %x) {
  ret double %x
}
define double @_ZN1a1fEPKd(ptr %x) {
  ret double 0.0
}
define double @_ZN1a1fERKNS_5ModelE(ptr %x) {
  ret double 0.0
}
define double @_ZN1b1gEd(double %x) {
  ret double %x
}
define double @_ZN2cc1gEd(double %x) {
  ret double %x
}
""")


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("a::f(double)", "_ZN1a1fEd"),
        ("f(const double *)", "_ZN1a1fEPKd"),
        ("f(a::Model const &)", "_ZN1a1fERKNS_5ModelE"),
        ("b::g", "_ZN1b1gEd"),
        ("b::g(y)", "_ZN1b1gEd"),
        ("crate::g(double)", None),
    ],
)
def test_overloads(text: str, symbol: str | None) -> None:
    signature = parse_signature(text)
    if symbol is None:
        with pytest.raises(ConfigError, match="'crate::g' is the name of 2 functions"):
            named([MODULE], signature.name, signature.overload, signature.listed)
        return
    assert named([MODULE], signature.name, signature.overload, signature.listed)[0].symbol == symbol


@pytest.mark.parametrize(
    ("name", "hint"),
    [("f", "say which by its types, as in 'a::f(a::Model const&)'"), ("g", "say which, as in 'cc::g'")],
)
def test_what_to_say_instead(name: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        named([MODULE], name)
    assert caught.value.hint == hint


def test_types_that_no_function_takes() -> None:
    with pytest.raises(InputError) as caught:
        named([MODULE], "b::g", "int")
    assert caught.value.message == "no function 'b::g' takes (int)"
    assert caught.value.notes == ("b::g(double), symbol _ZN1b1gEd",)


@pytest.mark.parametrize(("name", "meant"), [("x::g", "'b::g' or 'cc::g'"), ("G", "'b::g' or 'cc::g'")])
def test_suggestions(name: str, meant: str) -> None:
    with pytest.raises(InputError) as caught:
        named([MODULE], name)
    assert caught.value.hint == f"did you mean {meant}?"
