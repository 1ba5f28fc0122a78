"""Attributes that clang would drop without a word."""

import pytest

from enzyme_build.toolchain.attributes import late_attributes, lost_attributes, may_be_late, preprocess_command

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


@pytest.mark.parametrize(
    ("text", "may"),
    [
        (f"double g(double x) {{ return x; }} {GNU} double g(double x);", True),
        (f"double g(double x) {{ return x; }} double g(double x) {GNU};", True),
        (f"double v; extern double v {GNU};", True),
        (f"double h(void) {{ return 1; }} {GNU} double g(double x);", False),
        (f"{GNU} double g(double x) {{ return x; }}", False),
        (f"struct s {{ double a; double b {GNU}; }};", False),
    ],
)
def test_behind_a_definition(text, may):
    assert may_be_late(f'# 1 "a.c"\n{text}\n') == may


def test_what_the_compiler_says_of_ours():
    said = """a.c:4:16: warning: attribute declaration must precede definition [-Wignored-attributes]
    4 | __attribute__((enzyme_inactive)) double g(double x);
      |                ^
<command line>:1:9: note: expanded from macro 'enzyme_inactive'
a.c:2:8: note: previous definition is here
b.c:7:16: warning: attribute declaration must precede definition [-Wignored-attributes]
    7 | __attribute__((section("a"))) int other;
      |                ^
"""
    (only,) = late_attributes(said)
    assert (only.code, str(only.location)) == ("E0345", "a.c:4:16")


def test_the_compiler_may_say_nothing():
    """A name that is mentioned before may be that of a member."""
    assert late_attributes("") == []


def test_many_attributes_take_no_time():
    """A list of declarations with many lines between attributes."""
    text = "int a0" + "".join(f",\n    a{i} __attribute__((unused))" for i in range(2000)) + ";"
    assert codes(text) == []
