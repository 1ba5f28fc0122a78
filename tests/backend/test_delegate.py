"""Delegation to other backends: what is refused, what is passed on, what is needed."""

from __future__ import annotations

import re
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from enzyme_build import backend
from enzyme_build.backend.delegate import Project, check, own_settings, read, split_settings, stable_folder
from enzyme_build.bindings.project import read_project
from enzyme_build.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
[project]
name = "my-pkg"
dependencies = ["NumPy>=1.26"]
[[tool.enzyme-build.module]]
name = "mypkg.deep._core"
sources = ["src/a model.c"]
  [[tool.enzyme-build.module.function]]
  signature = "f(x)"
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a model.c").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def project(root: Path, text: str = MODULE) -> Project:
    table = tomllib.loads(text)
    return Project(root, read_project(table), table)


def test_settings_point_to_our_cmake_project(root):
    settings = own_settings(project(root), root / "made")
    assert settings == {"cmake.source-dir": str(root / "made"), "wheel.py-api": "cp311"}
    text = (root / "made" / "CMakeLists.txt").read_text()
    assert f'"{root}/src/a model.c"' in text
    assert 'DESTINATION "mypkg/deep"' in text
    assert f'set(python "{sys.executable}")' in text
    assert "project(my_pkg LANGUAGES NONE)" in text
    assert (root / "made" / ".gitignore").read_text() == "*\n"


def test_an_unchanged_cmake_project_keeps_its_time(root):
    own_settings(project(root), root / "made")
    before = (root / "made" / "CMakeLists.txt").stat().st_mtime_ns
    own_settings(project(root), root / "made")
    assert (root / "made" / "CMakeLists.txt").stat().st_mtime_ns == before


def test_the_users_tag_wins(root):
    text = MODULE + '[tool.scikit-build]\nwheel.py-api = "cp312"\n'
    assert "wheel.py-api" not in own_settings(project(root, text), root / "made")


@pytest.mark.parametrize(
    ("build_dir", "folder"),
    [("build", "build/enzyme-build"), ("build/{wheel_tag}", "build/enzyme-build"), ("b-{state}/x", "enzyme-build")],
)
def test_the_cmake_project_lives_beside_a_kept_build_folder(root, build_dir, folder):
    text = MODULE + f'[tool.scikit-build]\nbuild-dir = "{build_dir}"\n'
    assert stable_folder(project(root, text), {}) == root / folder
    assert stable_folder(project(root), {"build-dir": build_dir}) == root / folder
    assert stable_folder(project(root), {}) is None


