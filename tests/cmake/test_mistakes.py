"""Mistakes in calls of our CMake functions: configure stops with a message that names the function and the remedy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess  # noqa: TID251 - configuring as a user does
from pathlib import Path

import pytest

import enzyme_build

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not shutil.which("cmake"), reason="cmake not found"),
]

PACKAGE = Path(enzyme_build.__file__).parent
PROJECT = """
cmake_minimum_required(VERSION 3.25...4.0)
project(mistakes LANGUAGES C)
find_package(EnzymeBuild CONFIG REQUIRED)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/f.c" "double f(double x) { return x; }")
add_library(own STATIC "${CMAKE_CURRENT_BINARY_DIR}/f.c")
add_library(headers INTERFACE)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  enzyme_add_gradient(first FROM own FUNCTION f PYTHON taken)
endif()
"""
NO_MODULE = 'Add PYTHON <module>. Shapes of arrays go into FUNCTION "energy(x[n], n, k)" elsewhere.'
MODULE = "Leave it out: docs/python.md says which functions a module has. Or make another target without PYTHON."
EXPORTED = "Leave it out: links find exported derivatives by themselves. Or make another target without EXPORT."
GRADIENTS = {
    "g FROM own": (
        "FUNCTION is missing",
        'Say which function to differentiate: FUNCTION energy, or FUNCTION "energy(x[n], n, k)".',
    ),
    "g FROM own FUNCTION": ("nothing follows FUNCTION", "Give a value, or leave the keyword out."),
    "g FROM own FUNCTION f TYPE STATIC WIDHT 3": (
        "unknown arguments: WIDHT 3",
        (
            "It knows WIDTH, SYMBOL, TYPE, HEADER, FORTRAN_MODULE, CRATE, PYTHON, SIGNATURE, "
            "FUNCTION, MODE, FROM, SOURCES, RULES, ARGS, INACTIVE, "
            "SEED, NO_PRIMAL, CHECK, AD_BEFORE_OPT, LOOSE_TYPES, EXPORT, STABLE_ABI."
        ),
    ),
    "g FROM own FUNCTION energy(x[n], n, k)": (
        "a signature without quotes is many words for CMake",
        'Put it into quotes: FUNCTION "energy(x[n], n, k)".',
    ),
    "g FROM own FUNCTION f PYTHON _core SIGNATURE f(x)": (
        "a signature without quotes is many words for CMake",
        'Put it into quotes: FUNCTION "energy(x[n], n, k)".',
    ),
    "FROM own FUNCTION f": (
        "'FROM' stands where the name of the new target does",
        "Give the name first: enzyme_add_gradient(energy_grad FROM …).",
    ),
    "g FUNCTION f": ("nothing says where 'f' is", "Give FROM <target>... or SOURCES <file>... ."),
    "g FROM owm FUNCTION f": (
        "FROM names 'owm', which is no target",
        "Define it with add_library before this call; files go behind SOURCES. Or is a keyword misspelt?",
    ),
    "g FROM headers FUNCTION f": (
        "FROM names 'headers', which has no objects to read",
        "Name a target that this project compiles, or an imported static library.",
    ),
    "own FROM own FUNCTION f": ("there is a target 'own' already", "Choose another name for the derivative."),
    "g FROM own FUNCTION f MODE backward": (
        "'backward' is no MODE",
        "Write REVERSE, FORWARD, SPLIT or HVP.",
    ),
    "g FROM own FUNCTION f TYPE DYNAMIC": ("'DYNAMIC' is no TYPE", "Write OBJECT, STATIC, SHARED or MODULE."),
    "g FROM own FUNCTION f WIDTH 0": ("WIDTH is '0'", "Write the number of directions, 1 or more."),
    "g FROM own FUNCTION f MODE HVP WIDTH 2": (
        "MODE HVP has no WIDTH",
        "Leave WIDTH out, and call the function repeatedly.",
    ),
    "g FROM own FUNCTION f ARGS x:dup x:dop": (
        "'x:dop' among ARGS is no activity",
        "Write name:activity with one of const, dup, dupnoneed, out.",
    ),
    "g SOURCES missing.c FUNCTION f": (
        "there is no file '{source}/missing.c'",
        "Paths are relative to {source}.",
    ),
    "g SOURCES $<$<CONFIG:Debug>:f.c> FUNCTION f": (
        "'$<$<CONFIG:Debug>:f.c>' is a generator expression, and files have to be known at configure",
        "Name the files, with if(…) before the call; or name behind FROM a library that has them.",
    ),
    "g SOURCES code.f90 FUNCTION f": (
        "cannot compile '{source}/code.f90': its language is unknown or not enabled",
        "Say project(… LANGUAGES C CXX Fortran) with the language of the file.",
    ),
    "g FROM own FUNCTION f FORTRAN_MODULE m": (
        "FORTRAN_MODULE needs a Fortran compiler",
        "Say project(… LANGUAGES … Fortran).",
    ),
    "g FROM own FUNCTION f FUNCTION g": (
        "several functions stand behind FUNCTION: f, g",
        "Call it for each; with PYTHON and EXPORT they may be several. Or is a keyword misspelt?",
    ),
    "g FROM own FUNCTION f TYPE STATIC TYPE SHARED": (
        "TYPE stands there twice",
        "It takes one value; call the function once for each.",
    ),
    "g FROM own FUNCTION f MODE REVERSE FORWARD": (
        "several modes stand behind MODE: REVERSE, FORWARD",
        "Call it for each; with PYTHON they may be several.",
    ),
    "g FROM own FUNCTION f MODE f:REVERSE": ("'f:REVERSE' is no MODE", "Write REVERSE, FORWARD, SPLIT or HVP."),
    "g FROM own FUNCTION f ARGS f:x:dup": (
        "'f:x:dup' among ARGS is no activity",
        "Write name:activity with one of const, dup, dupnoneed, out.",
    ),
    "g FROM own FUNCTION f PYTHON _core MODE backward": (
        "'backward' is no MODE",
        "Write REVERSE, FORWARD, HVP and BATCH, some of them.",
    ),
    'g FROM own FUNCTION "f(x)" "m::h(x)" PYTHON _core MODE REVERSE h:HVP': (
        "'h:HVP' among MODE is for 'h', which is not behind FUNCTION",
        "There are f, m::h.",
    ),
    'g FROM own FUNCTION "f(x)" "m::h(x)" PYTHON _core ARGS m::h:x:dup k:x:dup': (
        "'k:x:dup' among ARGS is for 'k', which is not behind FUNCTION",
        "There are f, m::h.",
    ),
    'g FROM own FUNCTION "f(x)" "m::h(x)" PYTHON _core ARGS x:dup': (
        "'x:dup' among ARGS: of which function?",
        "Write <function>:x:dup, such as f:x:dup.",
    ),
    'g FROM own FUNCTION f h PYTHON _core SIGNATURE "f(x)"': (
        "SIGNATURE is for one function, and behind FUNCTION are 2",
        "Write the signatures behind FUNCTION.",
    ),
    "g FROM own FUNCTION f STABLE_ABI": ("STABLE_ABI goes with PYTHON", NO_MODULE),
    'g FROM own FUNCTION f SIGNATURE "f(x)"': ("SIGNATURE goes with PYTHON", NO_MODULE),
    "g FROM own FUNCTION f PYTHON _core EXPORT": ("EXPORT does not go with PYTHON", MODULE),
    "g FROM own FUNCTION f PYTHON _core HEADER g.h": ("HEADER does not go with PYTHON", MODULE),
    "g FROM own FUNCTION f PYTHON _core TYPE SHARED": (
        "TYPE SHARED does not go with PYTHON",
        "Leave TYPE out: it is a MODULE.",
    ),
    "g FROM own FUNCTION f PYTHON _core MODE SPLIT": (
        "MODE SPLIT does not go with PYTHON",
        "Write REVERSE, FORWARD, HVP and BATCH, some of them; or leave MODE out, for REVERSE and FORWARD.",
    ),
    "g FROM own FUNCTION f PYTHON _core ARGS x:const": (
        "'x:const' among ARGS does not go with PYTHON",
        "Name those to differentiate with respect to, or write 'const x' in the signature.",
    ),
    "g FROM own FUNCTION f PYTHON pkg._core": (
        "'pkg._core' is no name of a module's file",
        "Give the last part of the name: PYTHON _core. The package is where the project installs it.",
    ),
    "g FROM own FUNCTION f PYTHON taken": (
        "'first' is a module 'taken' in this folder already",
        "Choose another name, or call the function in a folder of its own.",
    ),
    'g FROM own FUNCTION "f(x[n])" PYTHON _core SIGNATURE "f(x[n])"': (
        "both FUNCTION and SIGNATURE say which shapes arrays have",
        "Write the name alone behind FUNCTION, or leave SIGNATURE out.",
    ),
    'g FROM own FUNCTION forces::f PYTHON _core SIGNATURE "h(x)"': (
        "'h(x)' is no SIGNATURE of 'forces::f'",
        'Write the function\'s name and its arguments with shapes: SIGNATURE "f(x[n], n)".',
    ),
    "g FROM own FUNCTION f EXPORT SEED": ("SEED does not go with EXPORT", EXPORTED),
    "g FROM own FUNCTION f EXPORT CHECK": ("CHECK does not go with EXPORT", EXPORTED),
    "g FROM own FUNCTION f EXPORT MODE HVP": (
        "MODE HVP does not go with EXPORT",
        "Write REVERSE, which serves split requests too, or FORWARD; or leave MODE out, for both.",
    ),
}
TARGETS = {
    "owm": (
        "there is no target 'owm'",
        "Call enzyme_target after add_executable or add_library, with the same name.",
    ),
    "headers": (
        "'headers' has no sources that this project compiles",
        "Name an executable or library that add_executable or add_library makes here.",
    ),
    "own headers": ("unknown arguments: headers", "It takes one target; call it for each."),
}
MISTAKES = {f"enzyme_add_gradient({call})": said for call, said in GRADIENTS.items()} | {
    f"enzyme_target({call})": said for call, said in TARGETS.items()
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A configured project: its build folder remembers the compiler, so each mistake takes a fraction of a second."""
    folder = tmp_path_factory.mktemp("mistakes")
    (folder / "code.f90").write_text("")
    assert configure(folder, "", "clang-22") == ""
    return folder


