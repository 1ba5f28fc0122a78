"""Projects that use our CMake functions: the example by the commands of its manual, and one with every language.

Folders have spaces and letters of other alphabets in their names.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess  # noqa: TID251 - a script of CMake's
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.support.commands import PACKAGE, ROOT, run, scripts

from .projects import MANUAL, built, needs_cmake, system_cmake

pytestmark = [pytest.mark.compile, needs_cmake]

NOTHING = "ninja: no work to do."

USE_WORK = """
import sys
import numpy
sys.path.insert(0, "build")
import _alone, _work
x = numpy.array([3.0, 4.0])
print(*sorted(name for name in dir(_work) if not name.startswith("_")), sep=", ")
print(_work.work_grad(x), _work.power_grad(x, 2 * x), _alone.work_grad(x))
"""


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """The commands of the package under test."""
    return scripts(tmp_path_factory.mktemp("bin"))


@pytest.fixture(scope="module")
def example(tmp_path_factory, commands):
    """The example, built and tested by the commands of the manual."""
    folder = tmp_path_factory.mktemp("an exämple") / "sources of springs"
    shutil.copytree(ROOT / "examples" / "cmake", folder)
    said = [run(command, folder, commands) for command in re.findall(r"(?m)^\$ (.*)$", MANUAL.partition("\n## ")[0])]
    assert "100% tests passed" in said[-1]
    return folder


def test_the_manual_shows_the_example():
    (shown,) = re.findall(r"(?ms)^```cmake\n(.*?)^```$", MANUAL.partition("\n## ")[0])
    assert shown == (ROOT / "examples" / "cmake" / "CMakeLists.txt").read_text()


def linker_alone(folder, lists, cmake, commands):
    """A project as the manual's section about the linker says it, built with clang and run."""
    folder.mkdir()
    (folder / "model.c").write_text("double f(double x) { return x * x * x; }\n")
    (folder / "use.c").write_text(
        "double f(double);\ndouble __enzyme_autodiff(void *, double);\n"
        "int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 12.0; }\n"
    )
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.16)\nproject(alone C)\n{lists}"
        "add_library(model STATIC model.c)\nadd_executable(use use.c)\ntarget_link_libraries(use PRIVATE model)\n"
    )
    run([cmake, "-S", ".", "-B", "build", "-DCMAKE_C_COMPILER=clang-22"], folder, commands)
    run([cmake, "--build", "build"], folder, commands)
    run(["build/use"], folder)


def test_the_linker_alone(tmp_path, commands):
    section = MANUAL.partition("\n## The linker alone\n")[2].partition("\n## ")[0]
    (lists,) = re.findall(r"(?ms)^```cmake\n(.*?)^```$", section)
    linker_alone(tmp_path / "any", lists, system_cmake(), commands)
    (named,) = re.findall(r"`(set\(CMAKE_C_USING_LINKER_\w+ .*?\))`", section)
    (name,) = re.findall(r"property\s+`LINKER_TYPE (\w+)`", section)
    flags = lists.splitlines()[0]
    linker_alone(tmp_path / "new", f"{flags}\n{named}\nset(CMAKE_LINKER_TYPE {name})\n", "cmake", commands)


def test_only_what_depends_on_a_change_is_built_again(example):
    assert built(example) == [NOTHING]
    (example / "relax.c").touch()
    assert built(example) == ["Building C object CMakeFiles/relax.dir/relax.c.o", "Linking C executable relax"]
    header = example / "springs.h"
    header.write_text(header.read_text() + "// changed\n")
    again = built(example)
    assert "Building C object CMakeFiles/springs.dir/springs.c.o" in again
    assert "Differentiating energy(x[n], n, k) (reverse mode)" in again
    assert again[-1] == "Linking C executable relax"
    assert built(example) == [NOTHING]


