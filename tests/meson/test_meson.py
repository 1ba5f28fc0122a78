"""The example with Meson: built, rebuilt and packed by the commands of its manual."""

from __future__ import annotations

import re
import shutil
import sys

import pytest

from tests.support.commands import ROOT, run, scripts

pytest.importorskip("mesonpy", reason="meson-python not installed")
pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not (shutil.which("meson") and shutil.which("ninja")), reason="meson or ninja not found"),
]

EXAMPLE = ROOT / "examples" / "meson"
MANUAL = (ROOT / "docs" / "meson.md").read_text()
PIP = ["-m", "pip", "-q", "install", "--no-index", "--no-deps", "--no-build-isolation", "--target", "installed"]
OURS = """
[tool.enzyme-build]
backend = "meson-python"
"""
FIT = """
import decay, numpy
times = numpy.linspace(0, 3, 7)
print(decay.fit(times, 2 * numpy.exp(-0.5 * times), rate=0.8))
"""


@pytest.fixture
def commands(tmp_path):
    return scripts(tmp_path / "bin")


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "mit Meson gebaute Exämple"
    shutil.copytree(EXAMPLE, folder)
    return folder


def console(section):
    """The commands of a section of the manual."""
    return [line[2:] for line in blocks(section, "console")[0].splitlines() if line.startswith("$ ")]


def blocks(section, language):
    text = MANUAL.partition(f"\n## {section}\n")[2] if section else MANUAL
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text.partition("\n## ")[0])


def test_the_manual_shows_the_example():
    assert blocks("", "meson") == [(EXAMPLE / "meson.build").read_text()]
    assert blocks("Wheels", "toml") == [(EXAMPLE / "pyproject.toml").read_text()]


def test_the_example_is_built_and_only_changes_again(project, commands):
    *_, compiled, tested = [run(command, project, commands) for command in console("")]
    assert "Generating misfit_grad with a custom command" in compiled
    assert re.search(r"(?m)^Ok: +1 *$", tested)
    compile_again = console("")[1]
    assert "no work to do" in run(compile_again, project, commands)
    (project / "decay.h").touch()
    again = run(compile_again, project, commands)
    assert "Generating misfit_grad with" in again
    assert "Generating core with" in again
    assert "no work to do" in run(compile_again, project, commands)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["mesonpy", "enzyme_build.backend"])
def test_meson_python_makes_a_wheel_with_the_stable_abi(project, commands, backend):
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace("mesonpy", backend) + OURS * (backend != "mesonpy"))
    run([sys.executable, *PIP, "."], project, commands)
    assert {path.name for path in (project / "installed" / "decay").iterdir()} >= {"_core.abi3.so", "_core.pyi"}
    (metadata,) = (project / "installed").glob("decay-*.dist-info/WHEEL")
    assert re.search(r"(?m)^Tag: cp3\d+-abi3-linux_", metadata.read_text())
    assert run([sys.executable, "-c", FIT], project / "installed") == "[2.  0.5]\n"


def test_a_library_of_the_project(project, commands):
    with (project / "meson.build").open("a") as lines:
        lines.write(blocks("Libraries of the project", "meson")[0])
    said = [run(command, project, commands) for command in console("Libraries of the project")]
    assert "Generating misfit_jvp with a custom command" in said[-1]
    header = (project / "with-bitcode" / "misfit_jvp.h").read_text()
    assert re.search(r"double misfit_jvp\(const double \*times, const double \*times_dot,", header)