def configure(folder, call, compiler="", *more):
    """What CMake says is wrong with a project with this call, in one line."""
    (folder / "CMakeLists.txt").write_text(f"{PROJECT}{call}\n")
    words = [f"-DCMAKE_C_COMPILER={compiler}", f"-DEnzymeBuild_ROOT={PACKAGE}"] if compiler else []
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}  # noqa: TID251
    done = subprocess.run(
        ["cmake", "-S", folder, "-B", folder / "build", *words, *more],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"(?s)CMake Error at .*?:\d+ \(message\):\n(.*?)\nCall Stack", done.stderr)
    assert (done.returncode == 0) == (found is None), done.stderr
    return " ".join(found[1].split()) if found else ""


@pytest.mark.parametrize("call", MISTAKES)
def test_mistake(project, call):
    problem, remedy = (text.format(source=project) for text in MISTAKES[call])
    name, _, rest = call.partition("(")
    assert configure(project, call) == f"{name}({rest.rstrip(')').split()[0]}): {problem} {remedy}"


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc not found")
def test_a_compiler_without_bitcode(tmp_path):
    gcc = shutil.which("gcc")
    remedy = "Configure a fresh build folder with clang-22 or enzyme-cc (-DCMAKE_C_COMPILER=…)"
    assert configure(tmp_path, "enzyme_add_gradient(g FROM own FUNCTION f)", gcc) == (
        f"enzyme_add_gradient(g): the target 'own' is compiled by GNU ({gcc}), which makes no bitcode {remedy}"
    )
    assert configure(tmp_path, "enzyme_target(own)") == (
        f"enzyme_target(own): 'own' is compiled by GNU ({gcc}), which makes no bitcode {remedy}"
    )