MISTAKES = {
    "nothing to build": ("", "nothing to build: neither [[tool.enzyme-build.module]] nor a CMakeLists.txt"),
    "missing source": (
        MODULE.replace("a model.c", "b.c"),
        "a source of module 'mypkg.deep._core' does not exist: 'src/b.c'",
    ),
    "meson": (
        MODULE.replace("[[tool", '[tool.enzyme-build]\nbackend = "meson-python"\n[[tool', 1),
        "[[tool.enzyme-build.module]] needs the backend scikit-build-core",
    ),
    "in place": (
        MODULE + '[tool.scikit-build]\neditable.mode = "inplace"\n',
        "editable.mode = 'inplace' needs a CMakeLists.txt of your own",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(root, mistake):
    text, message = MISTAKES[mistake]
    with pytest.raises(ConfigError) as caught:
        check(project(root, text), "editable")
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("module", "package", "setting"),
    [
        ("my_pkg", "src/my_pkg", ""),
        ("my_pkg.deep", "my_pkg", ""),
        ("other", "lib/other", '[tool.scikit-build]\nwheel.packages = ["lib/other"]\n'),
    ],
)
def test_a_package_that_hides_the_module(root, module, package, setting):
    place = root / package / "/".join(module.split(".")[1:])
    place.mkdir(parents=True)
    text = MODULE.replace("mypkg.deep._core", module) + setting
    check(project(root, text), "sdist")
    (place / "__init__.py").touch()
    with pytest.raises(ConfigError) as caught:
        check(project(root, text), "sdist")
    assert caught.value.message == (
        f"the package '{package}' would hide the module '{module}', which has the same name"
    )
    check(project(root, MODULE + setting), "sdist")


def test_two_descriptions_of_the_build(root):
    (root / "CMakeLists.txt").touch()
    with pytest.raises(ConfigError, match=re.escape("both [[tool.enzyme-build.module]] and a CMakeLists.txt")):
        check(project(root), "wheel")
    check(project(root, '[project]\nname = "x"\n'), "wheel")


def test_a_missing_dependency_on_numpy_is_a_warning(root, capsys):
    check(project(root), "wheel")
    assert capsys.readouterr().err == ""
    check(project(root, MODULE.replace("NumPy>=1.26", "scipy")), "wheel")
    assert "add 'numpy' to project.dependencies" in capsys.readouterr().err


def test_errors_end_as_one_message(root, capsys):
    (root / "pyproject.toml").write_text("[tool.enzyme-build]\noptimize = 2\n")
    with pytest.raises(SystemExit) as caught:
        backend.get_requires_for_build_wheel()
    assert caught.value.code == 1
    assert capsys.readouterr().err == (
        "error: unknown key 'optimize' in tool.enzyme-build\n  hint: did you mean 'optimise'?\n"
    )


def test_hooks_that_the_other_backend_does_not_have(root):
    """PEP 517: front ends look for the optional ones, and do without."""
    pytest.importorskip("mesonpy")
    (root / "pyproject.toml").write_text(MODULE)
    assert hasattr(backend, "prepare_metadata_for_build_wheel")
    (root / "pyproject.toml").write_text('[tool.enzyme-build]\nbackend = "meson-python"\n')
    assert not hasattr(backend, "prepare_metadata_for_build_wheel")
    assert not hasattr(backend, "prepare_metadata_for_build_nothing")


def test_invalid_toml(root):
    (root / "pyproject.toml").write_text("[tool")
    with pytest.raises(ConfigError, match="is not valid TOML"):
        read(root)


def test_requirements_without_the_other_backend(root, monkeypatch):
    (root / "pyproject.toml").write_text(MODULE)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(root))
    monkeypatch.setenv("ENZYME_CC", "missing")
    needed = backend.get_requires_for_build_wheel()
    assert needed == ["scikit-build-core>=0.11", "cmake", "ninja", "ziglang>=0.15"]
    assert backend.get_requires_for_build_sdist() == ["scikit-build-core>=0.11"]


def test_requirements_with_the_other_backend(root, monkeypatch):
    pytest.importorskip("scikit_build_core")
    (root / "pyproject.toml").write_text(MODULE)
    monkeypatch.setenv("CMAKE_EXECUTABLE", "/somewhere/cmake")
    monkeypatch.setenv("CMAKE_MAKE_PROGRAM", "/somewhere/ninja")
    assert set(backend.get_requires_for_build_wheel()) - {"ziglang>=0.15"} == {"scikit-build-core>=0.11"}


def test_what_front_ends_and_the_environment_say_counts_more_than_the_file(root, monkeypatch):
    (root / "pyproject.toml").write_text(MODULE + "[tool.enzyme-build]\noptimise = 3\n")
    monkeypatch.setenv("ENZYME_BUILD_TARGET_CPU", "x86-64-v3")
    monkeypatch.setenv("ENZYME_BUILD_OPTIMISE", "2")
    ours, others = split_settings({"enzyme-build.optimise": ["0", "1"], "build-dir": "build"})
    assert others == {"build-dir": "build"}
    found = read(root, ours)
    assert (found.config.optimise, found.config.target_cpu) == (1, "x86-64-v3")
    own_settings(found, root / "made")
    text = (root / "made" / "CMakeLists.txt").read_text()
    assert '--set "target-cpu=x86-64-v3"' in text
    assert text.index('--set "optimise=2"') < text.index('--set "optimise=1"')


@pytest.mark.parametrize(
    ("settings", "variable", "message"),
    [
        ({"enzyme-build.optimize": "1"}, "", "config-setting 'enzyme-build.optimize': there is no 'optimize' to set"),
        ({}, "ENZYME_BUILD_OPTIMIZE", "ENZYME_BUILD_OPTIMIZE: there is no 'optimize' to set"),
    ],
)
def test_unknown_settings_are_errors(settings, variable, message, root, monkeypatch, capsys):
    (root / "pyproject.toml").write_text(MODULE)
    if variable:
        monkeypatch.setenv(variable, "1")
    with pytest.raises(SystemExit):
        backend.get_requires_for_build_wheel(settings)
    assert capsys.readouterr().err == f"error: {message}\n  hint: did you mean 'optimise'?\n"
