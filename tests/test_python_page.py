"""docs/python.md does what it says: every file, command and program on the page, in a project of its own."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess  # noqa: TID251 - as a reader does
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

import enzyme_build
from enzyme_build.bindings.project import FunctionConfig, ModuleConfig, ProjectConfig, read_project
from enzyme_build.bindings.signature import parse_signature

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text()
BLOCKS = re.findall(r"(?ms)^```(\w*)\n(.*?)^```$", PAGE)
PROGRAMS = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [
    line
    for language, text in BLOCKS
    if language == "console"
    for line in re.findall(r"(?m)^\$ .*\n(?:[^$].*\n)*", text)
]
FORTRAN = [text for language, text in BLOCKS if language == "fortran"]
TOOLS = {
    "pip": [sys.executable, "-m", "pip", "-q"],
    "enzyme-build": [sys.executable, "-m", "enzyme_build"],
}
PIP_WORDS = ["--no-index", "--no-deps", "--no-build-isolation", "--upgrade", "--target", "installed"]
needs_flang = pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found")


def first(language):
    return next(text for found, text in BLOCKS if found == language)


def run(words, folder, **more):
    package = str(Path(enzyme_build.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": f"{package}:installed", **more}  # noqa: TID251
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The project of the page, installed by its first command."""
    folder = tmp_path_factory.mktemp("page") / "mypkg"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "model.c").write_text(first("c"))
    (folder / "pyproject.toml").write_text(first("toml"))
    (folder / "m.f90").write_text(FORTRAN[0])
    assert COMMANDS[0] == "$ pip install .\n"
    assert command(COMMANDS[0], folder) == ""
    return folder


def command(text, folder):
    """What a command of the page says; `NAME=value` before it is for its environment."""
    words = shlex.split(text.splitlines()[0].removeprefix("$ "))
    given = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    tool, *rest = words[len(given) :]
    done = run([*TOOLS[tool], *rest, *(PIP_WORDS if tool == "pip" else [])], folder, **given)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def rounded(text):
    """The last digits of differences are the machine's."""
    return re.sub(r"\d\.\d{10,}", lambda number: f"{float(number[0]):.8f}", text)


def test_every_block_is_tested():
    assert {language for language, _ in BLOCKS} == {"c", "toml", "console", "python", "fortran"}
    assert [sum(found == language for found, _ in BLOCKS) for language in ("c", "toml", "fortran")] == [1, 1, 1]
    assert not re.findall(r"(?m)^    \$ ", PAGE)


@pytest.mark.parametrize(
    "signature", re.findall(r"(?m)^    (\w.*)$", PAGE.partition("## Signatures")[2].partition("|")[0])
)
def test_signatures(signature):
    assert parse_signature(signature).arguments


def test_keys_are_those_that_are_read():
    tables = PAGE.partition("## Keys of")[2]
    named = re.findall(r"(?m)^\| (`[^|]*`) \|", tables)
    listed = {key for cell in named for key in re.findall(r"`([^`]+)`", cell)}
    known = {
        field.name.replace("_", "-") for kind in (ProjectConfig, ModuleConfig, FunctionConfig) for field in fields(kind)
    }
    assert listed == known
    assert read_project(tomllib.loads(first("toml"))).module[0].name == "mypkg._core"


@pytest.mark.compile
@pytest.mark.slow
@pytest.mark.parametrize("text", COMMANDS[1:], ids=lambda text: text.splitlines()[0][2:])
def test_commands(project, text):
    shown = text.partition("\n")[2]
    assert rounded(command(text, project)) == rounded(shown)


@pytest.mark.compile
@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs(project, program):
    if "m.f90" in program and not (shutil.which("flang-22") or shutil.which("flang")):
        pytest.skip("flang not found")
    done = run([sys.executable, "-c", program], project)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == re.findall(r"print\(.*?\)  # (.*)", program)


def test_a_program_says_what_it_prints():
    """Each statement that prints has what it prints behind it."""
    for program in PROGRAMS:
        prints = re.findall(r"(?m)^ *print\(.*$", program)
        assert prints
        assert all("  # " in line for line in prints)