def test_makefiles_build_the_example_and_rebuild_exactly(example):
    words = ["-G", "Unix Makefiles", f"-DEnzymeBuild_ROOT={PACKAGE}", "-DCMAKE_C_COMPILER=clang-22"]
    run(["cmake", "-S", ".", "-B", "make", *words], example)
    assert "Differentiating" in run(["cmake", "--build", "make"], example)
    run(["make/relax"], example)
    assert "Building" not in (quiet := run(["cmake", "--build", "make"], example))
    assert "Differentiating" not in quiet
    (example / "springs.h").touch()
    again = run(["cmake", "--build", "make"], example)
    assert "Differentiating" in again
    assert "springs.c.o" in again


needs_flang = pytest.mark.skipif(not shutil.which("flang-22"), reason="flang not found")


def every_language(tmp_path, generator, cmake="cmake"):
    """The project with every language, configured."""
    folder = tmp_path / "jede Sprache älter"
    shutil.copytree(Path(__file__).with_name("every"), folder)
    languages = {"C": "clang-22", "CXX": "clang++-22", "Fortran": "flang-22"}
    words = [f"-DCMAKE_{language}_COMPILER={compiler}" for language, compiler in languages.items()]
    cmake_folder = ROOT / "cmake" if (PACKAGE / "cmake").is_symlink() else PACKAGE / "cmake"
    run([cmake, "-S", ".", "-B", "build", "-G", generator, f"-DAS_SUBDIRECTORY={cmake_folder}", *words], folder)
    return folder


@needs_flang
def test_every_language_and_kind_of_target(tmp_path):
    folder = every_language(tmp_path, "Ninja")
    built(folder)
    assert run(["ctest", "--test-dir", "build"], folder).count("   Passed  ") == 8
    assert run([sys.executable, "-c", USE_WORK], folder) == (
        "power, power_grad, power_jvp, power_vjp, work, work_grad, work_hvp, work_vjp\n"
        "(12.5, (array([3., 4.]),)) (50.0, (array([3., 4.]),)) (12.5, (array([3., 4.]),))\n"
    )
    assert built(folder) == [NOTHING]
    (folder / "model" / "private headers" / "factor.h").touch()
    again = built(folder)
    assert again[:2] == [
        "Building C object model/CMakeFiles/model.dir/model.c.o",
        "Linking C static library model/libmodel.a",
    ]
    assert "Differentiating model(x, y) (forward mode)" in again
    assert not any("norm" in line or "work" in line or "top" in line for line in again)
    used = folder / "constants.f90"  # a module that another file uses
    used.write_text(used.read_text().replace("0.5d0", "0.25d0"))
    again = built(folder)
    assert "Building Fortran object CMakeFiles/forces.dir/forces.f90.o" in again
    assert "Differentiating forces::work(x[n], n) (reverse mode)" in again
    assert not any("model" in line for line in again)


@needs_flang
def test_makefiles_of_the_systems_cmake_build_what_one_program_needs(tmp_path):
    cmake = system_cmake()
    folder = every_language(tmp_path, "Unix Makefiles", cmake)
    target = [cmake, "--build", "build", "-j", "2", "--target", "use_mixed"]
    assert "Differentiating top(x[n], n) (reverse mode)" in run(target, folder)
    run(["build/use_mixed"], folder)
    assert "Building" not in (quiet := run(target, folder))
    assert "Differentiating" not in quiet


@needs_flang
def test_modules_of_a_library_with_derivatives_are_known_to_its_users(tmp_path):
    """By the system's CMake, an older one, with Ninja: together they know the least of where modules come from."""
    cmake, folder = system_cmake(), tmp_path / "ahead"
    shutil.copytree(Path(__file__).with_name("ahead"), folder)
    for name in ("constants.f90", "forces.f90"):
        shutil.copy(Path(__file__).with_name("every") / name, folder)
    words = ["-G", "Ninja", f"-DEnzymeBuild_ROOT={PACKAGE}", "-DCMAKE_Fortran_COMPILER=flang-22"]
    run([cmake, "-S", ".", "-B", "build", *words], folder)
    built(folder)
    used = folder / "constants.f90"
    used.write_text(used.read_text().replace("0.5d0", "0.25d0"))
    again = built(folder)
    for program in ("use_of_a_target", "use_of_sources"):
        assert f"Building Fortran object CMakeFiles/{program}.dir/use.f90.o" in again
    assert run(["ctest", "--test-dir", "build"], folder).count("   Passed  ") == 2
    assert built(folder) == [NOTHING]


