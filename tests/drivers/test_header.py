"""`<enzyme/enzyme>` tells wrong use at compile time, in words that say what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.compile_lines import compile_command
from enzyme_build.settings import from_environment
from enzyme_build.toolchain import process
from enzyme_build.toolchain.arguments import parse
from enzyme_build.toolchain.find import find_compiler
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from pathlib import Path

PRELUDE = """
#include <enzyme/enzyme>
#include <vector>
using namespace enzyme;
double f(double x);
double g(double &x);
double sum(const double *p, int n);
std::vector<double> many(double x);
double x = 1.5, x_bar, *p, *p_bar;
std::vector<double> v, v_bar;
void use() { CALL; }
"""

WRONG = {
    "autodiff<Forward>(f, x)": "in forward mode a number needs its tangent: enzyme::Duplicated(x, x_dot)",
    "autodiff<Forward>(f, Active(x))": "enzyme::Active is for reverse mode",
    "autodiff<Reverse>(f, Duplicated(x, x_bar))": "in reverse mode a number passed by value is enzyme::Active",
    "autodiff<Reverse>(g, Active(x))": "its adjoint goes into a shadow, enzyme::Duplicated<double &>(x, x_bar)",
    "autodiff<Reverse>(sum, p, 3)": "enzyme::Duplicated(p, its_shadow) or enzyme::Const(p)",
    "autodiff<Reverse>(sum, Active(p), 3)": "a pointer cannot be enzyme::Active",
    "autodiff<Reverse>(sum, Duplicated(p, p_bar), Active(3))": "an integer cannot be enzyme::Active",
    "autodiff<Reverse>(sum, Duplicated(p, p_bar))": "one argument with its activity for each parameter",
    "autodiff<Reverse>(many, Active(x))": "in reverse mode the function returns a floating-point number or nothing",
    "autodiff<double>(f, Active(x))": "the mode is enzyme::Forward",
    "autodiff<Reverse>([](double *) { return 1.0; }, Active(x))": "cannot be called with arguments of the types",
    "autodiff<Reverse>(f, v)": "say how a pointer or object takes part",
}


def compile_call(call: str, folder: Path, *flags: str) -> process.Completed:
    source = folder / "use.cpp"
    source.write_text(PRELUDE.replace("CALL", call))
    settings = from_environment()
    compiler = find_compiler(Language.CXX, settings.tools)
    line = parse(["-c", "-Wall", "-Wextra", *flags, str(source), "-o", str(folder / "use.o")])
    return process.run(compile_command(compiler, line, settings), capture=True)


@pytest.mark.compile
@pytest.mark.parametrize("call", WRONG)
def test_wrong_use(call: str, tmp_path: Path) -> None:
    done = compile_call(call, tmp_path)
    assert done.returncode == 1
    assert WRONG[call] in done.stderr


@pytest.mark.compile
@pytest.mark.parametrize("standard", ["-std=c++17", "-std=c++20", "-std=c++23"])
def test_right_use_says_nothing(standard: str, tmp_path: Path) -> None:
    done = compile_call("autodiff<Reverse>(sum, Duplicated(p, p_bar), 3)", tmp_path, standard, "-Wpedantic")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.compile
def test_older_standards_are_told(tmp_path: Path) -> None:
    assert "needs C++17 or newer" in compile_call("0", tmp_path, "-std=c++14").stderr
