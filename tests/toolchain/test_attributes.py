"""Attributes that clang would drop without a word."""

import pytest

from enzyme_build.toolchain.attributes import lost_attributes, preprocess_command

GNU = '__attribute__((optnone, annotate("enzyme_inactive")))'
STANDARD = '[[clang::annotate("enzyme_inactive")]]'


def codes(text: str) -> list[str | None]:
    return [finding.code for finding in lost_attributes(f'# 1 "a.cpp"\n{text}\n')]


@pytest.mark.parametrize(
    "text",
    [
        f"typedef double weight {GNU};",
        f"typedef {GNU} double weight;",
        f"using weight {STANDARD} = double;",
        f"struct {GNU} pair {{ double a, b; }};",
        f"struct {STANDARD} pair {{ double a, b; }};",
        f"double before; struct pair {{ double a; struct inner {{ int i; }} b; }} {GNU};",
        f"typedef struct {{ double a; }} pair {GNU};",
        f"enum class {GNU} kind {{ one }};",
    ],
)
def test_on_a_type(text: str):
    assert codes(text) == ["E0336"]


@pytest.mark.parametrize(
    "text",
    [
        f"{GNU} double f(double x);",
        f"{STANDARD} double f(double x);",
        f"struct pair {{ double a; double b {GNU}; }};",
        f"struct pair {{ double a; }} one {GNU};",
        f"static struct pair one {GNU};",
        f"void f() {{ int i = 0; }} {GNU} double g(double x);",
        f"double f(struct pair p, double x {GNU});",
        f"double values[] = {{1, 2}}; {GNU} double g(double x);",
        "[[nodiscard]] double f(double x);",
        "int at = table[[]{ return enzyme::autodiff(f, 1.0); }()];",
    ],
)
def test_on_what_can_have_it(text: str):
    assert codes(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[[enzyme::inactive]] double f(double x);",
        '[[optnone, annotate("enzyme_inactive")]] double f(double x);',
        '[[gnu::noinline, annotate("enzyme_" "gradient", g)]] double f(double x);',
        "[[enzyme_inactive]] double f(double x);",
    ],
)
def test_in_brackets(text: str):
    assert codes(text) == ["E0339"]


def test_place():
    (finding,) = lost_attributes(f'# 1 "a.cpp"\nint i;\n# 7 "b.h" 1\n\nint j;\nstruct {GNU} s {{ int k; }};\n')
    assert str(finding.location) == "b.h:9"


def test_command_writes_nothing():
    command = ["clang", "-O2", "-MD", "-MF", "a.d", "-MMD", "-c", "a.c", "-o", "a.o"]
    assert preprocess_command(command) == ["clang", "-O2", "a.c", "-E"]