def test_a_library_brings_derivatives_of_several_functions_along(tmp_path):
    folder, installed = tmp_path / "séveral functions", tmp_path / "installed"
    shutil.copytree(Path(__file__).with_name("several"), folder)
    words = ["-G", "Ninja", f"-DCMAKE_PREFIX_PATH={PACKAGE};{installed}", "-DCMAKE_C_COMPILER=clang-22"]
    run(["cmake", "-S", "lib", "-B", "lib/build", *words, f"-DCMAKE_INSTALL_PREFIX={installed}"], folder)
    said = run(["cmake", "--build", "lib/build", "--target", "install", "-j", "1"], folder)
    assert "Differentiating energy, damping ahead of time" in said
    run(["cmake", "-S", "use", "-B", "use/build", *words], folder)
    run(["cmake", "--build", "use/build"], folder)
    run(["use/build/use"], folder)


def test_libraries_of_parts(tmp_path):
    folder = tmp_path / "parts of a whole"
    shutil.copytree(Path(__file__).with_name("parts"), folder)
    words = ["-G", "Ninja", f"-DEnzymeBuild_ROOT={PACKAGE}", "-DCMAKE_C_COMPILER=clang-22"]
    run(["cmake", "-S", ".", "-B", "build", *words], folder)
    built(folder, "--target", "area_grad")
    built(folder)
    assert run(["ctest", "--test-dir", "build"], folder).count("   Passed  ") == 2
    use = "import sys; sys.path.insert(0, 'build/grad'); import numpy, _energy; print(_energy.energy(numpy.zeros(2)))"
    assert run([sys.executable, "-c", use], folder) == "0.0\n"
    assert built(folder) == [NOTHING]
    (folder / "lib" / "cube.c").touch()
    assert "Differentiating energy ahead of time" in built(folder)


def test_a_crate(tmp_path):
    path = f"{os.environ['PATH']}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it
    if not shutil.which("cargo", path=path):
        pytest.skip("cargo not found")
    folder = tmp_path / "a crate"
    shutil.copytree(Path(__file__).with_name("crate"), folder)
    words = [f"-DEnzymeBuild_ROOT={PACKAGE}", "-DCMAKE_C_COMPILER=clang-22"]
    cargo = Path(shutil.which("cargo", path=path)).parent
    run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", *words], folder)
    run(["cmake", "--build", "build", "-j", "1"], folder, cargo)
    run(["build/use_crate"], folder)
    assert built(folder) == [NOTHING]
    assert not (folder / "kernel" / "target").exists()
    for changed in ("src/powers.rs", "Cargo.toml"):
        (folder / "kernel" / changed).touch()
        again = run(["cmake", "--build", "build", "-j", "1"], folder, cargo)
        assert "Differentiating cube (reverse mode)" in again
    run(["cmake", "--build", "build", "-j", "1", "--target", "use_imported"], folder, cargo)
    run(["build/use_imported"], folder)


def test_versions_agree():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f'set(PACKAGE_VERSION "{version}")' in (PACKAGE / "cmake" / "EnzymeBuildConfigVersion.cmake").read_text()


VERSIONS = {"0.1": True, "0.1.0": True, "0.2": False, "0.1.9": False, "1": False, "0.0": False}
RANGES = {"0.0 1.0": True, "0.1 0.1.0": True, "0.2 1.0": False, "0.0 0.0.9": False}