def test_a_header_for_several_configurations(tmp_path):
    words = ["clang-22", "-GNinja Multi-Config"]
    assert configure(tmp_path, "enzyme_add_gradient(g FROM own FUNCTION f HEADER /tmp/g.h)", *words) == (
        "enzyme_add_gradient(g): '/tmp/g.h' would be the HEADER of each configuration of 'Ninja Multi-Config' "
        "Give a relative path, or one with $<CONFIG>."
    )


def found_with(project, call):
    """What CMake says of a project that finds our package by this call."""
    (project / "CMakeLists.txt").write_text(PROJECT.replace("find_package(EnzymeBuild CONFIG REQUIRED)", call))
    done = subprocess.run(["cmake", project / "build"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, " ".join(done.stderr.split())


def test_a_command_that_does_not_work(project):
    call = 'set(EnzymeBuild_COMMAND "/no/such/enzyme-build")\nfind_package(EnzymeBuild CONFIG REQUIRED)'
    status, _, said = found_with(project, call)
    assert status == 1
    assert "enzyme-build does not work: '/no/such/enzyme-build --version' gave" in said
    assert "Set EnzymeBuild_COMMAND to a command that does" in said


def test_a_cmake_that_is_too_old(project):
    status, _, said = found_with(project, "set(CMAKE_VERSION 3.24.4)\nfind_package(EnzymeBuild CONFIG REQUIRED)")
    assert status == 1
    assert "Reason given by package: CMake 3.25 or newer is needed, and this is 3.24.4 (" in said
    assert ") Install one: pip install cmake" in said


COMPONENTS = """
find_package(EnzymeBuild CONFIG REQUIRED COMPONENTS C CXX OPTIONAL_COMPONENTS Fortran Rust Python Julia)
foreach(name C CXX Fortran Rust Python Julia)
  message(STATUS "${name}: ${EnzymeBuild_${name}_FOUND}")
endforeach()
"""


def test_components_that_may_be_there(project, monkeypatch):
    monkeypatch.setenv("ENZYME_FC", "/no/such/flang")
    status, said, problem = found_with(project, COMPONENTS)
    assert status == 0, problem
    found = dict(re.findall(r"(?m)^-- (\w+): (\w+)$", said))
    assert found == {"C": "TRUE", "CXX": "TRUE", "Fortran": "FALSE", "Rust": "TRUE", "Python": "TRUE", "Julia": "FALSE"}


def test_components_that_have_to_be_there(project, monkeypatch):
    call = "find_package(EnzymeBuild CONFIG REQUIRED COMPONENTS Fortran Julia)"
    monkeypatch.setenv("ENZYME_FC", "/no/such/flang")
    status, _, said = found_with(project, call)
    assert status == 1
    assert "the component Fortran is not there Fortran compiler (none works): apt-get install flang-22" in said
    assert "the component Julia is not there It has C, CXX, Fortran, Rust, Python." in said
