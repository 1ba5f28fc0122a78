"""The sections of the manual on installing, exported derivatives and modules for Python: the example with their lines.

It is built by Ninja Multi-Config, installed, and used by projects that have nothing else of it.
"""

from __future__ import annotations

import re
import shutil
import subprocess  # noqa: TID251 - building as a user does
import sys
from pathlib import Path

import pytest

from tests.support.commands import PACKAGE, ROOT, run

from .projects import MANUAL, built, needs_cmake, system_cmake

pytestmark = [pytest.mark.compile, needs_cmake]

HERE = Path(__file__).with_name("installed")
NOTHING = ["ninja: no work to do."]


def blocks(section, language="cmake"):
    """The code of one section of the manual."""
    text = MANUAL.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text)


SEVERAL = "energy(x[n], n, k), force(x[n], out f[n], n, k)"
INSTALLING, AHEAD, MODULE = map(
    blocks, ("Installing", "Libraries that bring their derivatives along", "A module for Python")
)


def project(folder, lines):
    """The example, with more lines."""
    shutil.copytree(ROOT / "examples" / "cmake", folder)
    with (folder / "CMakeLists.txt").open("a") as lists:
        lists.write("\n" + lines)


def consumer(folder, lines, *words, cmake="cmake"):
    """Another project, that finds the installed one, built."""
    folder.mkdir()
    for source, name in ((ROOT / "examples" / "cmake" / "relax.c", "down.c"), (HERE / "asks.c", "asks.c")):
        shutil.copy(source, folder / name)
    head = "cmake_minimum_required(VERSION 3.25...4.0)\nproject(consumer LANGUAGES C)\n"
    (folder / "CMakeLists.txt").write_text(head + lines)
    run([cmake, "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={folder.parent / 'prefix'}", *words], folder)
    run([cmake, "--build", "build", "-j", "1"], folder)


@pytest.fixture(scope="module")
def springs(tmp_path_factory):
    """The project, built for all configurations in one folder, of which Release and Debug are installed."""
    folder = tmp_path_factory.mktemp("drei Bäume") / "springs"
    project(folder, INSTALLING[0] + AHEAD[0] + MODULE[0])
    words = ["-G", "Ninja Multi-Config", f"-DEnzymeBuild_ROOT={PACKAGE}", "-DCMAKE_C_COMPILER=clang-22"]
    run(["cmake", "-S", ".", "-B", "build", *words, "-DCMAKE_DEBUG_POSTFIX=_d"], folder)
    for configuration in ("Debug", "Release"):
        built(folder, "--config", configuration)
        run(["cmake", "--install", "build", "--config", configuration, "--prefix", folder.parent / "prefix"], folder)
    built(folder, "--config", "RelWithDebInfo", "--target", "relax")
    return folder


def test_each_configuration_has_its_own(springs):
    for configuration in ("Debug", "Release"):
        assert built(springs, "--config", configuration) == NOTHING
        folder = springs / "build" / configuration
        assert run([sys.executable, HERE / "use.py", folder, "_core"], springs) == "_core.abi3.so\n"
    for configuration in ("Debug", "RelWithDebInfo"):
        run([springs / "build" / configuration / "relax"], springs)
    assert run(["ctest", "--test-dir", "build", "-C", "Release"], springs).count("   Passed  ") == 2


def test_one_configuration_is_built_again(springs):
    (springs / "springs.c").touch()
    words = ["--config", "RelWithDebInfo", "--target", "relax"]
    assert "Differentiating energy(x[n], n, k) (reverse mode)" in built(springs, *words)
    assert built(springs, *words) == NOTHING


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc not found")
def test_a_project_with_gcc_finds_the_derivative(springs):
    """With the system's CMake, which is an older one."""
    folder = springs.parent / "with gcc"
    words = ["-G", "Unix Makefiles", "-DCMAKE_C_COMPILER=gcc"]
    consumer(folder, INSTALLING[1], *words, "-DCMAKE_BUILD_TYPE=Debug", cmake=system_cmake())
    assert "libenergy_grad_d.a" in (folder / "build" / "CMakeFiles" / "down.dir" / "link.txt").read_text()
    assert run([folder / "build" / "down"], folder) == "ends at 0.000 1.200 2.400 3.600, energy 0.120\n"


def test_a_project_asks_for_a_gradient_of_the_installed_library(springs):
    folder = springs.parent / "asks"
    static = "find_package(springs CONFIG REQUIRED)\nenzyme_add_gradient(own FROM springs::springs FUNCTION energy)\n"
    consumer(folder, AHEAD[1] + static, "-G", "Ninja", f"-DEnzymeBuild_ROOT={PACKAGE}", "-DCMAKE_C_COMPILER=clang-22")
    run([folder / "build" / "asks"], folder)
    assert (folder / "build" / "libown.a").exists()  # from the bitcode in the installed archive


def test_the_installed_library_has_no_bitcode(springs):
    library = springs.parent / "prefix" / "lib" / "libsprings_ad.so"
    sections = subprocess.run(["readelf", "-SW", library], capture_output=True, text=True, check=True).stdout
    assert ".enzyme_export" in sections
    assert ".llvm" not in sections


def test_a_module_of_several_functions(tmp_path):
    folder = tmp_path / "springs"
    project(folder, MODULE[1])
    run(["cmake", "-GNinja", "-S.", "-Bbuild", f"-DEnzymeBuild_ROOT={PACKAGE}", "-DCMAKE_C_COMPILER=clang-22"], folder)
    assert f"Differentiating {SEVERAL} for Python" in built(folder, "--target", "springs_python")
    assert run([sys.executable, HERE / "use.py", "build", "_core"], folder) == "_core.abi3.so\n"
    checked = run(["ctest", "--test-dir", "build", "-R", "springs_python"], folder)
    assert re.findall(r"springs_python\.check\.(\w+) \.+   Passed", checked) == ["energy", "force"]
    use = (
        "import sys; sys.path.insert(0, 'build'); import numpy as np, _core as c\n"
        "x = np.array([0.0, 2.0, 3.0])\n"
        "print(c.force(x, 3.0), c.force_vjp(x, 3.0, np.array([1.0, 0, 0])), c.energy_hvp(x, 3.0, k_dot=1.0)[0])\n"
        "print(hasattr(c, 'force_hvp'))"
    )
    assert run([sys.executable, "-c", use], folder) == (
        "[ 3. -3.  0.] (array([-3.,  3.,  0.]),) [-1.  1.  0.]\nFalse\n"
    )
    assert built(folder, "--target", "springs_python") == NOTHING


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["scikit_build_core.build", "enzyme_build.backend"])
def test_a_wheel_by_scikit_build_core(tmp_path, monkeypatch, backend):
    pytest.importorskip("scikit_build_core")
    folder = tmp_path / "springs"
    project(folder, MODULE[0])
    (folder / "springs").mkdir()
    (folder / "springs" / "__init__.py").touch()
    settings = blocks("A module for Python", "toml")[0].replace("scikit_build_core.build", backend)
    (folder / "pyproject.toml").write_text(settings)
    monkeypatch.setenv("EnzymeBuild_ROOT", str(PACKAGE))  # the tree's package, where it is not installed
    pip = [sys.executable, "-m", "pip", "-q", "install", "--no-index", "--no-deps", "--no-build-isolation"]
    run([*pip, "--target", "installed", "."], folder)
    assert run([sys.executable, HERE / "use.py", "installed", "springs._core"], folder) == "_core.abi3.so\n"