def test_versions_that_fit(tmp_path):
    """What find_package asks the version file."""
    file = PACKAGE / "cmake" / "EnzymeBuildConfigVersion.cmake"
    calls = [f"fits({version})" for version in VERSIONS]
    calls += [f"fits({low}...{high} {low} {high})" for low, high in map(str.split, RANGES)]
    (tmp_path / "ask.cmake").write_text(
        "function(fits PACKAGE_FIND_VERSION)\n"
        "if(ARGC GREATER 1)\nset(PACKAGE_FIND_VERSION_RANGE ${ARGV0})\nset(PACKAGE_FIND_VERSION_RANGE_MAX INCLUDE)\n"
        "set(PACKAGE_FIND_VERSION_MIN ${ARGV1})\nset(PACKAGE_FIND_VERSION_MAX ${ARGV2})\nendif()\n"
        f'include("{file}")\nmessage("${{PACKAGE_VERSION_COMPATIBLE}}")\nendfunction()\n' + "\n".join(calls)
    )
    expected = [*VERSIONS.values(), *RANGES.values()]
    done = subprocess.run(["cmake", "-P", "ask.cmake"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [line == "TRUE" for line in done.stderr.splitlines()] == expected


def test_scikit_build_core_finds_the_package():
    """It gives CMake the folder of each entry point of this group as `<name>_ROOT`."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["cmake.root"]
    assert declared == {"EnzymeBuild": "enzyme_build"}
    assert (PACKAGE / "cmake" / "EnzymeBuildConfig.cmake").is_file()
    if (PACKAGE / "cmake").is_symlink():
        return  # not installed
    assert {"EnzymeBuild"} <= {one.name for one in entry_points(group="cmake.root")}


FOLDERS = {
    "CMakeLists.txt": f"""
cmake_minimum_required(VERSION 3.25)
project(folders C CXX Fortran)
find_package(EnzymeBuild CONFIG REQUIRED PATHS "{PACKAGE}")
add_library(model STATIC deep/model.cpp)
enzyme_add_gradient(in_cxx FUNCTION loss FROM model TYPE SHARED)
enzyme_add_gradient(in_c FUNCTION power SOURCES power.c TYPE SHARED)
enzyme_add_gradient(in_fortran FUNCTION lengths::length SOURCES length.f90 TYPE SHARED)
""",
    "deep/model.cpp": 'extern "C" double loss(double x) { return x * x; }\n',
    "power.c": "double power(double x) { return x * x * x; }\n",
    "length.f90": """module lengths
contains
real(8) function length(x)
  real(8), intent(in) :: x(3)
  length = sqrt(sum(x**2))
end function
end module
""",
}


@pytest.mark.parametrize(("kind", "has_debug_data"), [("Release", False), ("Debug", True)])
def test_products_do_not_name_the_folder(tmp_path, commands, kind, has_debug_data):
    """CMake names sources by absolute paths."""
    made = []
    for name in ("one", "another/folder"):
        folder = tmp_path / name
        for source, text in FOLDERS.items():
            (folder / source).parent.mkdir(parents=True, exist_ok=True)
            (folder / source).write_text(text)
        compilers = [f"-DCMAKE_{which}_COMPILER=enzyme-{driver}" for which, driver in DRIVERS.items()]
        words = ["-G", "Ninja", f"-DCMAKE_BUILD_TYPE={kind}", *compilers]
        run(["cmake", "-S", ".", "-B", "build", *words], folder, commands)
        run(["cmake", "--build", "build"], folder, commands)
        made.append([(folder / "build" / f"libin_{name}.so").read_bytes() for name in ("cxx", "c", "fortran")])
    assert [b".debug_info" in data for data in made[0]] == [has_debug_data] * 3
    if not has_debug_data:
        assert made[0] == made[1]
        assert not any(str(tmp_path).encode() in data for data in made[0])


DRIVERS = {"C": "cc", "CXX": "c++", "Fortran": "fc"}
